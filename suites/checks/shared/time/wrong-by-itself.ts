import type { Directory, ListResource } from '../../../directory/facts/directory.ts'
import { contentOfList, isDataContent } from '../../../directory/facts/reading-contents.ts'
import type { ListKind } from '../../../directory/pages/pagers.ts'
import { type Contradiction, reportViolation, UndecidedContradiction } from '../../../engine/check/violations.ts'
import { SEQUENTIAL_REPEATS } from '../../../engine/finding/reproduce.ts'
import type { CheckProbe } from '../check.ts'

/** Returns whether a response was not JSON, or a 5xx of a service that is available. */
const isWrong = (content: string | undefined): boolean =>
  content !== undefined && /^(not-json|status 5\d\d)$/.test(content)

/**
 * Fails if a list once had an invalid response during the run, and has one when it is requested again. Ends
 * inconclusive if all repeated responses are valid: a change of the data cannot explain the invalid one (T2.9).
 */
const createStaysValidProbe =
  (group: ListKind, resourceOf: (directory: Directory, name: string) => ListResource): CheckProbe =>
  async ({ target: { directory, history }, isSettled, hasViolation, verify, createFreshReader }) => {
    const seen = history
      .variedResources(`${directory.version} ${group}`)
      .find(({ contents }) => contents.some(isDataContent) && contents.some(isWrong))
    if (!seen || isSettled()) return
    const resource = resourceOf(directory, seen.name)
    const contradiction = (content = ''): Contradiction => ({
      expected: 'a valid response each time',
      actual: `a repeated request returned ${content === 'not-json' ? 'a body that is not JSON' : content}`,
      defectKind: content,
      shownBy: [resource],
      isWrongByItself: true,
    })
    await verify(async (read) => {
      for (let time = 0; time < SEQUENTIAL_REPEATS; time++) {
        const content = contentOfList(await (time === 0 ? read : createFreshReader().read)(resource))
        if (isWrong(content)) reportViolation(contradiction(content))
      }
    })
    if (hasViolation()) return
    const once = contradiction(seen.contents.find(isWrong))
    throw new UndecidedContradiction('unstable', `${once.actual}; the next response was valid again`, once)
  }

export const probeCatListStaysValid = createStaysValidProbe('cats', ({ cats }) => cats)
export const probeBreedListStaysValid = createStaysValidProbe('breeds', ({ breeds }) => breeds)
export const probeListsByBreedStayValid = createStaysValidProbe('catsOf', ({ catsOf }, name) => catsOf(name))
