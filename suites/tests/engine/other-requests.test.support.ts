import { createRandomGenerator } from '../../engine/property/sample.ts'

/** The simulated time in milliseconds: only readings, requests and pauses advance it. */
class SimulatedTime {
  private ms = 0
  now = (): number => this.ms
  advance = (ms: number): void => void (this.ms += ms)
  sleep = async (ms: number): Promise<void> => this.advance(ms)
  reset = (): void => void (this.ms = 0)
}
export const clock = new SimulatedTime()

/** A simulated value that the experiment reads, and the request that it suspects of changing the value. */
export interface SimulatedValue {
  read(): number | undefined
  sendRequest(round: number): void
  /** Sends a control request. Absent if control requests do not change the value. */
  readOtherState?(): void
}

export const counter = () => {
  let count = 0
  return { next: () => count++, current: () => count }
}

/** Creates a value of which several servers, which respond in turn, have different versions. No request changes it. */
export function createValueOfReplicas(...values: readonly (() => number)[]): SimulatedValue {
  const { next } = counter()
  return { read: () => values[next() % values.length]?.(), sendRequest: next, readOtherState: next }
}

/**
 * Creates a value that grows by one per millisecond. A request takes `requestingMs`, but does not change the value.
 */
export const createGrowingValue = (requestingMs: number): SimulatedValue => ({
  read: () => clock.now(),
  sendRequest: () => clock.advance(requestingMs),
})

/**
 * Creates a value that grows with time, but readings return a cached copy that is up to `keptMs` old. A request
 * renews the copy.
 */
export function createCachedValue(keptMs: number): SimulatedValue {
  let copy = { of: 0, at: Number.NEGATIVE_INFINITY }
  const read = () => {
    if (clock.now() - copy.at > keptMs) copy = { of: clock.now(), at: clock.now() }
    return copy.of
  }
  return { read, sendRequest: () => void (copy = { of: clock.now(), at: clock.now() }) }
}

/** Creates a value that changes with each of the first readings, then no more. */
export function createSettlingValue(readings: number): SimulatedValue {
  const { next } = counter()
  return { read: () => Math.min(next(), readings), sendRequest() {} }
}

/** Creates a value that changes with each suspected request, at most `most` times. */
export function createValueThatRequestsChange(most = Number.POSITIVE_INFINITY): SimulatedValue {
  let changes = 0
  return { read: () => changes, sendRequest: () => void (changes = Math.min(most, changes + 1)) }
}

/** Creates a value that is the number of different strings that were requested. */
export function createCountOfRequestedStrings(): SimulatedValue {
  const kept = new Set<number>()
  return { read: () => kept.size, sendRequest: (round) => void kept.add(round) }
}

/** Creates a value that changes with each suspected request, and even more with time. */
export function createValueThatTimeAndRequestsChange(): SimulatedValue {
  const { next, current } = counter()
  return { read: () => current() + 2 * clock.now(), sendRequest: next }
}

/** Creates a value that changes with each suspected request, each control request and each reading. */
export function createValueThatAllRequestsChange(): SimulatedValue {
  const { next, current } = counter()
  return { read: next, sendRequest: next, readOtherState: current }
}

/** Creates a value that changes at random times, every `everyMs` milliseconds on average. */
export function createRandomValue(everyMs: number, seed: number): SimulatedValue {
  const random = createRandomGenerator(seed)
  const pause = () => -Math.log(1 - random()) * everyMs
  let [events, due] = [0, pause()]
  return {
    read() {
      for (; due < clock.now(); due += pause()) events++
      return events
    },
    sendRequest() {},
  }
}

/** Creates a value that changes at random times, and with each suspected request. */
export function createRandomValueThatRequestsChange(everyMs: number, seed: number): SimulatedValue {
  const [random, changed] = [createRandomValue(everyMs, seed), createValueThatRequestsChange()]
  return { read: () => (random.read() ?? 0) + (changed.read() ?? 0), sendRequest: changed.sendRequest }
}
