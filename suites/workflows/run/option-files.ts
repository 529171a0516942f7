import { dirname, join, relative, resolve } from 'node:path'
import { isSea } from 'node:sea'
import type { Report } from '../../../reports/report/report.ts'
import { formatCount } from '../../../reports/text/wording.ts'
import type { RunResult } from '../../engine/check/verdict.ts'
import { catalogue } from '../../judge/catalogue.ts'
import { createProfile } from '../../judge/profile/pin.ts'
import { pinnedCheckIdOf, pinnedCheckIdsOf } from '../../judge/profile/pinned.ts'
import { type Profile, readProfile } from '../../judge/profile/profile.ts'
import { observableOpenPoints } from '../../open-points/index.ts'
import { isNonEmptyFile, writeOptionFile } from '../../options/files/files.ts'
import type { Options } from '../../options/options.ts'
import { isUrl } from '../../options/values.ts'
import { createBaseline } from '../baseline/gate.ts'
import { type KnownViolations, mergeBaselines, readBaseline } from '../baseline/known.ts'
import { type ComparedSide, createSideOfReport } from '../compare/comparison.ts'
import { refuseUnknownSelection } from '../lookup/explain.ts'
import { readSavedReport } from '../report/saved-report.ts'
import { findPackageFolder } from '../report/suite-package.ts'

/** The options that name files to read or to write. */
type FilePathOptions = Pick<Options, 'only' | 'profileFile' | 'pinFile' | 'knownFile' | 'writeKnownFile' | 'against'>

/** The contents of the files that the run reads. */
interface InputFileContents {
  readonly profile?: Profile
  readonly known?: KnownViolations
  /** The entries that `--write-known` keeps: those of `--known`, and those of the file that it overwrites. */
  readonly previousBaseline?: KnownViolations
  /** The current content of the file of `--pin`, which will be overwritten. */
  readonly previousProfile?: Profile
  /** The saved report with which the deployment is compared. */
  readonly savedSide?: ComparedSide
}

/** Lists all checks with their versions, including the checks that a profile adds. */
function listAllChecks(profile: Profile | undefined) {
  const pinned = profile ? pinnedCheckIdsOf(profile, observableOpenPoints) : []
  const scopesOf = (id: string) =>
    observableOpenPoints.filter((place) => pinnedCheckIdOf(place) === id).map((one) => one.version)
  return [...catalogue, ...pinned.map((id) => ({ id, scopes: scopesOf(id) }))]
}

/** Reads all input files that the options name. */
export async function readInputFiles(options: FilePathOptions): Promise<InputFileContents> {
  const { only, profileFile, pinFile, knownFile, against } = options
  const profile = profileFile === undefined ? undefined : await readProfile(profileFile, '--profile')
  refuseUnknownSelection(only, profile)
  const known = knownFile === undefined ? undefined : await readBaseline(knownFile, '--known', listAllChecks(profile))
  const previousBaseline = await readPreviousBaseline(options, known, profile)
  const hasOldProfile = pinFile !== undefined && (await isNonEmptyFile(pinFile))
  const previousProfile = hasOldProfile ? await readProfile(pinFile, '--pin') : undefined
  const savedSide =
    against === undefined || isUrl(against)
      ? undefined
      : createSideOfReport(await readSavedReport(against, '--against', 'the URL of a deployment, or a report.json'))
  return {
    ...(profile && { profile }),
    ...(known && { known }),
    ...(previousBaseline && { previousBaseline }),
    ...(previousProfile && { previousProfile }),
    ...(savedSide && { savedSide }),
  }
}

/**
 * Returns the entries that `--write-known` keeps: those of `--known` and those of the file that it overwrites. Returns
 * undefined if neither option has a baseline.
 */
async function readPreviousBaseline({ writeKnownFile }: FilePathOptions, known?: KnownViolations, profile?: Profile) {
  if (writeKnownFile === undefined || !(await isNonEmptyFile(writeKnownFile))) return known
  const written = await readBaseline(writeKnownFile, '--write-known', listAllChecks(profile))
  return known ? mergeBaselines(known, written) : written
}

/**
 * Formats the content of a JSON file. Adds a `$schema` for editors with the path of the schema in this package, because
 * the schema has no URL. The single executable contains no schema.
 */
function formatWithSchema(content: { readonly $schema?: string }, file: string, schema: string): string {
  if (isSea()) return `${JSON.stringify(content, null, 2)}\n`
  const path = relative(dirname(resolve(file)), join(findPackageFolder(), 'fixtures', 'contract', schema))
  const $schema = path.replaceAll('\\', '/')
  return `${JSON.stringify(Object.assign({ $schema }, content, { $schema }), null, 2)}\n`
}

/**
 * Lists the open points of the contract that are pinned without a schema for their elements, to warn the user that the
 * members of the elements are not pinned.
 */
const listUnpinnedElements = ({ observations }: RunResult): readonly string[] =>
  observations
    .filter(({ instances, schema }) => instances && !schema)
    .map(({ id, operation, version }) => {
      const place = [id, operation ?? [], version].flat().join(' ')
      return `${place} is pinned without a schema, because no response has an element to infer a schema from`
    })

/** Writes the files of `--pin` and `--write-known`. Returns lines about the files, for the user. */
export async function writeRequestedFiles(
  { pinFile, writeKnownFile }: FilePathOptions,
  { previousBaseline, previousProfile }: InputFileContents,
  result: RunResult,
  { suite, target, startedAt }: Report,
): Promise<readonly string[]> {
  const written: string[] = []
  if (pinFile !== undefined && result.observations.length === 0)
    written.push(`no choice was observed, so ${pinFile} was not changed`)
  else if (pinFile !== undefined) {
    const of = target.embedded ? 'the embedded reference service' : target.baseUrl
    const about = `Written by ${suite.name} ${suite.version} from the responses of ${of} on ${startedAt.slice(0, 10)}. Remove the pins of choices that may change.`
    const { profile, kept } = createProfile(result.observations, about, {
      before: previousProfile,
      places: observableOpenPoints,
    })
    await writeOptionFile(pinFile, formatWithSchema(profile, pinFile, 'profile.schema.json'), '--pin')
    const keptNote =
      kept > 0 ? `; ${kept} of these pins are unchanged, because this run did not observe their open points` : ''
    written.push(
      `${formatCount(profile.pins.length, 'choice')} pinned in ${pinFile}${keptNote}`,
      ...listUnpinnedElements(result),
    )
  }
  if (writeKnownFile !== undefined) {
    const file = createBaseline(result, previousBaseline)
    await writeOptionFile(writeKnownFile, formatWithSchema(file, writeKnownFile, 'known.schema.json'), '--write-known')
    written.push(`${formatCount(file.violations.length, 'known violation')} in ${writeKnownFile}`)
  }
  return written
}
