import type { Read, Reader } from '../../engine/check/readers.ts'
import { leniencies } from '../matching/allowances.ts'
import { alternatives, type Inference, infer, type Rule, type Searchable } from '../matching/rules.ts'
import type { ListReading } from '../readings/list-reading.ts'
import { distinctNames, foundBy, requireList } from '../readings/names.ts'
import { canStandInPath } from '../shared/encodings.ts'
import { folded, isAscii } from '../shared/text.ts'
import type { Directory } from './directory.ts'
import { membershipOf } from './membership.ts'

/** All plainly encoded queries of this run with their results. */
export async function queriesAsked(
  directory: Directory,
  readings: Pick<Reader, 'known' | 'read'>,
): Promise<{ query: string; reading: ListReading }[]> {
  const start = directory.search('').key
  const asked = readings
    .known()
    .filter(({ key }) => key.startsWith(start))
    .flatMap((subject) => {
      const query = decoded(subject.key.slice(start.length))
      return query !== undefined && directory.search(query).key === subject.key
        ? [{ query, subject: directory.search(query) }]
        : []
    })
  return Promise.all(asked.map(async ({ query, subject }) => ({ query, reading: await readings.read(subject) })))
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined // Malformed percent-encoding, sent on purpose.
  }
}

const MOST_CATS = 2000
/** Every query is compared with every text by every rule, so longer names are left out. */
const LONGEST = 300

/**
 * The cats of a version with the texts that a query may match: the name, and the breeds whose lists contain the cat.
 */
export async function searchables(directory: Directory, read: Read): Promise<Searchable[]> {
  const [cats, breeds] = await Promise.all([
    read(directory.cats).then(requireList),
    distinctNames(directory.breeds, read),
  ])
  const lists = await Promise.all(
    breeds.filter(canStandInPath).map(async (breed) => ({ breed, list: foundBy(await read(directory.catsOf(breed))) })),
  )
  const { breedsOf } = membershipOf(
    cats,
    lists.flatMap(({ breed, list }) => (list ? [{ breed, list }] : [])),
  )
  const names = [...new Set(cats.names.slice(0, MOST_CATS))]
  const alsoCalled = cats.alsoCalled ?? (() => [])
  return names.map((name) => ({ name, texts: [name, ...breedsOf(name), ...alsoCalled(name)] }))
}

const inferred = new WeakMap<
  Directory,
  { readonly known: number; readonly inference: Promise<Inference | undefined> }
>()

/** Infers the matching rule that explains all results of this version. */
export function inferRule(
  directory: Directory,
  readings: Pick<Reader, 'known' | 'read'>,
): Promise<Inference | undefined> {
  const known = readings.known().length
  const last = inferred.get(directory)
  if (last?.known === known) return last.inference
  const inference = inferAnew(directory, readings)
  inferred.set(directory, { known, inference })
  return inference
}

async function inferAnew(
  directory: Directory,
  readings: Pick<Reader, 'known' | 'read'>,
): Promise<Inference | undefined> {
  const results = await resultsOf(directory, readings)
  return results && infer(results.found, results.cats)
}

/** The other rules that explain all results of this version. */
export async function alternativeRules(
  inference: Inference,
  directory: Directory,
  readings: Pick<Reader, 'known' | 'read'>,
): Promise<readonly Rule[]> {
  const results = await resultsOf(directory, readings)
  return results ? alternatives(inference, results.found, results.cats) : []
}

async function resultsOf(directory: Directory, readings: Pick<Reader, 'known' | 'read'>) {
  const asked = await queriesAsked(directory, readings)
  // Without the unreadable results, a rule would be inferred that finds nothing else.
  if (asked.some(({ reading }) => reading.kind === 'unreadable')) return undefined
  const found = asked.flatMap(({ query, reading }) =>
    reading.kind === 'list' || (reading.kind === 'refused' && !leniencies.refusedQuery(reading, query))
      ? [{ query, found: foundBy(reading) ?? new Set<string>() }]
      : [],
  )
  const cats = (await searchables(directory, readings.read)).filter(({ texts }) =>
    texts.every((text) => text.length <= LONGEST && isAscii(folded(text))),
  )
  return { found, cats }
}
