import type { Directory, ListResource } from '../../../directory/facts/directory.ts'
import {
  contentOfReading,
  findReturningFactsByName,
  isDataContent,
  isFailureContent,
} from '../../../directory/facts/reading-contents.ts'
import { readBreedsIfReadable, readNamesForPaths } from '../../../directory/inputs/listed-names.ts'
import type { LivesReading } from '../../../directory/lives/lives-reading.ts'
import type { ListReading } from '../../../directory/readings/list-reading.ts'
import { namesOfReading } from '../../../directory/readings/names.ts'
import { quoted } from '../../../directory/shared/text.ts'
import type { Read, Reader } from '../../../engine/check/readers.ts'
import { findSlowAlternation, type SlowlyAlternatingFact } from '../../../engine/evidence/slow-alternation.ts'
import type { CheckProbe, VersionContext } from '../check.ts'
import { reportViolationOfReadings } from '../report-violation.ts'
import { isInList, isListMissing } from './missing-lists.ts'
import { isInvalidContent } from './stays-valid.ts'

/** The maximum number of facts that are visited. A fact is e.g. that a list contains a name. */
const MAX_VISITED = 8
/** The maximum number of names of one list that are visited. Some of them may have been removed meanwhile. */
const MAX_VISITED_PER_LIST = 3

/** A fact to visit, and what a finding says about it. */
interface SuspectedFact<T> extends SlowlyAlternatingFact<T> {
  readonly expected: string
  /** Describes the violation. `share` says how many responses show the fact, e.g. `3 of 9 responses`. */
  describe(share: string): string
}

/** Creates a function that returns whether a response shows the name; undefined if the response does not decide it. */
const createNameShownPredicate =
  (name: string) =>
  (reading: ListReading): boolean | undefined => {
    if (reading.kind === 'list') return reading.pages === 1 ? reading.has(name) : undefined
    // Another check reports invalid responses.
    return isListMissing(reading) && !isInvalidContent(contentOfReading(reading)) ? false : undefined
  }

/** Visits facts, e.g. names in lists. Reports the first one that only some responses show. */
async function reportIntermittentFact<T>(
  suspected: readonly SuspectedFact<T>[],
  context: VersionContext,
): Promise<void> {
  const some = suspected.slice(0, MAX_VISITED)
  const results = await Promise.all(
    some.map(async (fact) => ({ fact, found: await findSlowAlternation(fact, context) })),
  )
  for (const { fact, found } of results) {
    if (!found) continue
    return reportViolationOfReadings(fact.resource, context, {
      expected: fact.expected,
      actual: fact.describe(`${found.readingsWithFact} of ${found.readingCount} responses`),
      shownBy: [fact.resource],
      evidence: found.evidence,
      intermittent: 'yes',
      relation: 'explained by any',
    })
  }
}

/** Returns the names in the recorded content of a list. It has a line for each name, e.g. `Tom (Manx)` or `Tom`. */
const namesInContent = (content: string): readonly string[] =>
  isDataContent(content) ? content.split('\n').map((line) => line.replace(/ \([^()]*\)$/, '')) : []

/**
 * Creates a probe that fails if only some responses of a list contain a name, although another list always contains it
 * (T2.7). Visits the names that were missing from the list and returned during the run.
 * @param listOf returns the list; `breed` is the breed whose cats it contains, empty for a list of all cats or breeds
 * @param isShownElsewhere returns whether another list shows the name
 */
const createIntermittentNamesProbe =
  (
    listKind: 'cats' | 'breeds' | 'catsOf',
    listOf: (directory: Directory, breed: string) => ListResource,
    isShownElsewhere: (name: string, breed: string, directory: Directory, read: Read) => Promise<boolean>,
  ): CheckProbe =>
  async (context) => {
    const { directory, history, judgedDirectories, changeMonitor } = context.target
    if (context.hasViolation() || changeMonitor.isExplained('lists')) return
    const listed = ['', ...(await readBreedsIfReadable(directory, context.read))]
    const others = judgedDirectories.filter(({ version }) => version !== directory.version)
    const returningNames = findReturningFactsByName(history, `${directory.version} ${listKind}`, namesInContent)
    const suspected = [...returningNames].flatMap(([breed, names]) =>
      (listed.includes(breed) ? names : []).slice(0, MAX_VISITED_PER_LIST).map((name) => ({
        resource: listOf(directory, breed),
        isShownIn: createNameShownPredicate(name),
        text: name,
        otherSources: [
          ({ read }: Reader) => isShownElsewhere(name, breed, directory, read),
          ...others.map((other) => (reader: Reader) => isInList(name, listOf(other, breed), reader.read)),
        ],
        expected: `a list that always contains ${quoted(name)}, as another list does`,
        describe: (share: string) =>
          `${quoted(name)} keeps disappearing from the list and returning: only ${share} contain this name, although another list always contains it`,
      })),
    )
    await reportIntermittentFact(suspected, context)
  }

export const probeIntermittentCats = createIntermittentNamesProbe(
  'cats',
  ({ cats }) => cats,
  (name, _, { search }, read) => isInList(name, search(name), read),
)

export const probeIntermittentBreeds = createIntermittentNamesProbe(
  'breeds',
  ({ breeds }) => breeds,
  async (name, _, { catsOf }, read) => namesOfReading(await read(catsOf(name))).length > 0,
)

export const probeIntermittentCatsOfBreed = createIntermittentNamesProbe(
  'catsOf',
  ({ catsOf }, breed) => catsOf(breed),
  (name, breed, { search }, read) => isInList(name, search(breed), read),
)

/** Fails if the lives of a cat are served only in some responses, although the cat is listed all the time (T2.7). */
export const probeIntermittentCounts: CheckProbe = async (context) => {
  const { directory, history, changeMonitor } = context.target
  if (context.hasViolation() || changeMonitor.isExplained('lives')) return
  const names = await readNamesForPaths(directory.cats, context.read)
  const hasCount = (content: string) => (isFailureContent(content) ? [] : ['a count'])
  const returningCounts = findReturningFactsByName(history, `${directory.version} lives`, hasCount)
  const suspected = names
    .filter((cat) => (returningCounts.get(cat) ?? []).length > 0)
    .map((cat) => ({
      resource: directory.lives(cat),
      isShownIn: (reading: LivesReading) => {
        const content = contentOfReading(reading)
        return content === undefined ? undefined : !isFailureContent(content)
      },
      text: cat,
      otherSources: [(reader: Reader) => isInList(cat, directory.cats, reader.read)],
      expected: `the lives of ${quoted(cat)} are served as long as the cat is listed`,
      describe: (share: string) =>
        `the lives of ${quoted(cat)} are served only at times (${share}), although the cat is listed all the time`,
    }))
  await reportIntermittentFact(suspected, context)
}
