import { buildCurlLine } from '../../../reports/text/curl.ts'
import type { Deployment } from '../../directory/deployment.ts'
import type { Directory } from '../../directory/facts/directory.ts'
import type { ListReading } from '../../directory/readings/list-reading.ts'
import { namesOfReading } from '../../directory/readings/names.ts'
import { canBeInPath } from '../../directory/shared/encodings.ts'
import { quoted } from '../../directory/shared/text.ts'
import { createFreshReader, type Reader } from '../../engine/check/readers.ts'
import { summariseExchange } from '../../engine/http/client/exchange.ts'
import type { Session } from '../../engine/http/session.ts'
import { maskExchange, type TextMask } from '../../engine/run/masking.ts'
import type { ComparedOperation, ListedNames, SharedNames } from './compared-operations.ts'
import type { OperationDifference } from './difference.ts'

/** A compared deployment to which requests are sent, rather than a saved report. */
export interface LiveDeployment {
  readonly session: Session
  readonly deployment: Deployment
}

/** One of two compared deployments, in one version. */
export interface LiveSide {
  readonly live: LiveDeployment
  readonly directory: Directory
  /** A reader that sends each request only once. */
  readonly reader: Reader
  /** The names that were listed when the comparison started. */
  readonly listed: ListedNames
}

/** Returns the names in a reading that both deployments list, in alphabetical order. */
const sharedNamesIn = (reading: ListReading, { cats }: Pick<SharedNames, 'cats'>): readonly string[] =>
  [...new Set(namesOfReading(reading))].filter((name) => cats.has(name)).sort()

/** Describes briefly which of the names that both deployments list were found, for reports. */
function describeFoundNames(reading: ListReading, shared: Pick<SharedNames, 'cats'>, mask: TextMask): string {
  if (reading.kind === 'failed') return mask(reading.why)
  const found = sharedNamesIn(reading, shared)
  if (found.length === 0) return 'no name that both deployments list'
  const first = found.slice(0, 3).map((name) => quoted(mask(name)))
  return `${first.join(', ')}${found.length > 3 ? ` and ${found.length - 3} more` : ''} (${found.length})`
}

const hasNames = (reading: ListReading): boolean => namesOfReading(reading).length > 0

const MAX_SHRINK_STEPS = 40
const CONCURRENT_READINGS = 3

/** The way to send a new request. If undefined, an earlier response to the same request is used. */
type NewRequest = 'send' | 'sendPastCaches' | undefined

/** The two compared deployments in one version. Both get the same requests. */
export class ComparedSidePair {
  readonly sides: readonly LiveSide[]
  private readonly names: SharedNames
  private readonly mask: TextMask
  private readonly maxRequests: number
  private requests = 0

  /** @param maxRequests the number of requests to both deployments after which no further inputs are compared */
  constructor(sides: readonly LiveSide[], names: SharedNames, mask: TextMask, maxRequests: number) {
    this.sides = sides
    this.names = names
    this.mask = mask
    this.maxRequests = maxRequests
  }

  get isLimitReached(): boolean {
    return this.requests >= this.maxRequests
  }

  /** Returns how many requests an input took on both deployments together: one for each page. */
  countRequestsFor({ createResource }: ComparedOperation, input: string): number {
    const exchanges = this.sides.map(({ directory, reader }) => reader.exchangesFor(createResource(directory, input)))
    return exchanges.flat().length
  }

  /** The names that the deployments list, with secrets masked, for reports. */
  get maskedNames(): SharedNames {
    const [onlyOther, onlyCandidate] = [this.names.onlyOther, this.names.onlyCandidate].map((all) => all.map(this.mask))
    return { ...this.names, onlyOther: onlyOther ?? [], onlyCandidate: onlyCandidate ?? [] }
  }

  /** Reads the results for an input from both deployments, and counts the requests. */
  private readBoth({ createResource }: ComparedOperation, input: string, way: NewRequest) {
    return Promise.all(
      this.sides.map(async ({ live, directory, reader }) => {
        const used = way === undefined ? reader : createFreshReader(live.session[way])
        const resource = createResource(directory, input)
        const before = used.exchangesFor(resource).length
        const reading = await used.read(resource)
        this.requests += used.exchangesFor(resource).length - before
        return reading
      }),
    )
  }

