import { openPoint } from '../../../fixtures/contract/open-points.ts'
import type { CheckFacts, Finding, Observation, Verdict } from '../../engine/check/verdict.ts'
import type { Exchange } from '../../engine/http/client/exchange.ts'
import { Inconclusive, unlessInconclusive } from '../../engine/inconclusive.ts'
import { stableValue } from './compare-values.ts'
import { type PinDifference, pinDifference } from './pin-difference.ts'
import { isPinnedBy, type Pin, type Profile } from './profile.ts'
import { isInferred, schemaChanges } from './schema-changes.ts'

/** A place of an observation: an open point in one version, of one operation if it has one. */
export interface Place {
  readonly id: string
  readonly operation?: string | undefined
  readonly version: string
}

export interface Pinning {
  readonly profile: Profile
  /** All places where something is observed. */
  readonly places: readonly Place[]
  readonly isJudged: (place: Place) => boolean
  readonly observations: readonly Observation[]
  /** Observes some places again, without a cache. */
  readonly lookAgain: (isWanted: (place: Place) => boolean) => Promise<readonly Observation[]>
  /** Keeps exchanges for the reports. */
  readonly cite: (exchanges: readonly Exchange[]) => number[]
}

/** The id of the check for a pinned point. */
export const pinnedId = ({ id, operation }: Place): string => ['pinned', id, operation ?? []].flat().join('/')

/** Returns whether something was observed at a place. */
export const isAt = (place: Place) => (other: Place) =>
  other.id === place.id && other.operation === place.operation && other.version === place.version

const narrowness = ({ operation, version }: Pin): number => (operation ? 1 : 0) + (version ? 1 : 0)

/** The pin of a place: the narrowest of several. */
export const pinAt = ({ pins }: Profile, place: Place): Pin | undefined =>
  pins.filter(isPinnedBy(place)).toSorted((a, b) => narrowness(b) - narrowness(a))[0]

/** The check ids of everything that a profile pins. */
export const pinnedIds = (profile: Profile, places: readonly Place[]): readonly string[] => [
  ...new Set(places.filter((place) => isCheck(pinAt(profile, place))).map(pinnedId)),
]

/** The checks of a profile, one for each version. */
export const pinnedChecks = (
  profile: Profile,
  places: readonly Place[],
): readonly (CheckFacts & Pick<Place, 'version'>)[] =>
  places.flatMap((place) => {
    const pin = pinAt(profile, place)
    return isCheck(pin) ? [{ ...factsOf(place, pin), version: place.version }] : []
  })

const isCheck = (pin: Pin | undefined): pin is Pin =>
  [pin?.value, pin?.schema, pin?.envelope].some((one) => one !== undefined)

const factsOf = (place: Place, pin: Pin): CheckFacts => ({
  id: pinnedId(place),
  title:
    pin.says ??
    `${openPoint(place.id)?.question ?? place.id} ${[pin.value ?? 'as its schema says'].flat().join(', or ')}`,
  statements: [place.id],
  level: 'pinned',
  operation: place.operation ?? 'all',
})

/** Names the pin to edit if the change is meant, with the edit as one line. */
function fixFor(pin: Pin, observation: Observation, { pins }: Profile): string {
  const place = `/pins/${pins.indexOf(pin)}`
  const value = stableValue(observation)
  const edit =
    pin.value === undefined || [pin.value].flat().includes(value)
      ? `${place}/schema to what is served now (--pin writes it)`
      : `${place}/value: ${JSON.stringify(pin.value)} → ${JSON.stringify(value)}`
  return `If the change is unintended, undo it. If it is meant, edit the profile at ${edit}.`
}

/**
 * Judges a deployment by a profile: each pinned point gets a verdict. Differences are observed again first, without a
 * cache.
 */
export async function judgePins(pinning: Pinning): Promise<Verdict[]> {
  const { profile, places, observations, lookAgain } = pinning
  const pinned = places.flatMap((place) => {
    const pin = pinAt(profile, place)
    if (!isCheck(pin)) return []
    const seen = observations.find(isAt(place))
    return [{ place, pin, seen, differs: seen && pinDifference(pin, seen) }]
  })
  const differing = pinned
    .filter(({ differs }) => differs && !(differs instanceof Inconclusive))
    .map(({ place }) => place)
  // A place that cannot be observed again is inconclusive.
  const again =
    differing.length > 0 ? await lookAgain((place) => differing.some(isAt(place))).catch(unlessInconclusive([])) : []
  return pinned.map((one) => verdictOn({ ...one, again: again.find(isAt(one.place)) }, pinning))
}

interface Pinned {
  readonly place: Place
  readonly pin: Pin
  readonly seen: Observation | undefined
  readonly differs: PinDifference | Inconclusive | undefined
  /** The second observation. */
  readonly again: Observation | undefined
}

function verdictOn({ place, pin, seen, differs, again }: Pinned, { isJudged, cite, profile }: Pinning): Verdict {
  const base = { check: factsOf(place, pin), version: place.version }
  if (!isJudged(place))
    return { ...base, asked: 0, status: 'not-applicable', reason: `${place.version} was not to be judged (--versions)` }
  if (!seen) {
    const reason = 'nothing to ask: nothing was there to observe it by'
    return { ...base, asked: 0, status: 'inconclusive', reason }
  }
  if (!differs) return { ...base, asked: 1, status: 'pass', ...additions(pin, seen) }
  const found = differs instanceof Inconclusive ? differs : again && pinDifference(pin, again)
  if (found instanceof Inconclusive) return { ...base, asked: 1, status: 'inconclusive', reason: found.message }
  if (!again || !found || stableValue(again) !== stableValue(seen)) {
    const then = again ? stableValue(again) : 'nothing'
    const reason = `unstable: ${stableValue(seen)} was observed first, and then ${then}`
    return { ...base, asked: 1, status: 'inconclusive', reason }
  }
  const exchanges = found.shownBy ? cite([found.shownBy]) : again.evidence
  const fix = fixFor(pin, again, profile)
  const finding: Finding = { expected: found.expected, actual: found.actual, exchanges, fix }
  return { ...base, asked: 1, status: 'fail', reason: found.actual, finding }
}

/** New members break no client: they are reported and fail nothing. */
function additions(pin: Pin, { schema, envelope }: Observation): Pick<Verdict, 'exercised'> {
  const pairs = [
    [pin.schema, schema, 'elements'],
    [pin.envelope, envelope, 'the body around the list'],
  ] as const
  const added = pairs.flatMap(([pinned, seen, where]) =>
    (isInferred(pinned) && isInferred(seen) ? schemaChanges(pinned, seen) : [])
      .filter(({ kind }) => kind === 'added')
      .map(({ at }) => `${at} in ${where}`),
  )
  return added.length === 0 ? {} : { exercised: `as pinned; added: ${added.join(', ')}` }
}
