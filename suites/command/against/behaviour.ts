import fc from 'fast-check'
import type { Version } from '../../../fixtures/contract/operations.ts'
import { curlLine } from '../../../reports/curl.ts'
import { summarise } from '../../engine/http/exchange.ts'
import type { Session } from '../../engine/http/session.ts'
import { Inconclusive } from '../../engine/inconclusive.ts'
import { type Mask, maskExchange } from '../../engine/judging/masked.ts'
import { createCachingReader, createFreshReader, type Reader, type Subject } from '../../engine/judging/readers.ts'
import type { Deployment } from '../../vocabulary/deployment.ts'
import { canStandInPath } from '../../vocabulary/encodings.ts'
import { queries, segments } from '../../vocabulary/inputs/arbitraries.ts'
import { queryTroubles, segmentTroubles } from '../../vocabulary/inputs/troubles.ts'
import type { Directory } from '../../vocabulary/reading/directory.ts'
import type { ListReading } from '../../vocabulary/reading/list-reading.ts'
import { namesIn } from '../../vocabulary/reading/names.ts'
import { quoted } from '../../vocabulary/text.ts'
import type { Difference } from './comparison.ts'

/** One of two live deployments. */
export interface Live {
  readonly session: Session
  readonly deployment: Deployment
}

/** What both sides list, told apart from what only one does. */
export interface SharedNames {
  readonly cats: ReadonlySet<string>
  readonly breeds: readonly string[]
  readonly onlyOther: readonly string[]
  readonly onlyCandidate: readonly string[]
}

const directoryOf = ({ deployment }: Live, version: string): Directory | undefined =>
  deployment.directories.find((one) => one.version === version)

interface Listed {
  readonly names: readonly string[]
  readonly breeds: readonly string[]
  /** The breeds in whose lists each cat stands, as one text. */
  readonly breedsOf: ReadonlyMap<string, string>
}

const MOST_BREEDS = 200

async function listed({ cats, breeds, catsOf }: Directory, { read }: Reader): Promise<Listed> {
  const [all, kinds] = await Promise.all([read(cats).then(namesIn), read(breeds).then(namesIn)])
  const few = [...new Set(kinds)].filter(canStandInPath).slice(0, MOST_BREEDS)
  const lists = await Promise.all(few.map(async (breed) => ({ breed, names: namesIn(await read(catsOf(breed))) })))
  const breedsOf = new Map<string, string>()
  for (const { breed, names } of lists)
    for (const name of names) breedsOf.set(name, `${breedsOf.get(name) ?? ''}\n${breed}`)
  return { names: [...new Set(all)], breeds: [...new Set(kinds)], breedsOf }
}

/** Cats that both list in the same breeds: only what is found of these can be compared. */
function shared(one: Listed, other: Listed): SharedNames {
  const [here, there] = [new Set(one.names), new Set(other.names)]
  const isSame = (name: string) => one.breedsOf.get(name) === other.breedsOf.get(name)
  return {
    cats: new Set(one.names.filter((name) => there.has(name) && isSame(name))),
    breeds: one.breeds.filter((breed) => other.breeds.includes(breed)),
    onlyOther: one.names.filter((name) => !there.has(name)),
    onlyCandidate: other.names.filter((name) => !here.has(name)),
  }
}

/** What an input finds, as far as it can be compared: in words that are equal where it is the same. */
function outcome(reading: ListReading, { cats }: Pick<SharedNames, 'cats'>, mask: Mask): string {
  if (reading.kind === 'failed') return mask(reading.why)
  const found = [...new Set(namesIn(reading))].filter((name) => cats.has(name)).sort()
  if (found.length === 0) return 'nothing that both list'
  return `${found
    .slice(0, 3)
    .map((name) => quoted(mask(name)))
    .join(', ')}${found.length > 3 ? ` and ${found.length - 3} more` : ''} (${found.length})`
}

const wholeOutcome = (reading: ListReading, { cats }: Pick<SharedNames, 'cats'>): string =>
  reading.kind === 'failed'
    ? 'failed'
    : JSON.stringify([...new Set(namesIn(reading))].filter((name) => cats.has(name)).sort())

type SubjectOf = (directory: Directory, input: string) => Subject<ListReading>

interface Probe {
  readonly operation: 'searchCats' | 'listCatsOfBreed'
  readonly of: SubjectOf
  readonly inputs: readonly string[]
}

const MOST_LISTED = 60
const GENERATED = 60
const MOST_SHRINKS = 40

function probesOf({ cats, breeds }: SharedNames, seed: number): readonly Probe[] {
  const names = [...cats].sort()
  const some = names.slice(0, MOST_LISTED)
  const near = some
    .slice(0, 12)
    .flatMap((name) => [
      name.toLowerCase(),
      name.toUpperCase(),
      ...[2, 3, 4].map((length) => name.slice(0, length)),
      name.slice(1),
      name.slice(-3),
      name.slice(0, 1) + name.slice(2),
      name.normalize('NFKD').replace(/\p{M}/gu, ''),
      `${name}x`,
      ` ${name} `,
      name.split(' ').toReversed().join(' '),
    ])
  const generated = <T>(arbitrary: fc.Arbitrary<T>) => fc.sample(arbitrary, { seed, numRuns: GENERATED })
  const distinct = (inputs: readonly string[]) =>
    [...new Set(inputs)].filter((input) => input !== '' && input.length < 300)
  return [
    {
      operation: 'searchCats',
      of: ({ search }, input) => search(input),
      inputs: distinct([
        ...some,
        ...breeds.slice(0, MOST_LISTED),
        ...near,
        ...queryTroubles,
        ...generated(queries([...some, ...breeds])),
      ]),
    },
    {
      operation: 'listCatsOfBreed',
      of: ({ catsOf }, input) => catsOf(input),
      inputs: distinct([
        ...breeds.slice(0, MOST_LISTED),
        ...breeds.slice(0, 5).flatMap((breed) => [breed.toLowerCase(), ` ${breed} `, breed.slice(0, 3), `${breed}s`]),
        ...segmentTroubles,
        ...generated(segments(breeds)),
      ]).filter(canStandInPath),
    },
  ]
}

