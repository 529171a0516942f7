import { findOpenPoint } from '../../../fixtures/contract/open-points.ts'
import type { CauseTraits, CheckFacts, Finding, Observation, Verdict } from '../../engine/check/verdict.ts'
import type { Exchange } from '../../engine/http/client/exchange.ts'
import { createInconclusiveStatus, Inconclusive, resolveInconclusiveTo } from '../../engine/inconclusive.ts'
import type { ObservedOpenPoint } from '../../open-points/index.ts'
import { concernsAllLists, removeVaryingParts } from './compare-values.ts'
import { findPinDifference, type PinDifference } from './pin-difference.ts'
import { createPinFilter, type Pin, type Profile } from './profile.ts'
import { findSchemaChanges, isInferredSchema } from './schema-changes.ts'

/** The profile, the observations to compare with it, and functions that `judgePinnedPoints` calls. */
interface PinJudgingOptions {
  readonly profile: Profile
  /** All open points that this run can observe. */
  readonly places: readonly ObservedOpenPoint[]
  /** Returns whether the version of an open point is tested in this run. */
  readonly isJudged: (place: ObservedOpenPoint) => boolean
  readonly observations: readonly Observation[]
  /** Observes the wanted open points again, with an empty cache. */
  readonly observeAgain: (isWanted: (place: ObservedOpenPoint) => boolean) => Promise<readonly Observation[]>
  /** Adds exchanges to the report, and returns their ids. */
  readonly cite: (exchanges: readonly Exchange[]) => number[]
}

/** Returns the id of the check of a pinned open point, e.g. `pinned/O-LIST-SHAPE/listCats`. */
export const pinnedCheckIdOf = ({ id, operation }: ObservedOpenPoint): string =>
  ['pinned', id, operation ?? []].flat().join('/')

/** Creates a function that returns whether another open point is the same, in the same operation and version. */
export const isSameOpenPoint = (place: ObservedOpenPoint) => (other: ObservedOpenPoint) =>
  other.id === place.id && other.operation === place.operation && other.version === place.version

const specificityOf = ({ operation, version }: Pin): number => (operation ? 1 : 0) + (version ? 1 : 0)

/** Finds the pin for an open point. Of several pins, chooses the one that names both or one of operation and version. */
export const findPin = ({ pins }: Profile, place: ObservedOpenPoint): Pin | undefined =>
  pins.filter(createPinFilter(place)).toSorted((a, b) => specificityOf(b) - specificityOf(a))[0]

/** Returns the ids of the checks of all pinned open points. */
export const pinnedCheckIdsOf = (profile: Profile, places: readonly ObservedOpenPoint[]): readonly string[] => [
  ...new Set(places.filter((place) => isPinWithCheck(findPin(profile, place))).map(pinnedCheckIdOf)),
]

/** Creates the facts about the checks of a profile: one for each pinned open point, operation and version. */
export const createPinnedChecks = (
  profile: Profile,
  places: readonly ObservedOpenPoint[],
): readonly (CheckFacts & Pick<ObservedOpenPoint, 'version'>)[] =>
  places.flatMap((place) => {
    const pin = findPin(profile, place)
    return isPinWithCheck(pin) ? [{ ...createCheckFacts(place, pin), version: place.version }] : []
  })

/** Returns whether a pin requires a choice. A pin with only JSON Pointers does not: it says where the names are. */
const isPinWithCheck = (pin: Pin | undefined): pin is Pin =>
  [pin?.value, pin?.schema, pin?.envelope].some((one) => one !== undefined)

const createCheckFacts = (place: ObservedOpenPoint, pin: Pin): CheckFacts => ({
  id: pinnedCheckIdOf(place),
  title:
    pin.says ??
    `${findOpenPoint(place.id)?.question ?? place.id} ${[pin.value ?? 'as its schema says'].flat().join(', or ')}`,
  statements: [place.id],
  level: 'pinned',
  operation: place.operation ?? 'all',
})

/** The JSON Pointers of the pins to edit in the profile, by the edit, e.g. `"none" → "Link rel=next"`. */
type PinEdits = ReadonlyMap<string, readonly string[]>

/** Describes the correction: undo the change, or edit all pins that contradict it. */
function describeFix(edits: PinEdits): string {
  const places = [...edits].map(([edit, pins]) => `at ${[...new Set(pins)].join(', ')}: ${edit}`).join('; ')
  return `If the change is unintended, undo it. If the change is intended, edit the profile ${places} (or write the profile again with --pin).`
}

/**
 * Gives a verdict on each pinned open point. Observes differences again, with an empty cache, before they are reported.
 */
