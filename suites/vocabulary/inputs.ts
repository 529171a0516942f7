import type { Read } from '../engine/reading.ts'
import { queries, segments } from './arbitraries.ts'
import type { Inputs } from './check.ts'
import type { Directories, Directory } from './directory.ts'
import { foundBy, listed } from './found.ts'
import { canStandInPath, listedNames, pathNames } from './listed.ts'
import { folded } from './text.ts'
import { queryTroubles, segmentTroubles } from './troubles.ts'

/** Search queries: trouble-makers, what people type instead of a name, and what nobody chose. */
export const anyQuery = async (directories: Directories, read: Read): Promise<Inputs> => ({
  generated: queries(await listedNames(directories, read)),
  always: [...queryTroubles, ...nearQueries(await listed(directories.here.cats, read))],
})

/** What people type instead of a name: a part of it, one letter amiss, the case turned round. */
function nearQueries(cats: readonly string[]): string[] {
  const some = cats
    .filter((name) => /^\p{L}{4,}/u.test(name))
    .sort()
    .slice(0, 3)
  const longest = cats.reduce((long, name) => (name.length > long.length ? name : long), '')
  const near = some.flatMap((name) => [
    name.slice(0, 3),
    name.slice(1),
    `${name[0]}${name.slice(2)}`,
    `${name}x`,
    `${name}\u0000x`,
    name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase(),
  ])
  return longest.length > 12 ? [...near, `${longest}x`] : near
}

const SOME = 3
const LOOKED_AT = 12

/** A few breeds that have cats: only what leads to their lists shows that it leads there. */
async function inhabited(here: Directory, read: Read): Promise<string[]> {
  const breeds = [...(await pathNames(here.breeds, read))].sort().slice(0, LOOKED_AT)
  const lists = await Promise.all(
    breeds.map(async (breed) => ({ breed, list: foundBy(await read(here.catsOf(breed))) })),
  )
  const filled = lists.filter(({ list }) => list && list.names.length > 0).map(({ breed }) => breed)
  return (filled.length > 0 ? filled : breeds).slice(0, SOME)
}

/** Names that come near a listed one without being it, or that are it in other clothes. */
function nearMisses(some: readonly string[], breeds: readonly string[]): string[] {
  const sorted = [...breeds].sort()
  const accented = sorted.find((breed) => folded(breed) !== breed.toLowerCase())
  const withBlank = sorted.find((breed) => breed.includes(' '))
  return [
    ...some.flatMap((breed) => [
      [...breed].slice(0, -1).join(''),
      `${breed}x`,
      `${breed.slice(0, 2)}_${breed.slice(3)}`,
      [...breed].slice(0, 3).join(''),
    ]),
    ...some
      .slice(0, 1)
      .flatMap((breed) => [
        `x/../${breed}`,
        `${breed}/../${breed}x`,
        breed.slice(0, 1),
        `${breed}s`,
        `${breed.slice(0, 1)}${breed.slice(2, 3)}${breed.slice(1, 2)}${breed.slice(3)}`,
        breed.toLowerCase(),
        breed.toUpperCase(),
        ` ${breed} `,
        ...['\u0000', '#', '?', ';', ','].map((mark) => `${breed}${mark}${some[1] ?? 'x'}`),
      ]),
    ...(accented === undefined ? [] : [accented.normalize('NFKD').replace(/\p{M}/gu, ''), accented.normalize('NFD')]),
    ...(withBlank === undefined ? [] : [encodeURIComponent(withBlank), withBlank.split(' ')[0] ?? '']),
    'no such breed',
  ].filter((name) => canStandInPath(name) && !breeds.includes(name))
}

/** Strings for the segment of a breed: near-misses, trouble-makers, and what nobody chose. */
export const anyBreedName = async ({ here }: Directories, read: Read): Promise<Inputs> => {
  const breeds = await listed(here.breeds, read)
  const some = await inhabited(here, read)
  return { generated: segments(breeds), always: [...nearMisses(some, breeds), ...segmentTroubles] }
}

/** Strings for the segment of a cat. */
export const anyCatName = async ({ here }: Directories, read: Read): Promise<Inputs> => ({
  generated: segments(await listed(here.cats, read)),
  always: segmentTroubles,
})
