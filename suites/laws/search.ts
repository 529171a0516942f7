import type { Read } from '../engine/reading.ts'
import { broken, Inconclusive } from '../engine/throwables.ts'
import { inferRule } from '../vocabulary/answers.ts'
import { all, check, each } from '../vocabulary/check.ts'
import type { Directories, Directory } from '../vocabulary/directory.ts'
import { foundBy, listed, listIn } from '../vocabulary/found.ts'
import { anyQuery } from '../vocabulary/inputs.ts'
import type { Named } from '../vocabulary/list.ts'
import { listedNames } from '../vocabulary/listed.ts'
import { folded, isAscii, quoted } from '../vocabulary/text.ts'
import { specials, unremarkable } from '../vocabulary/troubles.ts'

const reads = (query: string, { here }: Directories) => [here.search(query)]
const common = { operation: 'searchCats', versions: 'each', level: 'must', requires: ['search/have-names'] } as const

/**
 * Ruling 8: what may be read as syntax, dropped or transliterated is not judged, nor what `specials` are judged by.
 * Left are letters and digits, with blanks and unremarkable characters between them.
 */
const isPlain = (query: string): boolean =>
  /^[a-z0-9 ,;!=@<>&#`]*$/.test(query) && /[a-z0-9]/.test(query) && !/\b(and|or|not|near|to)\b/.test(query)

/** The breeds that a cat is known to be of: what its element shows, else in whose list it stands. */
async function breedsOf(cat: string, shown: readonly Named[], here: Directory, read: Read): Promise<string[]> {
  const own = shown.flatMap(({ breedOf }) => breedOf.get(cat) ?? [])
  const breeds = await listed(here.breeds, read)
  if (own.length > 0 && own.every((breed) => breeds.includes(breed))) return own
  const standsIn = await Promise.all(
    breeds.map(async (breed) => ((foundBy(await read(here.catsOf(breed)))?.has(cat) ?? true) ? [breed] : [])),
  )
  return [...own, ...standsIn.flat()]
}

/** Signs that a search may read as words: and, at, plus, percent. */
const SPELT_OUT = /[&@+%#]/

const sharesNone = (query: string, text: string): boolean => ![...query].some((char) => text.includes(char))

/** Ruling 8. "every hit stands in the list of all cats, once. A hit that shares no character with the query … matches under no textual rule". */
export const searchLaws = [
  check({
    ...common,
    id: 'search/finds-only-listed-cats',
    title: 'a search finds only cats that are listed',
    statements: ['S-SEARCH', 'S-LIST-CATS'],
    explainedBy: ['membership/breed-cats-are-listed', 'search/finds-every-cat-by-name'],
    why: 'A hit that is not in the list of all cats is a cat that is not there.',
    how: 'Every hit of every query, listed names and generated strings alike, is looked for in the list of all cats.',
    fix: 'Search the rows that the list is made of; a stale index is the usual cause.',
    tries: [all(anyQuery, reads, onlyListed), each(listedNames, onlyListed)],
  }),
  check({
    ...common,
    id: 'search/hits-share-a-character',
    title: 'a hit shares a character with the query',
    statements: ['S-SEARCH'],
    explainedBy: ['search/finds-only-listed-cats', 'membership/shown-breed'],
    why: 'The query is matched against names and breeds; what shares nothing with it matches by no rule: the query was not looked at.',
    how: 'For listed names and generated queries of ASCII letters and digits: every hit’s name or breed has at least one character of the query, case and accents set aside.',
    fix: 'Match the query; an ignored or misnamed parameter, or a query emptied on its way, is the usual cause.',
    tries: [all(anyQuery, reads, sharing), each(listedNames, sharing)],
  }),
  check({
    ...common,
    id: 'search/special-characters-are-literal',
    title: 'characters special to SQL and regular expressions are characters',
    statements: ['S-SEARCH'],
    explainedBy: [
      'search/hits-share-a-character',
      'search/finds-only-listed-cats',
      'search/finds-every-cat-by-name',
      'search/survives-every-string',
    ],
    why: 'A query that reaches a database or a regular expression unescaped finds what nobody asked for, and is a way in.',
    how: `Each of ${specials.join(' ')}, alone and in place of a character of a listed name, may find only cats that contain it or that ${unremarkable.join(' ')} find in the same place.`,
    fix: 'Pass the query as a parameter and escape it for LIKE or the regular expression that it becomes part of.',
    tries: each(
      specialQueries,
      async ({ query, special }, { here }, read) => {
        const subject = here.search(query)
        const likes = [
          ...unremarkable.map((char) => here.search(query.replaceAll(special, char))),
          // One that drops or blanks the character has an empty query left (O-SEARCH-BLANK).
          ...(query === special ? [here.search(''), here.search(' ')] : []),
        ]
        const [reading, cats, ...others] = await Promise.all([subject, here.cats, ...likes].map(read))
        const hits = reading && foundBy(reading)
        const controls = others.map(foundBy)
        if (!hits || !cats || controls.some((control) => control === undefined)) return
        for (const hit of hits.names) {
          if (controls.some((control) => control?.has(hit))) continue
          const breeds = await breedsOf(hit, [hits, listIn(cats)], here, read)
          if (breeds.length === 0 || [hit, ...breeds].some((text) => text.normalize('NFKD').includes(special))) continue
          const shown = quoted(query)
          broken({
            expected: `a search for ${shown} finds only cats with ${quoted(special)} in name or breed, or those that it finds with ${unremarkable.join(' or ')} in its place`,
            actual: `it finds ${quoted(hit)}${hits.names.length > 1 ? ` and ${hits.names.length - 1} more` : ''}`,
            shownBy: [subject, ...likes.slice(0, 1)],
          })
        }
      },
      { textOf: ({ query }) => quoted(query) },
    ),
  }),
  check({
    ...common,
    id: 'search/follows-a-rule',
    title: 'one rule of matching explains what is found',
    level: 'should',
    statements: ['S-SEARCH'],
    when: 'last',
    explainedBy: [
      'search/hits-share-a-character',
      'search/finds-only-listed-cats',
      'search/finds-every-cat-by-name',
      'search/finds-every-cat-of-a-breed',
    ],
    why: 'How a search matches is its own choice; but people must be able to foresee what they find.',
    how: 'All queries of the run are held against exact, prefix, word, substring and fuzzy matching, with case and accents or without.',
    fix: 'If no rule was meant to be left, look at the answer shown: it is the shortest that the best-fitting rule does not explain.',
    tries: async ({ context: { here, watch }, memory, judge }) => {
      if ((await watch.late()).lists)
        throw new Inconclusive('drift', 'the directory changed while the queries were asked')
      const inference = await inferRule(here, memory)
      await judge(async () => {
        if (!inference?.contradiction) return
        const {
          rule,
          explained,
          asked,
          contradiction: { query, name, isFound },
        } = inference
        broken({
          expected: `what fits best, ${rule.name} matching that ignores ${rule.ignores} (${explained} of ${asked} queries), explains every answer`,
          actual: `a search for ${quoted(query)} ${isFound ? 'finds' : 'does not find'} ${quoted(name)}`,
          shownBy: [here.search(query)],
        })
      })
    },
  }),
]

async function onlyListed(query: string, { here }: Directories, read: Read): Promise<void> {
  const subject = here.search(query)
  const [cats, reading] = await Promise.all([read(here.cats), read(subject)])
  const stray = foundBy(reading)?.names.find((name) => !listIn(cats).has(name))
  if (stray !== undefined)
    broken({
      expected: `what a search for ${quoted(query)} finds stands in the list of all cats`,
      actual: `${quoted(stray)} does not`,
      shownBy: [here.cats, subject],
    })
}

async function sharing(query: string, { here }: Directories, read: Read): Promise<void> {
  // A filter may drop what is not ASCII: only what was so before folding is judged.
  const sought = query.toLowerCase()
  if (!isPlain(sought)) return
  const subject = here.search(query)
  const [cats, reading] = await Promise.all([read(here.cats), read(subject)])
  const hits = foundBy(reading)
  for (const hit of hits?.names ?? []) {
    if (!hits || !isAscii(folded(hit)) || SPELT_OUT.test(hit) || !sharesNone(sought, folded(hit))) continue
    const breeds = (await breedsOf(hit, [hits, listIn(cats)], here, read)).map(folded)
    if (breeds.length === 0 || !breeds.every((breed) => isAscii(breed) && sharesNone(sought, breed))) continue
    broken({
      expected: `what a search for ${quoted(query)} finds has at least one of its characters in name or breed`,
      actual: `${quoted(hit)} of the breed ${breeds.map(quoted).join(', ')} has none`,
      shownBy: [subject],
    })
  }
}

const SQL = ["' OR '1'='1", "' OR 1=1 -- "]

interface SpecialQuery {
  readonly query: string
  readonly special: string
}

/** Each special character alone and in the middle of a few listed names of plain letters, and a quote as SQL knows it. */
async function specialQueries({ here }: Directories, read: Read): Promise<SpecialQuery[]> {
  const plain = (await listed(here.cats, read))
    .filter((name) => /^[A-Za-z]{4,14}$/.test(name))
    .sort()
    .slice(0, 2)
  const around = [
    ['', ''],
    ...plain.map((name) => [name.slice(0, name.length >> 1), name.slice((name.length >> 1) + 1)]),
  ]
  const single = around.flatMap(([before = '', after = '']) =>
    specials.map((special) => ({ query: before + special + after, special })),
  )
  return [...single, ...SQL.map((query) => ({ query, special: "'" }))]
}
