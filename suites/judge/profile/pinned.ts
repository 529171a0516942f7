import { openPoint } from '../../../fixtures/contract/open-points.ts'
import type { CheckFacts, Finding, Observation, Verdict } from '../../engine/check/verdict.ts'
import type { Exchange } from '../../engine/http/client/exchange.ts'
import { Inconclusive, unlessInconclusive } from '../../engine/inconclusive.ts'
import { plainError } from '../../options/json-file.ts'
import { isPinnedBy, type Pin, type Profile, schemaValidator } from './profile.ts'
import { findWithinDeadline } from './schema-limits.ts'

/** Where something is observed: a point, in one version, of one operation where it has one. */
export interface Place {
  readonly id: string
  readonly operation?: string | undefined
  readonly version: string
}

export interface Pinning {
  readonly profile: Profile
  /** Everywhere that anything is observed. */
  readonly places: readonly Place[]
  readonly isJudged: (place: Place) => boolean
  readonly observations: readonly Observation[]
  /** Looks again at what is wanted, with nothing remembered. */
  readonly lookAgain: (isWanted: (place: Place) => boolean) => Promise<readonly Observation[]>
  /** Keeps exchanges for the reports. */
  readonly cite: (exchanges: readonly Exchange[]) => number[]
}

/** The check that a pinned point becomes. */
export const pinnedId = ({ id, operation }: Place): string => ['pinned', id, operation ?? []].flat().join('/')

/** Whether something is observed at a place. */
export const isAt = (place: Place) => (other: Place) =>
  other.id === place.id && other.operation === place.operation && other.version === place.version

const narrowness = ({ operation, version }: Pin): number => (operation ? 1 : 0) + (version ? 1 : 0)

/** What a profile says of a place: of several pins the narrowest. */
export const pinAt = ({ pins }: Profile, place: Place): Pin | undefined =>
  pins.filter(isPinnedBy(place)).toSorted((a, b) => narrowness(b) - narrowness(a))[0]

/** The check ids of everything that a profile pins. */
export const pinnedIds = (profile: Profile, places: readonly Place[]): readonly string[] => [
  ...new Set(places.filter((place) => isCheck(pinAt(profile, place))).map(pinnedId)),
]

/** The checks that a profile makes, one for each version. */
export const pinnedChecks = (
  profile: Profile,
  places: readonly Place[],
): readonly (CheckFacts & Pick<Place, 'version'>)[] =>
  places.flatMap((place) => {
    const pin = pinAt(profile, place)
    return isCheck(pin) ? [{ ...factsOf(place, pin), version: place.version }] : []
  })

const isCheck = (pin: Pin | undefined): pin is Pin => pin?.value !== undefined || pin?.schema !== undefined

/** Without what is otherwise each time: how often a limit was met, what a search that follows no rule is most like. */
export function stableValue({ id, value }: Pick<Observation, 'id' | 'value'>): string {
  if (id === 'O-RATE') return value.replace(/, waited for \d+ times?/g, '')
  return id === 'O-SEARCH-RULE' ? value.replace(/^unexplained \(.*\)$/, 'unexplained') : value
}

interface Difference {
  readonly expected: string
  readonly actual: string
  /** What shows it, where that is not what the observation cites. */
  readonly shownBy?: Exchange
}

/** The open point and its operation, e.g. `O-UNKNOWN-BREED (listCatsOfBreed)`. */
const placeText = ({ id, operation }: Pick<Observation, 'id' | 'operation'>): string =>
  operation === undefined ? id : `${id} (${operation})`

function differenceInValue({ value }: Pin, observation: Observation): Difference | undefined {
  const allowed = value === undefined ? [] : [value].flat()
  const actual = stableValue(observation)
  if (allowed.length === 0 || allowed.includes(actual)) return undefined
  return { expected: allowed.join(', or '), actual: `${placeText(observation)} is "${actual}", which is not pinned` }
}

const MOST_SHOWN = 200

