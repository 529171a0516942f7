import type { Exchange } from '../../engine/http/client/exchange.ts'
import { field } from '../../engine/http/decode/response.ts'
import { at, isContainer, type Place, pointer } from '../readings/json.ts'
import { byOffset, byPage, withParameters } from './next-page.ts'
import type { PageSign } from './page-evidence.ts'
import { isReference, referenceIn } from './page-facts.ts'
import type { PageSigns, Shown } from './page-signs.ts'

/** The pinned way to the next page of a list, or the pin that it is whole. */
export interface PinnedPages {
  /** The list is whole, whatever the response says. */
  readonly whole?: true
  /** The place of the link, token or number of the next page. */
  readonly next?: { readonly place: Place } | { readonly field: string }
  /** The name of the parameter that carries the token or the number. */
  readonly parameter?: string
  /** The unit of the parameter: elements read so far, or pages counted from 0 or 1. */
  readonly counts?: 'elements' | 'pages from 0' | 'pages from 1'
}

type PinnedStep = { readonly reference: string; readonly isOwn: boolean } | { readonly problem: string } | undefined

const NOTHING: readonly unknown[] = [undefined, null, '', false, 0, '0', -1, '-1']

/** The next page according to a profile; undefined if there is none. */
export function pinnedStep(pinned: PinnedPages, page: Exchange, signs: PageSigns, shown: Shown): PinnedStep {
  const { next, parameter, counts } = pinned
  if (!next) {
    const way = parameter === undefined ? undefined : wayCounting(parameter, counts)
    const reference = way?.after(page, signs, shown)
    return reference === undefined ? undefined : { reference, isOwn: false }
  }
  const value = valueAt(page, next)
  if (NOTHING.includes(value)) return undefined
  const link = parameter === undefined ? referenceIn(value) : undefined
  if (link !== undefined) return { reference: link, isOwn: true }
  if (parameter !== undefined && !isContainer(value))
    return { reference: withParameters(page, [[parameter, String(value)]]), isOwn: true }
  const where = 'field' in next ? next.field : pointer(next.place)
  return {
    problem: `${where} holds ${JSON.stringify(value)}, which is no link, and no parameter is pinned that takes it`,
  }
}

const wayCounting = (parameter: string, counts: PinnedPages['counts'] = 'elements') =>
  counts === 'elements' ? byOffset(parameter, 0) : byPage(parameter, counts === 'pages from 0' ? 1 : 2)

function valueAt({ outcome }: Exchange, next: NonNullable<PinnedPages['next']>): unknown {
  if (outcome.kind !== 'response') return undefined
  if ('field' in next) return field(outcome, next.field.toLowerCase())
  const value = outcome.body.kind === 'json' ? at(outcome.body.value, next.place) : undefined
  const href = at(value, ['href'])
  return isReference(href) ? href : value
}

/** The entries of a profile that decide whether a list is a page: the advice for a page that cannot be followed. */
export function pinText(operation: string, sign: Pick<PageSign, 'place' | 'leads'>): string {
  const entry = (pin: object) => JSON.stringify({ point: 'O-LIST-SHAPE', operation, ...pin })
  const next = sign.place.startsWith('/') ? sign.place : sign.place.replace(/[ ;].*$/, '')
  const byToken = sign.leads === 'as a token' ? [entry({ next, parameter: 'NAME' })] : []
  const byCount = entry({ parameter: 'NAME', counts: 'elements' })
  return `pin how it leads on in a profile: ${[...byToken, byCount].join(' or ')}, with its parameter for NAME (one that counts pages: "pages from 0" or "pages from 1"); or that it is whole: ${entry({ whole: true })}`
}
