import type { StatementId } from '../../../../fixtures/contract/statements.ts'
import { contentOfReading, isDataContent } from '../../../directory/facts/reading-contents.ts'
import { readNamesForPaths } from '../../../directory/inputs/listed-names.ts'
import type { LivesReading } from '../../../directory/lives/lives-reading.ts'
import type { ListReading } from '../../../directory/readings/list-reading.ts'
import { quoted } from '../../../directory/shared/text.ts'
import type { Resource } from '../../../engine/check/readers.ts'
import { findDependence } from '../../../engine/evidence/compare-conditions.ts'
import { createHeadOfNewUrlCondition } from '../../../engine/evidence/request-conditions.ts'
import type { CheckProbe } from '../check.ts'
import { createDependenceProbe, isQuickEffort, reportDependence, type VariedResource } from './conditions.ts'
import { findConfusedBreeds, findConfusedCats, putCatsOfSameBreedFirst, selectSimilarNames } from './similar-names.ts'

const FIX_OF_HEAD =
  'A cache keeps the response to HEAD, which has no body, and sends it in response to GET. Put the method into the key of the cache, or let the cache request GET for HEAD (nginx: `proxy_cache_convert_head on`).'

/**
 * Fails if GET gets the response to HEAD, which has no body, from a cache (T2.5). Tested in one version, because a cache
 * usually serves both. Quick effort sends no HEAD.
 */
export const probeHeadOfNewUrl: CheckProbe = async (context) => {
  const { directory, livesDirectory, createUniqueValue, effort } = context.target
  if (context.hasViolation() || isQuickEffort(effort) || directory !== livesDirectory) return
  const condition = createHeadOfNewUrlCondition<ListReading>(createUniqueValue, (content) => !isDataContent(content))
  const compared = { resource: directory.cats, contentOf: contentOfReading, description: 'the list of all cats' }
  // Sends the requests of the condition once. The condition cannot be tested if it has no response of the list.
  const [contentAlone, round] = ['', 0]
  if ((await condition.read(compared, context, contentAlone, round)).own.length === 0) return
  const found = await findDependence<ListReading, VariedResource<ListReading>>([{ compared, condition }], context)
  if (found) await reportDependence(found, 'S-LIST-CATS', context, FIX_OF_HEAD)
}

/** The maximum number of other searches that are sent at the same time. */
const MAX_OTHER_SEARCHES = 3

/** Creates a probe of the list of all cats, or of all breeds. */
const createWholeListProbe = (operation: 'cats' | 'breeds', statement: StatementId): CheckProbe =>
  createDependenceProbe({
    operation,
    statement,
    selectVaried: async ({ target: { directory, history } }) =>
      history.hasVaried(`${directory.version} ${operation}`)
        ? [{ resource: directory[operation], contentOf: contentOfReading, description: `the list of all ${operation}` }]
        : [],
  })

export const probeRequestDependenceOfCatList = createWholeListProbe('cats', 'S-LIST-CATS')
export const probeRequestDependenceOfBreedList = createWholeListProbe('breeds', 'S-LIST-BREEDS')

/** Creates the varied resource for a listed name. The resources for similar names are requested at the same time. */
function createVariedResource<T extends ListReading | LivesReading>(
  description: string,
  name: string,
  similarNames: readonly string[],
  resourceOf: (name: string) => Resource<T>,
): VariedResource<T> {
  const similar = similarNames.map((one) => ({ name: one, resource: resourceOf(one) }))
  return {
    resource: resourceOf(name),
    contentOf: contentOfReading,
    description,
    namesAtFault: [name],
    similar,
    sameOperation: similar.map(({ resource }) => resource),
  }
}

/** Tests the lists of breeds' cats that varied, and equal lists of breeds with similar names. */
export const probeRequestDependenceOfBreedCats = createDependenceProbe({
  operation: 'catsOf',
  statement: 'S-CATS-OF-BREED',
  async selectVaried({ target: { directory, history, effort }, read }) {
    const breeds = await readNamesForPaths(directory.breeds, read)
    const lists = history.resources(`${directory.version} catsOf`).filter(({ name }) => breeds.includes(name))
    const varied = lists.filter(({ contents }) => contents.length > 1).map(({ name }) => name)
    const selected = new Set([...varied, ...findConfusedBreeds(lists)])
    return [...selected]
      .slice(0, effort.variedResources)
      .map((name) =>
        createVariedResource(
          `the list of cats of the breed ${quoted(name)}`,
          name,
          selectSimilarNames(name, breeds),
          directory.catsOf,
        ),
      )
  },
})

/** Tests the searches that varied. Quick effort tests none. */
export const probeRequestDependenceOfSearches = createDependenceProbe({
  operation: 'search',
  statement: 'S-SEARCH',
  async selectVaried({ target: { directory, history, effort } }) {
    if (isQuickEffort(effort)) return []
    const varied = history.variedResources(`${directory.version} search`).map(({ name }) => name)
    return varied.slice(0, effort.variedResources).map((query) => {
      const others = varied.filter((other) => other !== query).slice(0, MAX_OTHER_SEARCHES)
      return {
        resource: directory.search(query),
        contentOf: contentOfReading,
        description: `the search for ${quoted(query)}`,
        similar: selectSimilarNames(query, varied).map((name) => ({ name, resource: directory.search(name) })),
        sameOperation: others.map((other) => directory.search(other)),
      }
    })
  },
})

/** Tests the counts that varied, and equal counts of cats with similar names. */
export const probeRequestDependenceOfLives = createDependenceProbe({
  operation: 'lives',
  statement: 'S-LIVES',
  async selectVaried(context) {
    const { target, read } = context
    const { directory, history, effort } = target
    const names = await readNamesForPaths(directory.cats, read)
    const recorded = new Map(history.resources(`${directory.version} lives`).map((one) => [one.name, one]))
    const listed = names.flatMap((name) => recorded.get(name) ?? [])
    const unlisted = await read(directory.lives(directory.controlName()))
    const varied = new Set([
      ...listed.filter(({ contents }) => contents.length > 1).map(({ name }) => name),
      ...findConfusedCats(listed),
      // If an unlisted cat has a count, perhaps every cat gets the count of the cat that was requested just before.
      ...(unlisted.kind === 'count' ? names.slice(0, 1) : []),
    ])
    return Promise.all(
      [...varied].slice(0, effort.variedResources).map(async (name) => {
        const similarNames = selectSimilarNames(name, await putCatsOfSameBreedFirst(name, names, context))
        return createVariedResource(`the count of lives of ${quoted(name)}`, name, similarNames, directory.lives)
      }),
    )
  },
})