function differenceInSchema({ schema }: Pin, observation: Observation): Difference | undefined {
  const { instances } = observation
  if (schema === undefined || !instances) return undefined
  const validate = schemaValidator(schema, '')
  const found = findWithinDeadline(instances(), ({ value }) => !validate(value))
  if (!found) return undefined
  const [error] = validate.errors ?? []
  const shown = JSON.stringify(found.value)?.slice(0, MOST_SHOWN) ?? 'nothing'
  const at = error?.instancePath ? ` at ${error.instancePath}` : ''
  return {
    expected: `what the pinned schema describes:${at} it ${error ? plainError(error) : 'must match'}`,
    actual: `${placeText(observation)}: ${shown} does not match the pinned schema`,
    shownBy: found.exchange,
  }
}

/** How an observation differs from its pin; or why it could not be told. */
function difference(pin: Pin, observation: Observation): Difference | Inconclusive | undefined {
  try {
    return differenceInValue(pin, observation) ?? differenceInSchema(pin, observation)
  } catch (error) {
    if (error instanceof Inconclusive) return error
    throw error
  }
}

const factsOf = (place: Place, pin: Pin): CheckFacts => ({
  id: pinnedId(place),
  title:
    pin.says ??
    `${openPoint(place.id)?.question ?? place.id} ${[pin.value ?? 'as its schema says'].flat().join(', or ')}`,
  statements: [place.id],
  level: 'pinned',
  operation: place.operation ?? 'all',
})

/**
 * Holds a deployment to a profile: each pinned point becomes a verdict. What differs is looked at again before it is
 * said, with nothing remembered.
 */
export async function judgePins(pinning: Pinning): Promise<Verdict[]> {
  const { profile, places, observations, lookAgain } = pinning
  const pinned = places.flatMap((place) => {
    const pin = pinAt(profile, place)
    if (!isCheck(pin)) return []
    const seen = observations.find(isAt(place))
    return [{ place, pin, seen, differs: seen && difference(pin, seen) }]
  })
  const differing = pinned
    .filter(({ differs }) => differs && !(differs instanceof Inconclusive))
    .map(({ place }) => place)
  // What cannot be looked at again is not decided.
  const again =
    differing.length > 0 ? await lookAgain((place) => differing.some(isAt(place))).catch(unlessInconclusive([])) : []
  return pinned.map((one) => verdictOn({ ...one, again: again.find(isAt(one.place)) }, pinning))
}

interface Pinned {
  readonly place: Place
  readonly pin: Pin
  readonly seen: Observation | undefined
  readonly differs: Difference | Inconclusive | undefined
  /** What was seen when it was looked at again. */
  readonly again: Observation | undefined
}

function verdictOn({ place, pin, seen, differs, again }: Pinned, { isJudged, cite }: Pinning): Verdict {
  const base = { check: factsOf(place, pin), version: place.version }
  if (!isJudged(place))
    return { ...base, asked: 0, status: 'not-applicable', reason: `${place.version} was not to be judged (--versions)` }
  if (!seen) {
    const reason = 'nothing to ask: nothing was there to observe it by'
    return { ...base, asked: 0, status: 'inconclusive', reason }
  }
  if (!differs) return { ...base, asked: 1, status: 'pass' }
  const found = differs instanceof Inconclusive ? differs : again && difference(pin, again)
  if (found instanceof Inconclusive) return { ...base, asked: 1, status: 'inconclusive', reason: found.message }
  if (!again || !found || stableValue(again) !== stableValue(seen)) {
    const then = again ? stableValue(again) : 'nothing'
    const reason = `unstable: ${stableValue(seen)} was observed first, and then ${then}`
    return { ...base, asked: 1, status: 'inconclusive', reason }
  }
  const exchanges = found.shownBy ? cite([found.shownBy]) : again.evidence
  const finding: Finding = { expected: found.expected, actual: found.actual, exchanges }
  return { ...base, asked: 1, status: 'fail', reason: found.actual, finding }
}