/** The two sides of one version, with readers that remember. */
class Pair {
  private readonly sides: readonly { readonly live: Live; readonly directory: Directory; readonly reader: Reader }[]
  private readonly names: SharedNames
  private readonly mask: Mask

  constructor(sides: Pair['sides'], names: SharedNames, mask: Mask) {
    this.sides = sides
    this.names = names
    this.mask = mask
  }

  private async readings(of: SubjectOf, input: string, anew: boolean) {
    return Promise.all(
      this.sides.map(({ live, directory, reader }) =>
        (anew ? createFreshReader(live.session.ask) : reader).read(of(directory, input)),
      ),
    )
  }

  async differs({ of }: Probe, input: string, anew = false): Promise<boolean> {
    const [one, other] = (await this.readings(of, input, anew)).map((reading) => wholeOutcome(reading, this.names))
    return one !== other
  }

  /** Each side compared with itself: what it says otherwise the next time tells nothing. */
  async isNoise({ of }: Probe, input: string): Promise<boolean> {
    const first = (await this.readings(of, input, false)).map((reading) => wholeOutcome(reading, this.names))
    for (let time = 0; time < 3; time++) {
      const again = (await this.readings(of, input, true)).map((reading) => wholeOutcome(reading, this.names))
      if (again.some((text, index) => text !== first[index])) return true
    }
    return false
  }

  /** Takes characters away as long as that still tells them apart. */
  async smallest(probe: Probe, input: string): Promise<string> {
    let [small, left] = [input, MOST_SHRINKS]
    for (let at = 0; at < small.length && left > 0; left--) {
      const shorter = small.slice(0, at) + small.slice(at + 1)
      const isTried = shorter !== '' && !/\p{Cs}/u.test(shorter) && canStandInPath(shorter)
      if (isTried && (await this.differs(probe, shorter)) && !(await this.isNoise(probe, shorter))) small = shorter
      else at++
    }
    return small
  }

  async tell(probe: Probe, input: string, version: string, more: number): Promise<Difference> {
    const readings = await this.readings(probe.of, input, false)
    const [other = '', candidate = ''] = readings.map((reading) => outcome(reading, this.names, this.mask))
    const exchanges = this.sides.flatMap(({ directory, reader }) =>
      reader.evidence(probe.of(directory, input)).slice(0, 1),
    )
    return {
      kind: 'behaviour',
      what: `${probe.operation} ${version}${more > 0 ? ` (and ${more} more inputs)` : ''}`,
      other: `finds ${other}`,
      candidate: `finds ${candidate}`,
      input: quoted(this.mask(input)),
      curl: exchanges.map((exchange) => curlLine(maskExchange(summarise(exchange), this.mask))),
    }
  }
}

/** What two live deployments do otherwise with the same inputs, in one version. */
export async function compareBehaviour(lives: readonly Live[], version: Version, seed: number, mask: Mask) {
  const sides = lives.flatMap((live) => {
    const directory = directoryOf(live, version)
    return directory ? [{ live, directory, reader: createCachingReader(live.session.recall) }] : []
  })
  const [one, two] = await Promise.all(sides.map(({ directory, reader }) => listed(directory, reader)))
  if (!one || !two) return undefined
  // What comes and goes meanwhile is no difference.
  const names = shared(one, two)
  const pair = new Pair(sides, names, mask)
  const found: Difference[] = []
  for (const probe of probesOf(names, seed)) {
    const telling = await differing(pair, probe)
    const [first] = telling
    if (first === undefined) continue
    found.push(await pair.tell(probe, await pair.smallest(probe, first), version, telling.length - 1))
  }
  const still = await Promise.all(
    sides.map(({ live, directory }) => listed(directory, createFreshReader(live.session.ask))),
  )
  const isStill =
    JSON.stringify(still.map(({ names: all }) => all.toSorted())) ===
    JSON.stringify([one, two].map(({ names: all }) => all.toSorted()))
  const shown = { ...names, onlyOther: names.onlyOther.map(mask), onlyCandidate: names.onlyCandidate.map(mask) }
  return { names: shown, differences: isStill ? found : [], isStill }
}

/** The inputs that tell the two apart, the shortest first. */
async function differing(pair: Pair, probe: Probe): Promise<readonly string[]> {
  const told = await Promise.all(
    probe.inputs.map(async (input) => {
      try {
        return (await pair.differs(probe, input)) && !(await pair.isNoise(probe, input)) ? [input] : []
      } catch (error) {
        if (error instanceof Inconclusive) return []
        throw error
      }
    }),
  )
  return told.flat().toSorted((a, b) => a.length - b.length)
}
