import { findOpenPoint } from '../../../fixtures/contract/open-points.ts'
import { groupBy } from '../../../reports/text/group-by.ts'
import type { Observation } from '../../engine/check/verdict.ts'
import type { ObservedOpenPoint } from '../../open-points/index.ts'
import { ENVIRONMENT_OPEN_POINTS, removeVaryingParts } from './compare-values.ts'
import { findPin, isSameOpenPoint } from './pinned.ts'
import type { Pin, Profile } from './profile.ts'

/** Creates the pin that requires the observed choice. */
export function createPin(observation: Observation): Pin {
  const { id, operation, version, schema, envelope, alsoFits = [] } = observation
  const value = removeVaryingParts(observation)
  return {
    point: id,
    ...(operation !== undefined && { operation }),
    version,
    value: alsoFits.length > 0 ? [value, ...alsoFits] : value,
    says: `${findOpenPoint(id)?.question ?? id} ${[value, ...alsoFits].join(', or ')}.`,
    ...(schema && { schema }),
    ...(envelope && { envelope }),
  }
}

function removeVersion(pin: Pin): Pin {
  const { version, ...others } = pin
  return version === undefined ? pin : others
}

/** Merges pins that are equal in all versions into one pin without a version. */
function mergePins(pins: readonly Pin[]): Pin[] {
  const byText = groupBy(pins, (pin) => JSON.stringify(removeVersion(pin)))
  const countVersions = (pin: Pin) =>
    pins.filter((one) => one.point === pin.point && one.operation === pin.operation).length
  return [...byText.values()].flatMap((equalPins) => {
    const [first] = equalPins
    return equalPins.length > 1 && equalPins.length === countVersions(first) ? [removeVersion(first)] : equalPins
  })
}

/**
 * Returns whether a value may differ between environments with the same release, e.g. TLS in production and in a test.
 */
const isOfEnvironment = ({ id, value }: Observation): boolean =>
  ENVIRONMENT_OPEN_POINTS.includes(id) && (id !== 'O-AUTH' || value === 'not configured')

/** Returns the pins of the old profile for which this run has no observation. */
const keepUnobservedPins = (
  before: Profile,
  places: readonly ObservedOpenPoint[],
  observations: readonly Observation[],
): Pin[] =>
  places.flatMap((place) => {
    const pin = observations.some(isSameOpenPoint(place)) ? undefined : findPin(before, place)
    const { id, operation, version } = place
    return pin ? [{ ...pin, point: id, ...(operation !== undefined && { operation }), version }] : []
  })

/**
 * Creates a profile that pins every observed choice of the service, for people to read and edit. The pins of observed
 * choices contain no JSON Pointers of lists or names: if a member is moved, the run still finds it, and only the check of
 * that pin fails.
 * @param before the current profile in the file; its pins that this run did not observe are kept
 * @param places the open points that this run could observe
 * @returns the profile, and the number of pins that were kept
 */
export function createProfile(
  observations: readonly Observation[],
  about: string,
  { before, places }: { readonly before: Profile | undefined; readonly places: readonly ObservedOpenPoint[] },
): { readonly profile: Profile; readonly kept: number } {
  const kept = mergePins(before ? keepUnobservedPins(before, places, observations) : [])
  const isPinned = (one: Observation) => !isOfEnvironment(one) || (before && findPin(before, one)) !== undefined
  const pins = [...mergePins(observations.filter(isPinned).map(createPin)), ...kept]
  return { profile: { profileVersion: 1, about, pins }, kept: kept.length }
}