export async function judgePinnedPoints(pinning: PinJudgingOptions): Promise<Verdict[]> {
  const { profile, places, observations, observeAgain } = pinning
  const pinned = places.flatMap((place) => {
    const pin = findPin(profile, place)
    if (!isPinWithCheck(pin)) return []
    const seen = observations.find(isSameOpenPoint(place))
    return [{ place, pin, seen, differs: seen && findPinDifference(pin, seen) }]
  })
  const differing = pinned
    .filter(({ differs }) => differs && !(differs instanceof Inconclusive))
    .map(({ place }) => place)
  // An open point that cannot be observed again becomes inconclusive; the others are still judged.
  const again =
    differing.length > 0
      ? await observeAgain((place) => differing.some(isSameOpenPoint(place))).catch(resolveInconclusiveTo([]))
      : []
  const results = pinned.map((one): PinResult => {
    const observedAgain = again.find(isSameOpenPoint(one.place))
    const found =
      one.differs instanceof Inconclusive ? one.differs : observedAgain && findPinDifference(one.pin, observedAgain)
    return { ...one, observedAgain, found }
  })
  const editsByCause = groupEdits(results, profile)
  return results.map((one) => createPinVerdict(one, editsByCause, pinning))
}

/** A pinned open point, and how its observations differ from the pin. */
interface PinResult {
  readonly place: ObservedOpenPoint
  readonly pin: Pin
  /** The observation of the run. */
  readonly seen: Observation | undefined
  /** The difference that the observation of the run shows, if there is one. */
  readonly differs: PinDifference | Inconclusive | undefined
  readonly observedAgain: Observation | undefined
  /** The difference that the repeated observation shows, if there is one. */
  readonly found: PinDifference | Inconclusive | undefined
}

/** Groups the edits of pins by the cause of the change that contradicts these pins. */
function groupEdits(results: readonly PinResult[], { pins }: Profile): ReadonlyMap<string, PinEdits> {
  const editsByCause = new Map<string, Map<string, string[]>>()
  for (const { pin, differs, found } of results)
    if (differs && found && !(found instanceof Inconclusive)) {
      const cause = causeOf(pin, found)
      const edits = editsByCause.get(cause) ?? new Map<string, string[]>()
      const pointer = `/pins/${pins.indexOf(pin)}/${found.key}`
      editsByCause.set(cause, edits.set(found.change, [...(edits.get(found.change) ?? []), pointer]))
    }
  return editsByCause
}

/** Returns a text that is equal for the same change of one open point, in all operations and versions. */
const causeOf = ({ point }: Pin, { change }: PinDifference): string =>
  concernsAllLists(point) ? point : `${point}: ${change}`

function createPinVerdict(
  { place, pin, seen, differs, observedAgain, found }: PinResult,
  editsByCause: ReadonlyMap<string, PinEdits>,
  { isJudged, cite }: PinJudgingOptions,
): Verdict {
  const base = { check: createCheckFacts(place, pin), version: place.version }
  if (!isJudged(place))
    return {
      ...base,
      inputsTested: 0,
      status: 'not-applicable',
      reason: `${place.version} was left out by --versions`,
    }
  if (!seen) {
    const text = 'no response shows what the deployment chose at this open point'
    return { ...base, inputsTested: 0, ...createInconclusiveStatus({ kind: 'nothing to ask', text }) }
  }
  if (!differs) return { ...base, inputsTested: 1, status: 'pass', ...describeAdditions(pin, seen) }
  if (found instanceof Inconclusive) return { ...base, inputsTested: 1, status: 'inconclusive', reason: found.message }
  if (!observedAgain || !found || removeVaryingParts(observedAgain) !== removeVaryingParts(seen)) {
    const then = observedAgain ? removeVaryingParts(observedAgain) : 'nothing'
    const text = `${removeVaryingParts(seen)} was observed first, and then ${then}`
    return { ...base, inputsTested: 1, ...createInconclusiveStatus({ kind: 'unstable', text }) }
  }
  const exchanges = found.shownBy ? cite([found.shownBy]) : observedAgain.evidence
  const fix = describeFix(editsByCause.get(causeOf(pin, found)) ?? new Map())
  const finding: Finding = { expected: found.expected, actual: found.actual, exchanges, fix }
  const causeTraits = { ...NO_TRAITS, crossOperationCause: causeOf(pin, found) }
  return { ...base, inputsTested: 1, status: 'fail', reason: found.actual, finding, causeTraits }
}

const NO_TRAITS: CauseTraits = {
  ...{ names: 'any' as const, inputs: new Set<string>(), traitsOfNames: [], misreadTraits: [], causes: [] },
  ...{ crossOperationCause: undefined, isServiceFailure: false, isIntermittent: false },
}

/** Describes members that are not pinned. They fail nothing, because they break no client. */
function describeAdditions(pin: Pin, { schema, envelope }: Observation): Pick<Verdict, 'testedSummary'> {
  const pairs = [
    [pin.schema, schema, 'elements'],
    [pin.envelope, envelope, 'the body around the list'],
  ] as const
  const added = pairs.flatMap(([pinned, seen, where]) =>
    (isInferredSchema(pinned) && isInferredSchema(seen) ? findSchemaChanges(pinned, seen) : [])
      .filter(({ kind }) => kind === 'added')
      .map(({ at }) => `${at} in ${where}`),
  )
  return added.length === 0 ? {} : { testedSummary: `as pinned; added: ${added.join(', ')}` }
}
