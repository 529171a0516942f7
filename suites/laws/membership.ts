import type { Read } from '../engine/reading.ts'
import { broken, Inconclusive } from '../engine/throwables.ts'
import { check, each, once } from '../vocabulary/check.ts'
import type { Directory } from '../vocabulary/directory.ts'
import { foundBy, listed, listIn } from '../vocabulary/found.ts'
import type { Named } from '../vocabulary/list.ts'
import { listedNames, pathNames } from '../vocabulary/listed.ts'
import { essential, meant, quoted } from '../vocabulary/text.ts'

interface Membership {
  readonly cats: Named
  readonly lists: readonly { readonly breed: string; readonly list: Named }[]
  /** Whether every listed breed was asked for: one whose name cannot be sent is not. */
  readonly isWhole: boolean
  /** The breeds in whose lists a cat stands. */
  readonly breedsOf: (cat: string) => readonly string[]
}

/** All cats and the list of every breed, asked at once. */
async function membership(here: Directory, read: Read): Promise<Membership> {
  const [all, breeds] = await Promise.all([listed(here.breeds, read), pathNames(here.breeds, read)])
  const [cats, lists] = await Promise.all([
    read(here.cats).then(listIn),
    Promise.all(breeds.map(async (breed) => ({ breed, list: listIn(await read(here.catsOf(breed))) }))),
  ])
  const byCat = new Map<string, string[]>()
  for (const { breed, list } of lists) {
    for (const cat of new Set(list.names)) byCat.set(cat, [...(byCat.get(cat) ?? []), breed])
  }
  return { cats, lists, isWhole: all.length === breeds.length, breedsOf: (cat) => byCat.get(cat) ?? [] }
}

const common = {
  operation: 'listCatsOfBreed',
  versions: 'each',
  level: 'must',
  requires: ['cats/have-names', 'breed-cats/have-names'],
} as const

