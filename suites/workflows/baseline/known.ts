import knownSchema from '../../../fixtures/contract/known.schema.json' with { type: 'json' }
import type { Verdict } from '../../engine/check/verdict.ts'
import { createJsonParser, JsonFileError, readJsonFile } from '../../options/files/json-file.ts'

/**
 * An entry of a baseline: the failing check, the reason why its defect is not corrected yet, and the issue about it.
 */
export interface KnownViolation {
  readonly check: string
  readonly version: string
  /**
   * The defect as text: the baseline entry covers no other defect of this check. If undefined, it covers any defect of
   * the check.
   */
  readonly cause?: string
  readonly reason: string
  readonly issue?: string
  /** The last day on which the baseline entry is valid. */
  readonly expires?: string
}

/** The content of a baseline file. */
export interface KnownViolations {
  readonly $schema?: string
  readonly knownVersion: 1
  readonly violations: readonly KnownViolation[]
}

/** The text that `--write-known` writes where people are to write a reason. */
export const PLACEHOLDER_REASON = 'Write here why this violation is not fixed yet.'

export const hasPlaceholderReason = ({ reason }: Pick<KnownViolation, 'reason'>): boolean =>
  reason.trim() === PLACEHOLDER_REASON

export const BASELINE_FORMAT_TEXT = 'a file of known violations in the format that --write-known writes'
const parseBaselineJson = createJsonParser<KnownViolations>(knownSchema, BASELINE_FORMAT_TEXT)

const isCalendarDate = (text: string): boolean => {
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/**
 * Parses the text of a baseline file.
 * @param checks all checks, each with the versions that it tests
 * @throws {JsonFileError} if the text is invalid, or names an unknown check or version
 */
export function parseBaseline(
  text: string,
  checks: readonly { readonly id: string; readonly scopes: readonly string[] }[],
): KnownViolations {
  const known = parseBaselineJson(text)
  known.violations.forEach(({ check, version, cause, expires }, index) => {
    const at = `/violations/${index}`
    const entryCheck = checks.find(({ id }) => id === check)
    if (!entryCheck)
      throw new JsonFileError(`${at}/check`, `no check is called ${check}.`, 'allowed: an id that --list shows')
    if (!entryCheck.scopes.includes(version))
      throw new JsonFileError(
        `${at}/version`,
        `${check} does not test ${version}.`,
        `allowed: ${entryCheck.scopes.join(', ')}`,
      )
    if (expires !== undefined && !isCalendarDate(expires))
      throw new JsonFileError(`${at}/expires`, `${expires} is not a date.`, 'allowed: a date such as 2027-01-31')
    const other = known.violations.findIndex(
      (two) => two.check === check && two.version === version && two.cause === cause,
    )
    if (other < index)
      throw new JsonFileError(
        at,
        'the file already has an entry for this violation.',
        `remove this entry, or the one at /violations/${other}`,
      )
  })
  return known
}

/**
 * Reads a baseline file.
 * @throws {UsageError} if its content is invalid; with `--known` also if a reason is still the placeholder
 */
export const readBaseline = (
  path: string,
  flag: '--known' | '--write-known',
  checks: Parameters<typeof parseBaseline>[1],
): Promise<KnownViolations> =>
  readJsonFile(path, flag, BASELINE_FORMAT_TEXT, (text) => {
    const known = parseBaseline(text, checks)
    // With `--write-known`, the reasons in the file may not be written yet.
    if (flag === '--known') refusePlaceholders(known)
    return known
  })

/** @throws {JsonFileError} if the reason of an entry is still the placeholder */
export function refusePlaceholders({ violations }: KnownViolations): void {
  const index = violations.findIndex(hasPlaceholderReason)
  const one = violations[index]
  if (one === undefined) return
  const what = `the reason of ${one.check} (${one.version}) is still the placeholder.`
  throw new JsonFileError(`/violations/${index}/reason`, what, 'write in a sentence why the violation is not fixed yet')
}

/** Merges two baselines. If both have an entry for the same defect, uses the one of the first. */
export function mergeBaselines(first: KnownViolations, second: KnownViolations): KnownViolations {
  const isInFirst = ({ check, version, cause }: KnownViolation) =>
    first.violations.some(
      (one) =>
        one.check === check &&
        one.version === version &&
        (one.cause === cause || one.cause === undefined || cause === undefined),
    )
  return {
    ...second,
    ...first,
    violations: [...first.violations, ...second.violations.filter((one) => !isInFirst(one))],
  }
}

const MAX_DEFECT_CHARACTERS = 160

/**
 * Returns a text about the defect of a verdict that is the same in each run: names, counts and other parts that depend
 * on the tested inputs are removed.
 */
export function defectTextOf({ finding, reason = '' }: Pick<Verdict, 'finding' | 'reason'>): string {
  const [first = ''] = (finding?.actual ?? reason).split(/ \(\d+ of \d+ | and \d+ (?:more|other)| \(\d+ cats affected/)
  return first
    .replace(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replace(/(status )?\b\d+(\.\d+)?\b/g, (number, status: string | undefined) => (status ? number : 'N'))
    .slice(0, MAX_DEFECT_CHARACTERS)
    .trim()
}
