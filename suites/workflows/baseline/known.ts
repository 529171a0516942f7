import knownSchema from '../../../fixtures/contract/known.schema.json' with { type: 'json' }
import type { Verdict } from '../../engine/check/verdict.ts'
import { JsonFileError, parserBy, readJsonFile } from '../../options/files/json-file.ts'

/** A violation that is known: what is broken, why it is not mended yet, and where that is told. */
export interface KnownViolation {
  readonly check: string
  readonly version: string
  /** What is wrong; broken in another way, the check fails. Any will do where it is left out. */
  readonly cause?: string
  readonly reason: string
  readonly issue?: string
  /** The last day on which it is an excuse. */
  readonly expires?: string
}

export interface KnownViolations {
  readonly $schema?: string
  readonly knownVersion: 1
  readonly violations: readonly KnownViolation[]
}

/** What `--write-known` writes where a person must give the reason. */
export const PLACEHOLDER_REASON = 'Say here why this is not mended yet.'

export const hasPlaceholder = ({ reason }: Pick<KnownViolation, 'reason'>): boolean =>
  reason.trim() === PLACEHOLDER_REASON

const expected = 'a file of known violations, as --write-known writes it'
const parsed = parserBy<KnownViolations>(knownSchema, expected)

const isDay = (text: string): boolean => {
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/**
 * Reads known violations.
 * @param checks the checks there are, each with its versions
 * @throws {JsonFileError} when the text is no such file, names a check that there is not, or says one thing twice
 */
export function parseKnown(
  text: string,
  checks: readonly { readonly id: string; readonly scopes: readonly string[] }[],
) {
  const known = parsed(text)
  known.violations.forEach(({ check, version, cause, expires }, index) => {
    const at = `/violations/${index}`
    const one = checks.find(({ id }) => id === check)
    if (!one) throw new JsonFileError(`${at}/check`, `no check is called ${check}.`, 'allowed: an id that --list shows')
    if (!one.scopes.includes(version))
      throw new JsonFileError(`${at}/version`, `${check} is not about ${version}.`, `allowed: ${one.scopes.join(', ')}`)
    if (expires !== undefined && !isDay(expires))
      throw new JsonFileError(`${at}/expires`, `there is no such day as ${expires}.`, 'allowed: a day, as 2027-01-31')
    const other = known.violations.findIndex(
      (two) => two.check === check && two.version === version && two.cause === cause,
    )
    if (other < index) throw new JsonFileError(at, 'it is known already.', `one is at /violations/${other}`)
  })
  return known
}

/**
 * Reads a file of known violations.
 * @param flag that names it
 * @throws {UsageError} with the place, and what is allowed there, when it is none
 */
export const readKnown = (
  path: string,
  flag: '--known' | '--write-known',
  checks: Parameters<typeof parseKnown>[1],
): Promise<KnownViolations> =>
  readJsonFile(path, flag, expected, (text) => {
    const known = parseKnown(text, checks)
    // The file that `--write-known` writes again may hold entries that nobody has looked at yet.
    if (flag === '--known') refusePlaceholders(known)
    return known
  })

function refusePlaceholders({ violations }: KnownViolations): void {
  const index = violations.findIndex(hasPlaceholder)
  const one = violations[index]
  if (one === undefined) return
  const what = `the reason of ${one.check} (${one.version}) is still the placeholder.`
  throw new JsonFileError(`/violations/${index}/reason`, what, 'allowed: why this is not mended yet, in a sentence')
}

/** What is known by either of two files; where both tell of one violation, the first has the word. */
export function knownByEither(first: KnownViolations, second: KnownViolations): KnownViolations {
  const isTold = ({ check, version, cause }: KnownViolation) =>
    first.violations.some(
      (one) =>
        one.check === check &&
        one.version === version &&
        (one.cause === cause || one.cause === undefined || cause === undefined),
    )
  return { ...second, ...first, violations: [...first.violations, ...second.violations.filter((one) => !isTold(one))] }
}

const LONGEST = 160

/**
 * What is wrong, the same for the same defect whatever input showed it: without names, counts and what else the seed
 * decides.
 */
export function causeOf({ finding, reason = '' }: Pick<Verdict, 'finding' | 'reason'>): string {
  const [first = ''] = (finding?.actual ?? reason).split(/ \(\d+ of \d+ | and \d+ (?:more|other)| \(\d+ cats affected/)
  return first
    .replace(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replace(/(status )?\b\d+(\.\d+)?\b/g, (number, status: string | undefined) => (status ? number : 'N'))
    .slice(0, LONGEST)
    .trim()
}