/** Ruling 6. "every listed cat stands in exactly one breed's list, every cat of a breed's list stands in the list of all cats". */
export const memberships = [
  check({
    ...common,
    id: 'membership/every-cat-has-a-breed',
    title: 'every listed cat stands in a breed’s list',
    statements: ['S-CAT-BREED', 'S-CATS-OF-BREED'],
    why: 'A cat belongs to a breed: one that stands in no breed’s list is lost to whoever looks by breed.',
    how: 'The list of all cats is compared with the lists of all breeds together.',
    fix: 'List all cats of a breed: not a page of them, none left out by its name.',
    tries: once(async ({ here }, read) => {
      const { cats, lists, breedsOf, isWhole } = await membership(here, read)
      const asked = lists.map(({ breed }) => breed)
      const ownOf = (cat: string) => meant(cats.breedOf.get(cat) ?? '', asked)
      const homeless = cats.names.filter((cat) => breedsOf(cat).length === 0)
      const lost = isWhole ? homeless[0] : homeless.find((cat) => ownOf(cat) !== undefined)
      if (lost === undefined && homeless.length > 0)
        throw new Inconclusive(
          'nothing to ask',
          'a listed breed has a name that cannot be sent in a path, so not all breeds could be asked for',
        )
      if (lost === undefined) return
      const own = lists.find(({ breed }) => breed === ownOf(lost))
      broken({
        expected: 'every cat of the list of all cats stands in the list of a breed',
        actual: `${quoted(lost)} stands in none of ${lists.length} breeds’ lists${own ? `, not even in that of ${quoted(own.breed)}, the breed it shows` : ''}`,
        shownBy: own
          ? [here.cats, here.catsOf(own.breed)]
          : [here.cats, here.breeds, ...lists.slice(0, 1).map(({ breed }) => here.catsOf(breed))],
      })
    }),
  }),
  check({
    ...common,
    id: 'membership/one-breed-only',
    title: 'no cat stands in the lists of two breeds',
    statements: ['S-CAT-BREED', 'S-CATS-OF-BREED'],
    why: 'A cat belongs to a breed, one breed.',
    how: 'The lists of all breeds are compared with each other.',
    fix: 'Match the breed’s whole name: a prefix or substring match is the usual cause.',
    tries: once(async ({ here }, read) => {
      const { lists, breedsOf } = await membership(here, read)
      const torn = lists.flatMap(({ list }) => list.names).find((cat) => breedsOf(cat).length > 1)
      if (torn === undefined) return
      const breeds = breedsOf(torn)
      broken({
        expected: 'every cat stands in one breed’s list',
        actual: `${quoted(torn)} stands in those of ${breeds.slice(0, 3).map(quoted).join(' and ')}`,
        shownBy: breeds.slice(0, 2).map((breed) => here.catsOf(breed)),
      })
    }),
  }),
  check({
    ...common,
    id: 'membership/breed-cats-are-listed',
    title: 'every cat of a breed stands in the list of all cats',
    statements: ['S-LIST-CATS', 'S-CATS-OF-BREED'],
    explainedBy: ['cats/names-stand-once', 'membership/every-cat-has-a-breed'],
    why: 'The list of all cats is the list of all cats.',
    how: 'Every cat of every breed’s list is looked for in the list of all cats.',
    fix: 'Serve both from the same rows, and list all of them: not a page, not a stale copy.',
    tries: once(async ({ here }, read) => {
      const { cats, lists } = await membership(here, read)
      for (const { breed, list } of lists) {
        const stray = list.names.find((cat) => !cats.has(cat))
        if (stray !== undefined)
          broken({
            expected: `every cat of ${quoted(breed)} stands in the list of all cats`,
            actual: `${quoted(stray)} does not (${cats.names.length} listed)`,
            shownBy: [here.cats, here.catsOf(breed)],
          })
      }
    }),
  }),
  check({
    ...common,
    id: 'membership/shown-breed',
    title: 'the breed that a cat shows is the breed in whose list it stands',
    statements: ['S-CAT-BREED', 'S-CATS-OF-BREED'],
    explainedBy: ['membership/every-cat-has-a-breed', 'membership/one-breed-only', 'membership/breed-cats-are-listed'],
    why: 'A cat that says one thing of its breed and stands in the list of another belongs to neither.',
    how: 'Where elements themselves show a breed, in the list of all cats or in a breed’s, it is compared, case, accents, blanks and punctuation set aside.',
    fix: 'Serve the breed and the lists from the same column.',
    tries: [
      once(async ({ here }, read) => {
        const { cats, lists } = await membership(here, read)
        for (const { breed, list } of lists) {
          for (const cat of list.names) {
            const shown = [
              { of: cats, by: here.cats },
              { of: list, by: here.catsOf(breed) },
            ].find(({ of }) => of.breedOf.has(cat) && essential(of.breedOf.get(cat) ?? '') !== essential(breed))
            if (shown)
              broken({
                expected: `${quoted(cat)}, in the list of ${quoted(breed)}, shows that breed`,
                actual: `it shows ${quoted(shown.of.breedOf.get(cat) ?? '')}`,
                shownBy: [...new Set([shown.by, here.catsOf(breed)])],
              })
          }
        }
      }),
      each(listedNames, async (name, { here }, read) => {
        const hits = here.search(name)
        const [found, cats, breeds] = await Promise.all([
          read(hits).then(foundBy),
          read(here.cats).then(listIn),
          listed(here.breeds, read),
        ])
        for (const [cat, shown] of found?.breedOf ?? []) {
          if (!cats.has(cat)) continue // another check's finding
          const breed = meant(shown, breeds)
          const list = breed === undefined ? undefined : await read(here.catsOf(breed)).then(foundBy)
          if (breed === undefined || !list || list.has(cat)) continue
          broken({
            expected: `${quoted(cat)}, found by a search for ${quoted(name)}, stands in the list of the breed that it shows, ${quoted(breed)}`,
            actual: 'it does not',
            shownBy: [hits, here.catsOf(breed)],
          })
        }
      }),
    ],
  }),
]
