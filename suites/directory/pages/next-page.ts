import type { Exchange } from '../../engine/http/client/exchange.ts'
import { at, type Place, pointer } from '../readings/json.ts'
import { asQueryValue } from '../shared/encodings.ts'
import { type Fact, numberIn, referenceIn } from './page-facts.ts'
import { parameters } from './page-keys.ts'
import type { PageSigns, Shown } from './page-signs.ts'

/** One way to ask for the page that follows another: a hypothesis until it leads on. */
export interface Way {
  /** How to ask, undefined where this page does not say what the way needs. */
  readonly after: (page: Exchange, signs: PageSigns, shown: Shown) => string | undefined
  /** It may lead to another list, as to all cats: a page repeats nothing. */
  readonly isElsewhere?: true
}

type Values = readonly (readonly [parameter: string, value: string])[]

/** The query of a page with some parameters set, as a reference. */
function withParameters(page: Exchange, values: Values): string {
  const names = new Set(values.map(([name]) => name))
  const rest = new URL(page.url).search
    .slice(1)
    .split('&')
    .filter((one) => one !== '' && !names.has(nameOf(one)))
  return `?${[...rest, ...values.map((pair) => pair.map((one) => asQueryValue(one)).join('='))].join('&')}`
}

/** The value of a parameter in the query of a page. */
function valueIn(page: Exchange, parameter: string): string | undefined {
  const pair = new URL(page.url).search
    .slice(1)
    .split('&')
    .findLast((one) => nameOf(one) === parameter)
  return pair?.slice(pair.indexOf('=') + 1)
}

function nameOf(pair: string): string {
  const [name = ''] = pair.split('=')
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

const wordsOf = (key: string): string[] =>
  key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9$]+/)
    .filter((word) => word !== '')

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** Words as the names of parameters are written. */
const spelled = ([first = '', ...others]: readonly string[]): string[] =>
  first === ''
    ? []
    : [[first, ...others].join('_'), first + others.map(capitalised).join(''), [first, ...others].join('-')]

/** What may take the value of a fact: its own key; that without "next"; its last words; what holds it, with brackets. */
function parametersFor({ place }: Fact, common: readonly string[]): readonly string[] {
  const key = place.at(-1) ?? ''
  const words = wordsOf(key)
  const bare = words.filter((word) => !/^next$|^end$/.test(word))
  const holder = place.at(-2)
  const inBrackets = holder === undefined ? [] : [`${holder}[${key}]`]
  return [
    ...new Set([
      key,
      ...spelled(words),
      ...spelled(bare),
      ...inBrackets,
      ...bare.slice(-1),
      ...bare.slice(0, 1),
      ...common,
    ]),
  ]
}

const factAt = (facts: readonly Fact[], place: Place): Fact | undefined =>
  facts.find((fact) => pointer(fact.place) === pointer(place))

const isScalar = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'

/** An object that holds parameters of their own names, as `continue: {cmcontinue}`. */
const byMembers = ({ place }: Fact): Way => ({
  after(page, { next }) {
    const value = factAt(next, place)?.value
    if (typeof value !== 'object' || value === null) return undefined
    const members = Object.entries(value).filter(([, one]) => isScalar(one))
    return members.length > 0
      ? withParameters(
          page,
          members.map(([name, one]) => [name, String(one)]),
        )
      : undefined
  },
})

const byToken = ({ place }: Fact, parameter: string): Way => ({
  after(page, { next, cursors, unnamed }) {
    const value = factAt([...next, ...cursors, ...unnamed], place)?.value
    return isScalar(value) ? withParameters(page, [[parameter, String(value)]]) : undefined
  },
})

/** @param first the number to ask for after the first page */
const byPage = (parameter: string, first: number): Way => ({
  after(page) {
    const current = Number(valueIn(page, parameter) ?? Number.NaN)
    return withParameters(page, [[parameter, String(Number.isInteger(current) ? current + 1 : first)]])
  },
})

/** @param base the offset of the first element: 0 or 1 */
const byOffset = (parameter: string, base: number): Way => ({
  after: (page, _, { all }) => withParameters(page, [[parameter, String(base + all)]]),
})

/** Stripe: where the last page ended is said by its last element. */
const byLast = (parameter: string): Way => ({
  after: (page, { last }) => (last === undefined ? undefined : withParameters(page, [[parameter, last]])),
})

/** A link to another host, as behind a proxy that is not named in links: the query may lead on here too. */
export const byQueryOf = (link: string): Way => ({
  after(page, { links: [current = link] }) {
    if (!URL.canParse(current, page.url)) return undefined
    const { search } = new URL(current, page.url)
    return search === '' ? undefined : search
  },
})

/** A link that may lead elsewhere: to more of what is shown, where something is. */
const byHint = ({ place }: Fact): Way => ({
  isElsewhere: true,
  after: (_, { hints, unnamed }, { all }) =>
    all > 0 ? referenceIn(factAt([...hints, ...unnamed], place)?.value) : undefined,
})

/** What is not called so: a link as it stands, a token under its own name. */
export const byUnnamed = (fact: Fact): Way =>
  referenceIn(fact.value) === undefined ? byToken(fact, fact.place.at(-1) ?? '') : byHint(fact)

/** Ways to ask for what follows the first page, those that its own words suggest first. */
export function waysAfter({ hints, next, cursors, page, offset, more, isHinted }: PageSigns): {
  readonly suggested: readonly Way[]
  readonly usual: readonly Way[]
} {
  const tokens = [...next, ...cursors]
  const number = page && numberIn(page)
  const pages = number === undefined ? [1, 2] : [number + 1]
  const byPages = (names: readonly string[]) => names.flatMap((name) => pages.map((first) => byPage(name, first)))
  const base = (offset && numberIn(offset)) ?? 0
  const byOffsets = (names: readonly string[]) => names.map((name) => byOffset(name, base))
  return {
    suggested: [
      ...hints.map(byHint),
      ...next.filter(({ value }) => typeof value === 'object').map(byMembers),
      ...tokens.flatMap((fact) =>
        typeof fact.value === 'object'
          ? []
          : parametersFor(fact, parameters.token).map((parameter) => byToken(fact, parameter)),
      ),
      ...(page ? byPages(parametersFor(page, parameters.page)) : []),
      ...(offset ? byOffsets(parametersFor(offset, parameters.offset)) : []),
    ],
    usual:
      more === undefined && !isHinted
        ? []
        : [...byOffsets(parameters.offset), ...byPages(parameters.page), ...parameters.last.map(byLast)],
  }
}

/** A link is a string, or an object with an href as in HAL and JSON:API. */
export function linkAt({ outcome }: Exchange, place: Place): readonly string[] {
  const value = outcome.kind === 'response' && outcome.body.kind === 'json' ? at(outcome.body.value, place) : undefined
  const link = typeof value === 'object' ? at(value, ['href']) : value
  return typeof link === 'string' && link !== '' ? [link] : []
}

/** The parameters of a first page that the link to another leaves out. A token may stand for them, or they are forgotten. */
export function parametersGone(first: string, later: string): readonly string[] {
  const kept = new URL(later).searchParams
  return [...new URL(first).searchParams.keys()].filter((name) => !kept.has(name))
}
