import type { Read, Subject } from '../engine/reading.ts'
import { broken } from '../engine/throwables.ts'
import { all, check, each, type Try } from '../vocabulary/check.ts'
import type { Directory } from '../vocabulary/directory.ts'
import { anyBreedName, anyCatName, anyQuery } from '../vocabulary/inputs.ts'
import { listedNames } from '../vocabulary/listed.ts'
import { quoted } from '../vocabulary/text.ts'
import { malformed } from '../vocabulary/troubles.ts'

interface Answer {
  readonly kind: string
  readonly status?: number | undefined
  readonly why?: string
  readonly fault?: string
}

/** S-ROBUST. "no string put into q, <breed_name> or <name> makes the service fail on its own side (5xx), drop the connection, or not answer." */
async function survives(text: string, subject: Subject<Answer>, read: Read): Promise<void> {
  const reading = await read(subject)
  if (reading.kind !== 'failed') return
  const isWhole = reading.fault === undefined
  if (isWhole && reading.status !== undefined && reading.status < 500) return
  broken({
    expected: `${quoted(text)} is answered: with 2xx or any 4xx, never with 5xx, silence or a dropped connection`,
    actual: reading.why ?? `status ${reading.status}`,
    shownBy: [subject],
  })
}

/** "there any 4xx or an ordinary answer is fine, and a 5xx is a violation." */
const survivesMalformed = (subjectOf: (written: string, here: Directory) => Subject<Answer>): Try =>
  each(
    () => malformed,
    (written, { here }, read) => survives(written, subjectOf(written, here), read),
  )

const words = {
  level: 'must',
  statements: ['S-ROBUST'],
  why: 'A string that people type must not be a way to bring the service down.',
  how: 'Listed names, characters special to URLs, databases, regular expressions, templates and objects, control characters, every plane of Unicode, long texts, malformed percent-encoding, and generated strings.',
  fix: 'Treat the string as data all the way down; refuse what you cannot take with a 4xx.',
} as const

export const robustness = [
  check({
    ...words,
    id: 'breed-cats/survives-every-string',
    title: 'no breed name makes the service fail',
    operation: 'listCatsOfBreed',
    versions: 'each',
    requires: ['breeds/have-names'],
    explainedBy: ['breed-cats/is-served'],
    tries: [
      all(
        anyBreedName,
        (name, { here }) => [here.catsOf(name)],
        (name, { here }, read) => survives(name, here.catsOf(name), read),
      ),
      survivesMalformed((written, here) => here.written.catsOf(written)),
    ],
  }),
  check({
    ...words,
    id: 'search/survives-every-string',
    title: 'no query makes the service fail',
    operation: 'searchCats',
    versions: 'each',
    requires: ['cats/have-names', 'breeds/have-names'],
    explainedBy: ['search/is-served'],
    tries: [
      all(
        anyQuery,
        (query, { here }) => [here.search(query)],
        (query, { here }, read) => survives(query, here.search(query), read),
      ),
      each(listedNames, (name, { here }, read) => survives(name, here.search(name), read)),
      survivesMalformed((written, here) => here.written.search(written)),
    ],
  }),
  check({
    ...words,
    id: 'lives/survives-every-string',
    title: 'no cat name makes the service fail',
    operation: 'getLivesLeft',
    versions: 'v3',
    requires: ['cats/have-names'],
    explainedBy: ['lives/is-served'],
    tries: [
      all(
        anyCatName,
        (name, { here }) => [here.lives(name)],
        (name, { here }, read) => survives(name, here.lives(name), read),
      ),
      survivesMalformed((written, here) => here.written.lives(written)),
    ],
  }),
]
