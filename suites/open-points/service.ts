import type { Directory } from '../directory/facts/directory.ts'
import { targetOf } from '../directory/shared/targets.ts'
import type { Reader, Subject } from '../engine/check/readers.ts'
import type { Exchange } from '../engine/http/client/exchange.ts'
import { answerText, answerTo, errorKind, fieldIn } from './shared/answers.ts'
import { observeOlder, observeVersion } from './shared/observe.ts'

const catsTarget = ({ version }: Directory): string => targetOf('listCats', version)

/** Longer than most services accept, and sent anyway. */
const VERY_LONG = 'a'.repeat(1024)
const MALFORMED = '%zz'

const unknownRoute = ({ version, controlName }: Directory): Subject<Exchange> =>
  answerTo(`/${version}/${controlName()}`, { follow: true })

/** Requests that most deployments refuse, each in its own way; all but the unknown path are sent anyway. */
function refusable(directory: Directory): readonly Subject<unknown>[] {
  const { catsOf, lives, search, raw, controlName } = directory
  const nobody = controlName()
  return [
    catsOf(nobody),
    lives(nobody),
    search(nobody),
    search(''),
    raw.query(''),
    raw.search(MALFORMED),
    raw.catsOf(MALFORMED),
    search(VERY_LONG),
    catsOf(VERY_LONG),
    unknownRoute(directory),
  ]
}

async function answersOf(subjects: readonly Subject<unknown>[], { read, evidence }: Reader): Promise<Exchange[]> {
  await Promise.allSettled(subjects.map(read))
  return subjects.flatMap((subject) => evidence(subject).slice(0, 1))
}

/** The methods of an Allow field, in one order. */
const allowed = (exchange: Exchange): string =>
  (fieldIn(exchange, 'allow') ?? '')
    .split(',')
    .map((method) => method.trim().toUpperCase())
    .filter(Boolean)
    .sort()
    .join(', ')

const methodText = (exchange: Exchange): string => {
  const { outcome } = exchange
  const said = outcome.kind === 'fault' ? 'no answer' : String(outcome.status)
  const allow = allowed(exchange)
  return allow === '' ? said : `${said} (Allow: ${allow})`
}

/** Like `answerText`, but a single word for the list: a page with status 200 for everything is not. */
const slashText = (exchange: Exchange): string => {
  const { outcome } = exchange
  const isServed = outcome.kind === 'response' && outcome.status < 300 && outcome.body.kind === 'json'
  return isServed ? 'served' : answerText(exchange)
}

export const ofService = [
  observeVersion('O-UNKNOWN-ROUTE', async ({ target: { directory }, readings }) => {
    const subject = unknownRoute(directory)
    return { value: answerText(await readings.read(subject)), shownBy: [subject] }
  }),

  observeVersion('O-ERROR-BODY', async ({ target: { directory }, readings }) => {
    const subjects = refusable(directory)
    const kinds = (await answersOf(subjects, readings)).flatMap((exchange) => errorKind(exchange) ?? [])
    if (kinds.length === 0) return undefined
    return { value: [...new Set(kinds)].sort().join(', '), shownBy: subjects }
  }),

  observeVersion('O-METHODS', async ({ target: { directory }, read }) => {
    const target = catsTarget(directory)
    const asked = [answerTo(target, { method: 'HEAD', follow: true }), answerTo(target, { method: 'OPTIONS' })]
    const [head, options] = await Promise.all(asked.map(read))
    return head && options && { value: `HEAD ${methodText(head)}; OPTIONS ${methodText(options)}`, shownBy: asked }
  }),

  observeVersion('O-SLASH', async ({ target: { directory }, readings }) => {
    const target = catsTarget(directory)
    const asked = [answerTo(`${target}/`), answerTo(target.replace(/\/(?=[^/]*$)/, '//'))]
    const [trailing, doubled] = await Promise.all(asked.map(readings.read))
    await readings.read(directory.cats)
    const isMoved = readings.evidence(directory.cats)[0]?.redirectedFrom.length !== 0
    if (!trailing || !doubled) return undefined
    const texts = [`trailing: ${slashText(trailing)}`, `doubled: ${slashText(doubled)}`]
    return { value: [...(isMoved ? ['without: redirected'] : []), ...texts].join('; '), shownBy: asked }
  }),

  observeOlder('O-V2-DEPRECATION', async ({ target: { directory }, readings }) => {
    await readings.read(directory.cats)
    const [exchange] = readings.evidence(directory.cats)
    if (!exchange) return undefined
    const fields = ['Deprecation', 'Sunset'].flatMap((name) => {
      const value = fieldIn(exchange, name.toLowerCase())
      return value === undefined ? [] : [`${name}: ${value}`]
    })
    return { value: fields.join('; ') || 'absent', shownBy: [directory.cats] }
  }),
]
