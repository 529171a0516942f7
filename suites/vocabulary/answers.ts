import type { Read, Reader } from '../engine/reading.ts'
import type { Directory } from './directory.ts'
import { foundBy, listed, listIn } from './found.ts'
import type { ListReading } from './list.ts'
import { type Inference, infer, type Searchable } from './rules.ts'
import { folded, isAscii } from './text.ts'

/** Every query that this version was asked in this run, plainly encoded, with its answer. */
export async function answeredQueries(
  here: Directory,
  memory: Pick<Reader, 'known' | 'read'>,
): Promise<{ query: string; reading: ListReading }[]> {
  const start = here.search('').key
  const asked = memory
    .known()
    .filter(({ key }) => key.startsWith(start))
    .flatMap((subject) => {
      const query = decoded(subject.key.slice(start.length))
      return query !== undefined && here.search(query).key === subject.key
        ? [{ query, subject: here.search(query) }]
        : []
    })
  return Promise.all(asked.map(async ({ query, subject }) => ({ query, reading: await memory.read(subject) })))
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined // malformed percent-encoding, sent as such
  }
}

const MOST_CATS = 2000

/** The cats of a version with what a query may match: the name, and the breeds in whose lists they stand. */
export async function searchables(here: Directory, read: Read): Promise<Searchable[]> {
  const [cats, breeds] = await Promise.all([read(here.cats).then(listIn), listed(here.breeds, read)])
  const lists = await Promise.all(
    breeds.map(async (breed) => ({ breed, list: foundBy(await read(here.catsOf(breed))) })),
  )
  return cats.names
    .slice(0, MOST_CATS)
    .map((name) => ({ name, texts: [name, ...lists.filter(({ list }) => list?.has(name)).map(({ breed }) => breed)] }))
}

const inferred = new WeakMap<
  Directory,
  { readonly known: number; readonly inference: Promise<Inference | undefined> }
>()

/** Which rule of matching explains what this version found, all queries of the run so far taken together. */
export function inferRule(here: Directory, memory: Pick<Reader, 'known' | 'read'>): Promise<Inference | undefined> {
  const known = memory.known().length
  const last = inferred.get(here)
  if (last?.known === known) return last.inference
  const inference = inferAnew(here, memory)
  inferred.set(here, { known, inference })
  return inference
}

async function inferAnew(here: Directory, memory: Pick<Reader, 'known' | 'read'>): Promise<Inference | undefined> {
  const answers = await answeredQueries(here, memory)
  const found = answers.flatMap(({ query, reading }) =>
    reading.kind === 'list' || reading.kind === 'refused' ? [{ query, found: new Set(foundBy(reading)?.names) }] : [],
  )
  const cats = (await searchables(here, memory.read)).filter(({ texts }) =>
    texts.every((text) => isAscii(folded(text))),
  )
  return infer(found, cats)
}