  /**
   * Returns, for each deployment, a text that is the same for equal results: the found names that both deployments
   * list, as JSON, or `failed`.
   */
  private async readOutcomes(operation: ComparedOperation, input: string, way: NewRequest) {
    const readings = await this.readBoth(operation, input, way)
    return readings.map((reading) =>
      reading.kind === 'failed' ? 'failed' : JSON.stringify(sharedNamesIn(reading, this.names)),
    )
  }

  /** Returns whether the deployments find other names for an input. */
  async differs(operation: ComparedOperation, input: string, way?: NewRequest): Promise<boolean> {
    const [one, other] = await this.readOutcomes(operation, input, way)
    return one !== other
  }

  /**
   * Returns whether a deployment gives different responses to the same input. A difference between the deployments then
   * proves nothing.
   */
  async isSideInconsistent(
    operation: ComparedOperation,
    input: string,
    rounds = CONCURRENT_READINGS,
  ): Promise<boolean> {
    const first = await this.readOutcomes(operation, input, undefined)
    for (let round = 0; round < rounds; round++) {
      const again = await this.readOutcomes(operation, input, 'send')
      if (again.some((text, index) => text !== first[index])) return true
    }
    return false
  }

  /**
   * Removes characters from an input while the deployments still respond differently. Returns the input itself if no
   * shorter one shows the difference reliably.
   */
  async shrinkInput(operation: ComparedOperation, input: string): Promise<string> {
    let [small, left] = [input, MAX_SHRINK_STEPS]
    for (let at = 0; at < small.length && left > 0 && !this.isLimitReached; left--) {
      const shorter = small.slice(0, at) + small.slice(at + 1)
      const canBeTried = shorter !== '' && !/\p{Cs}/u.test(shorter) && canBeInPath(shorter)
      if (canBeTried && (await this.differs(operation, shorter))) small = shorter
      else at++
    }
    return small === input || (await this.isSideInconsistent(operation, small)) ? input : small
  }

  /** Returns whether each deployment still lists the same names as when the comparison started. */
  async areListsUnchanged(): Promise<boolean> {
    const isSame = this.sides.map(async ({ live, directory, listed: first }) => {
      const now = new Set(namesOfReading(await createFreshReader(live.session.send).read(directory.cats)))
      return now.size === first.cats.length && first.cats.every((name) => now.has(name))
    })
    return (await Promise.all(isSame)).every(Boolean)
  }

  /**
   * Returns whether caches can be bypassed: both deployments ignore a query parameter with a value that was never used.
   * Tests this with the compared operations only, because the list of all cats may have hundreds of pages.
   */
  async canBypassCaches(): Promise<boolean> {
    const [[cat], [breed]] = [this.names.cats, this.names.breeds]
    const isIgnored = this.sides.map(async ({ live, directory, reader }) => {
      const { read } = createFreshReader(live.session.sendPastCaches)
      const resources = [
        ...(cat === undefined ? [directory.cats] : [directory.search(cat)]),
        ...(breed === undefined || !canBeInPath(breed) ? [] : [directory.catsOf(breed)]),
      ]
      const readings = resources.map(async (resource) => [await reader.read(resource), await read(resource)] as const)
      return (await Promise.all(readings)).every(([before, now]) => hasNames(now) === hasNames(before))
    })
    return (await Promise.all(isIgnored)).every(Boolean)
  }

  /**
   * Creates the difference that reports show.
   * @param more the number of further inputs with different results
   */
  async createDifference(
    operation: ComparedOperation,
    input: string,
    version: string,
    more: number,
  ): Promise<OperationDifference> {
    const readings = await this.readBoth(operation, input, undefined)
    const [other = '', candidate = ''] = readings.map((reading) => describeFoundNames(reading, this.names, this.mask))
    const exchanges = this.sides.flatMap(({ directory, reader }) =>
      reader.exchangesFor(operation.createResource(directory, input)).slice(0, 1),
    )
    return {
      kind: 'behaviour',
      ...{ subject: operation.id, operation: operation.id, version },
      other: `finds ${other}`,
      candidate: `finds ${candidate}`,
      input: `${quoted(this.mask(input))}${more > 0 ? ` (and ${more} more)` : ''}`,
      curl: exchanges.map((exchange) => buildCurlLine(maskExchange(summariseExchange(exchange), this.mask))),
    }
  }
}
