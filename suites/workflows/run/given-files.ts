import { dirname, join, relative, resolve } from 'node:path'
import type { Report } from '../../../reports/report/report.ts'
import { counted } from '../../../reports/text/wording.ts'
import type { RunResult } from '../../engine/check/verdict.ts'
import { catalogue } from '../../judge/catalogue.ts'
import { observedPlaces } from '../../judge/judge.ts'
import { profileOf } from '../../judge/profile/pin.ts'
import { pinnedId, pinnedIds } from '../../judge/profile/pinned.ts'
import { type Profile, readProfile } from '../../judge/profile/profile.ts'
import { holdsSomething, writeGiven } from '../../options/files/files.ts'
import type { Options } from '../../options/options.ts'
import { isUrl } from '../../options/values.ts'
import { knownOf } from '../baseline/gate.ts'
import { type KnownViolations, knownByEither, readKnown } from '../baseline/known.ts'
import type { Side } from '../compare/comparison.ts'
import { readSaved } from '../compare/saved.ts'
import { refuseUnknownChecks } from '../lookup/explain.ts'
import { packageFolder } from '../report/home.ts'

type FileOptions = Pick<Options, 'only' | 'profileFile' | 'pinFile' | 'knownFile' | 'writeKnownFile' | 'against'>

/** The contents of the files of the options. */
export interface GivenFiles {
  readonly profile?: Profile
  readonly known?: KnownViolations
  /** The baseline that will be rewritten. */
  readonly knownBefore?: KnownViolations
  /** The profile that will be rewritten. */
  readonly pinnedBefore?: Profile
  /** The saved report to compare with. */
  readonly saved?: Side
}

/** All checks with their versions, including those of a profile. */
function allChecks(profile: Profile | undefined) {
  const pinned = profile ? pinnedIds(profile, observedPlaces) : []
  const scopesOf = (id: string) => observedPlaces.filter((place) => pinnedId(place) === id).map((one) => one.version)
  return [...catalogue, ...pinned.map((id) => ({ id, scopes: scopesOf(id) }))]
}

/**
 * Reads the files of the options.
 * @throws {UsageError} if one is invalid or names something unknown
 */
export async function readGivenFiles(options: FileOptions): Promise<GivenFiles> {
  const { only, profileFile, pinFile, knownFile, against } = options
  const profile = profileFile === undefined ? undefined : await readProfile(profileFile, '--profile')
  refuseUnknownChecks(only ?? [], profile && pinnedIds(profile, observedPlaces))
  const known = knownFile === undefined ? undefined : await readKnown(knownFile, '--known', allChecks(profile))
  const knownBefore = await knownBeforeOf(options, known, profile)
  const isPinned = pinFile !== undefined && (await holdsSomething(pinFile))
  const pinnedBefore = isPinned ? await readProfile(pinFile, '--pin') : undefined
  const saved = against === undefined || isUrl(against) ? undefined : await readSaved(against)
  return {
    ...(profile && { profile }),
    ...(known && { known }),
    ...(knownBefore && { knownBefore }),
    ...(pinnedBefore && { pinnedBefore }),
    ...(saved && { saved }),
  }
}

async function knownBeforeOf({ writeKnownFile }: FileOptions, known?: KnownViolations, profile?: Profile) {
  if (writeKnownFile === undefined || !(await holdsSomething(writeKnownFile))) return known
  const written = await readKnown(writeKnownFile, '--write-known', allChecks(profile))
  return known ? knownByEither(known, written) : written
}

/** A JSON file with a `$schema` for editors. The path is relative to this package, which is not published. */
function withSchema({ $schema: _, ...rest }: { readonly $schema?: string }, file: string, schema: string): string {
  const path = relative(dirname(resolve(file)), join(packageFolder(), 'fixtures', 'contract', schema))
  const $schema = path.replaceAll('\\', '/')
  return `${JSON.stringify({ $schema, ...rest }, null, 2)}\n`
}

/** Names the lists whose elements a profile cannot pin, so that they are not mistaken for pinned ones. */
const withoutSchema = ({ observations }: RunResult): readonly string[] =>
  observations
    .filter(({ instances, schema }) => instances && !schema)
    .map(({ id, operation, version }) => {
      const place = [id, operation ?? [], version].flat().join(' ')
      return `${place} is pinned without a schema: no element was seen that one could be inferred from`
    })

/**
 * Writes the files of the options.
 * @returns a line about each file
 */
export async function writeGivenFiles(
  { pinFile, writeKnownFile }: FileOptions,
  { knownBefore, pinnedBefore }: GivenFiles,
  result: RunResult,
  { suite, target, startedAt }: Report,
): Promise<readonly string[]> {
  const written: string[] = []
  if (pinFile !== undefined && result.observations.length === 0)
    written.push(`nothing was observed: nothing is pinned, and ${pinFile} stays as it was`)
  else if (pinFile !== undefined) {
    const of = target.embedded ? 'the embedded reference service' : target.baseUrl
    const about = `Written by ${suite.name} ${suite.version} from what ${of} answered on ${startedAt.slice(0, 10)}. Take out what may change.`
    const { profile, kept } = profileOf(result.observations, about, { before: pinnedBefore, places: observedPlaces })
    await writeGiven(pinFile, withSchema(profile, pinFile, 'profile.schema.json'), '--pin')
    const still = kept > 0 ? `; ${kept} of them as before, for this run observed nothing there` : ''
    written.push(`${counted(profile.pins.length, 'choice')} pinned in ${pinFile}${still}`, ...withoutSchema(result))
  }
  if (writeKnownFile !== undefined) {
    const file = knownOf(result, knownBefore)
    await writeGiven(writeKnownFile, withSchema(file, writeKnownFile, 'known.schema.json'), '--write-known')
    written.push(`${counted(file.violations.length, 'known violation')} in ${writeKnownFile}`)
  }
  return written
}
