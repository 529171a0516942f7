import { openPoint } from '../../../fixtures/contract/open-points.ts'
import type { Observation } from '../../engine/check/verdict.ts'
import { stableValue } from './compare-values.ts'
import { isAt, type Place, pinAt } from './pinned.ts'
import type { Pin, Profile } from './profile.ts'

function pinOf(observation: Observation): Pin {
  const { id, operation, version, schema, envelope, alsoFits = [] } = observation
  const value = stableValue(observation)
  return {
    point: id,
    ...(operation !== undefined && { operation }),
    version,
    value: alsoFits.length > 0 ? [value, ...alsoFits] : value,
    says: `${openPoint(id)?.question ?? id} ${[value, ...alsoFits].join(', or ')}.`,
    ...(schema && { schema }),
    ...(envelope && { envelope }),
  }
}

function withoutVersion(pin: Pin): Pin {
  const { version, ...others } = pin
  return version === undefined ? pin : others
}

/** Merges equal pins of several versions. */
function merged(pins: readonly Pin[]): Pin[] {
  const byText = new Map<string, Pin[]>()
  for (const pin of pins) {
    const text = JSON.stringify(withoutVersion(pin))
    byText.set(text, [...(byText.get(text) ?? []), pin])
  }
  const places = (pin: Pin) => pins.filter((one) => one.point === pin.point && one.operation === pin.operation).length
  return [...byText.values()].flatMap((alike) => {
    const [first] = alike
    return first && alike.length > 1 && alike.length === places(first) ? [withoutVersion(first)] : alike
  })
}

/** Pins of places that were not observed this time. */
const keptOf = (before: Profile, places: readonly Place[], observations: readonly Observation[]): Pin[] =>
  places.flatMap((place) => {
    const pin = observations.some(isAt(place)) ? undefined : pinAt(before, place)
    const { id, operation, version } = place
    return pin ? [{ ...pin, point: id, ...(operation !== undefined && { operation }), version }] : []
  })

/** The content that `--pin` writes. */
export interface Pinned {
  readonly profile: Profile
  /** The number of pins that were kept without an observation. */
  readonly kept: number
}

/**
 * Creates a profile that pins everything observed, for people to read and edit. It has no pointers: a moved member is
 * found in its new place, and fails once.
 * @param before the content of the file: pins that this run did not observe are kept
 */
export function profileOf(
  observations: readonly Observation[],
  about: string,
  { before, places }: { readonly before: Profile | undefined; readonly places: readonly Place[] },
): Pinned {
  const kept = merged(before ? keptOf(before, places, observations) : [])
  const pins = [...merged(observations.map(pinOf)), ...kept]
  return { profile: { profileVersion: 1, about, pins }, kept: kept.length }
}
