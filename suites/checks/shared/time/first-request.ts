import type { OperationId } from '../../../../fixtures/contract/operations.ts'
import type { Directory, ListSubject } from '../../../directory/facts/directory.ts'
import { readPathNames } from '../../../directory/inputs/listed-names.ts'
import { walkJson } from '../../../directory/readings/json.ts'
import { namesOfReading } from '../../../directory/readings/names.ts'
import type { Subject } from '../../../engine/check/readers.ts'
import { compareRandomTargets, type RandomTargets } from '../../../engine/history/random-targets.ts'
import type { Exchange } from '../../../engine/http/client/exchange.ts'
import type { CheckProbe, VersionContext } from '../check.ts'
import { listsClaimOf } from './changed-lists.ts'

/** The list of a larger directory is not read so often; some of its cats are left for other checks. */
const MAX_CATS = 1000
/** The depth to which a response is searched for names. */
const MAX_DEPTH = 12

/** The names that an operation can be requested with. */
export interface FirstRequests {
  readonly operation: OperationId
  readonly named: (directory: Directory) => ListSubject
  readonly subject: (directory: Directory) => (name: string) => ListSubject
  /** True if the request may remove any cat in its response; otherwise only the cat of that name. */
  readonly concernsCatsInResponse: boolean
}

/** A request without interpretation: to find out where its names are would take further requests of the operation. */
const createRequest = ({ key }: ListSubject): Subject<Exchange> => ({
  key: `${key} as it is`,
  readWith: (ask) => ask({ method: 'GET', target: key, follow: true }),
})

/** All strings in a JSON response. */
function stringsIn({ outcome }: Exchange): ReadonlySet<string> {
  const strings = new Set<string>()
  if (outcome.kind === 'response' && outcome.body.kind === 'json')
    walkJson(
      outcome.body.value,
      MAX_DEPTH,
      () => true,
      (value) => {
        if (typeof value === 'string') strings.add(value)
      },
    )
  return strings
}

/** The cats of a directory, and which of them requests may have removed. */
class CatLosses implements Pick<RandomTargets, 'request' | 'readLosses'> {
  /** The exchanges that show the latest loss. */
  shown: readonly Exchange[] = []
  private readonly facts: FirstRequests
  private readonly context: VersionContext
  private readonly responses = new Map<string, Exchange>()
  private listed: readonly string[]

  constructor(facts: FirstRequests, listed: readonly string[], context: VersionContext) {
    this.facts = facts
    this.listed = listed
    this.context = context
  }

  async request(names: readonly string[]): Promise<void> {
    const subjectOf = this.facts.subject(this.context.target.directory)
    for (const name of names) this.responses.set(name, await this.context.read(createRequest(subjectOf(name))))
  }

  async readLosses(requested: readonly string[]) {
    const { cats } = this.context.target.directory
    const reader = this.context.createFreshReader()
    const now = new Set(namesOfReading(await reader.read(cats)))
    const lost = this.listed.filter((cat) => !now.has(cat))
    this.listed = this.listed.filter((cat) => now.has(cat))
    const names = requested.filter((name) => lost.some((cat) => this.mayHaveRemoved(name, cat)))
    this.shown = [...names.slice(0, 1).flatMap((name) => this.responses.get(name) ?? []), ...reader.exchangesFor(cats)]
    return { names, others: lost.some((cat) => !names.some((name) => this.mayHaveRemoved(name, cat))) }
  }

  private mayHaveRemoved(name: string, cat: string): boolean {
    const response = this.responses.get(name)
    return this.facts.concernsCatsInResponse ? response !== undefined && stringsIn(response).has(cat) : name === cat
  }
}

/**
 * Requests that remove something soon find nothing left, so they are tested before anything else is read, with names
 * drawn at random.
 */
export const createFirstRequestProbe =
  (facts: FirstRequests): CheckProbe =>
  async (context) => {
    const { target, read, seed } = context
    const { directory, effort } = target
    const names = await readPathNames(facts.named(directory), read)
    const listed = namesOfReading(await read(directory.cats))
    if (effort.namesRequestedFirst === 0 || listed.length > MAX_CATS) return
    const losses = new CatLosses(facts, listed, context)
    const cause = await compareRandomTargets(
      {
        names,
        firstCount: effort.namesRequestedFirst,
        request: (requested) => losses.request(requested),
        readLosses: (requested) => losses.readLosses(requested),
      },
      seed,
    )
    if (cause === 'nothing' || cause === 'time') return
    await context.verifySideEffect({
      experiments: [async () => cause],
      ...listsClaimOf(facts.operation, directory),
      observedChange: 'what is listed changes',
      demonstrate: async () => losses.shown,
    })
  }
