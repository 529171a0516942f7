import { broken } from '../engine/throwables.ts'
import { all, check } from '../vocabulary/check.ts'
import { listIn } from '../vocabulary/found.ts'
import { anyBreedName } from '../vocabulary/inputs.ts'
import { essential, quoted } from '../vocabulary/text.ts'

/**
 * Not judged: names that fold to a listed one (O-NAME-MATCH); blanks alone; and dots alone, which any client or
 * intermediary may remove as dot segments, percent-encoded or not (RFC 3986 sections 5.2.4 and 6.2.2).
 */
const isUnknown = (name: string, breeds: readonly string[]): boolean =>
  /[^\p{Z}\p{C}\p{M}.]/u.test(name) && !breeds.some((breed) => essential(breed) === essential(name))

/** Ruling 12. "A non-empty list for a name that no breed has … is a violation". */
export const breedNameLaws = [
  check({
    id: 'breed-cats/unknown-breeds-have-none',
    title: 'a name that no breed has leads to no cats',
    operation: 'listCatsOfBreed',
    versions: 'each',
    level: 'must',
    statements: ['S-CATS-OF-BREED', 'S-HTTP'],
    requires: ['breed-cats/have-names'],
    explainedBy: ['breed-cats/survives-every-string'],
    why: 'The list of the breed so named holds no cat when no breed is so named; cats of another breed are a wrong answer.',
    how: 'GET the cats of near-misses of listed breeds, of strings that trouble paths and of generated ones: any 4xx, null or an empty list is fine.',
    fix: 'Compare whole names, decoded once; an encoded slash or dot is data, never a step in the path.',
    tries: all(
      anyBreedName,
      (name, { here }) => [here.catsOf(name)],
      async (name, { here }, read) => {
        const subject = here.catsOf(name)
        const [breeds, reading] = await Promise.all([read(here.breeds), read(subject)])
        if (reading.kind !== 'list' || reading.names.length === 0 || !isUnknown(name, listIn(breeds).names)) return
        broken({
          expected: `no breed is called ${quoted(name)}: a 4xx, null or an empty list`,
          actual: `a list of ${reading.names.length}, with ${quoted(reading.names[0] ?? '')}`,
          shownBy: [here.breeds, subject],
        })
      },
    ),
  }),
]
