import type { Read } from '../engine/reading.ts'
import { broken, Inconclusive } from '../engine/throwables.ts'
import { check, once } from '../vocabulary/check.ts'
import type { Directories, Directory } from '../vocabulary/directory.ts'
import { type ListReading, whyNoList } from '../vocabulary/list.ts'

const PROBE = 'a'

const subjectsOf = (directory: Directory) => [directory.cats, directory.breeds, directory.search(PROBE)]

async function survey(directories: readonly Directory[], read: Read) {
  const subjects = directories.flatMap(subjectsOf)
  const readings = await Promise.all(subjects.map((subject) => read(subject).catch(asUnreadable)))
  return { subjects, readings, served: readings.filter(({ kind }) => kind !== 'refused' && kind !== 'failed') }
}

/** What can be read in part only is there all the same. */
function asUnreadable(error: unknown): ListReading {
  if (error instanceof Inconclusive && error.kind === 'unreadable') return { kind: 'unreadable', why: error.message }
  throw error
}

const bothOf = ({ v2, v3 }: Directories) => [v2, v3]

/** The first thing to find out: is this a cat directory at all, and is the base URL its own? */
export const service = [
  check({
    id: 'service/answers',
    title: 'the base URL serves a cat directory',
    operation: 'all',
    versions: 'both',
    level: 'must',
    statements: ['S-SIDE-BY-SIDE', 'S-GET', 'S-JSON'],
    why: 'With a wrong base URL everything is missing, and nothing is found out.',
    how: 'GET the lists of cats and breeds and one search under both prefixes: one of them must be answered with 2xx, one of these in JSON.',
    fix: 'Give the URL below which /v2/cats and /v3/cats stand, with its path if it has one, and credentials if it needs them.',
    tries: once(async (directories, read) => {
      const { subjects, readings, served } = await survey(bothOf(directories), read)
      const first = readings[0]
      if (served.length === 0) {
        if (readings.every((one) => one.kind === 'refused' && [401, 403, 407].includes(one.status))) {
          throw new Inconclusive(
            'prerequisite',
            `every answer is ${first ? whyNoList(first) : 'a refusal'}: the deployment asks for credentials; give them with --header or --token`,
          )
        }
        broken({
          expected: 'at least one of the lists of cats and breeds and the searches is answered with 2xx',
          actual: `none is; the list of cats: ${first ? whyNoList(first) : 'not asked'}`,
          shownBy: subjects.slice(0, 2),
        })
      }
      if (
        served.every(({ kind }) => kind === 'not-json') &&
        !served.some((one) => one.kind === 'not-json' && /[/+]json\b/i.test(one.mediaType))
      ) {
        throw new Inconclusive(
          'unreadable',
          'nothing under the base URL answers in JSON, the only format this suite reads: is it the address of a web page?',
        )
      }
    }),
  }),
  check({
    id: 'versions/side-by-side',
    title: 'both versions are present at once',
    operation: 'all',
    versions: 'each',
    level: 'must',
    statements: ['S-SIDE-BY-SIDE'],
    requires: ['service/answers'],
    why: 'A client chooses its version by the prefix; both must be there for it to choose.',
    how: 'GET the lists of cats and breeds and one search under this prefix: one of them must be answered with 2xx.',
    fix: 'Mount the service under this prefix too, or judge one version alone with --versions.',
    tries: once(async ({ here }, read) => {
      const { subjects, readings, served } = await survey([here], read)
      const first = readings[0]
      if (served.length > 0 || !first) return
      if (first.kind === 'refused' && [401, 407].includes(first.status))
        throw new Inconclusive(
          'prerequisite',
          `status ${first.status}: ${here.version} asks for credentials; give them with --header or --token`,
        )
      broken({
        expected: `something is served under /${here.version}`,
        actual: `nothing is; the list of cats: ${whyNoList(first)}`,
        shownBy: subjects.slice(0, 2),
      })
    }),
  }),
]
