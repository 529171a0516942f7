import { openPoint } from '../../../fixtures/contract/open-points.ts'
import type { Observation } from '../../engine/judging/verdict.ts'
import { inferSchema } from './element-schema.ts'
import { stableValue } from './pinned.ts'
import type { Pin, Profile } from './profile.ts'

const SCHEMA = 'https://raw.githubusercontent.com/cat-directory/conformance/main/fixtures/contract/profile.schema.json'

function pinOf(observation: Observation): Pin {
  const { id, operation, version, instances } = observation
  const value = stableValue(observation)
  const schema = instances && inferSchema(instances().map((one) => one.value))
  return {
    point: id,
    ...(operation !== undefined && { operation }),
    version,
    value,
    says: `${openPoint(id)?.question ?? id} ${value}.`,
    ...(schema && { schema }),
  }
}

function withoutVersion(pin: Pin): Pin {
  const { version, ...others } = pin
  return version === undefined ? pin : others
}

/** What several versions say alike is said once, for every version. */
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

/**
 * A profile that pins all that was observed; meant to be read, edited and reviewed by people. No pointers: what has moved
 * is to be found where it stands now, and to fail for having moved, once.
 */
export const profileOf = (observations: readonly Observation[], about: string): Profile => ({
  $schema: SCHEMA,
  profileVersion: 1,
  about,
  pins: merged(observations.map(pinOf)),
})
