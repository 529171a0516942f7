import { expect, test } from 'vitest'
import { createSimulatableDeployment } from '../../../fixtures/deployment/deploy.ts'
import { createFixtureDirectory } from '../../../fixtures/deployment/directory.ts'
import type { CatElement } from '../../../fixtures/deployment/lists.ts'
import { pagesLinkedToOtherOrigin } from '../../../fixtures/deployment/pages/pages.ts'
import { createProblemResponse } from '../../../fixtures/deployment/responses.ts'
import { editCats, respondAlways } from '../../../fixtures/mutants/defects.ts'
import { onlyForBreed } from '../../../fixtures/mutants/lists/response-edits.ts'
import {
  filterRequestsForTrigger,
  isRequestOf,
  onFirstRequestsPerUrl,
  triggerDefect,
} from '../../../fixtures/mutants/time/triggers.ts'
import { createPagedChoices } from '../../../fixtures/variants/pages/pages.ts'
import { createVariant } from '../../../fixtures/variants/variant.ts'
import { judge } from '../../judge/judge.ts'
import { judgeInSimulatedTime } from '../deployments/simulated.ts'

test('a search that violates all rules once, and then follows one, is unstable', async () => {
  const missesOnce = triggerDefect(
    filterRequestsForTrigger(({ rawTarget }) => rawTarget.endsWith('?q=e'), onFirstRequestsPerUrl(1)),
    editCats((list) => list.slice(0, -1)),
  )
  const running = await createSimulatableDeployment('a-letter-misses-once', '', {}, missesOnce).start()
  const { verdicts } = await judge({ baseUrl: running.baseUrl, seed: 1 })
  await running.close()
  const reported = verdicts.filter(({ check }) => check.id === 'search/follows-a-rule')
  expect(reported.map(({ status, reason }) => [status, reason?.replace(/:.*/s, '')])).toEqual([
    ['inconclusive', 'unstable'],
    ['inconclusive', 'unstable'],
  ])
})

test('a search with missing hits gives no additional advice that no rule explains it', async () => {
  const showsTen = triggerDefect(
    () => isRequestOf('searchCats', 'v2'),
    editCats((list) => list.slice(0, 10)),
  )
  const running = await createSimulatableDeployment('search-shows-ten', '', {}, showsTen).start()
  const { verdicts } = await judge({ baseUrl: running.baseUrl, seed: 1 })
  await running.close()
  const found = verdicts.filter(({ finding, cause }) => finding && !cause)
  expect(found.map(({ check, version }) => `${check.id} ${version}`)).toEqual(['parity/search-of-any-string v2+v3'])
})

test('a search that follows a rule gets no advice because the list of a breed that it also matches is not served', async () => {
  const siameseIsNotFound = onlyForBreed('Siamese', respondAlways(createProblemResponse(404)))
  const running = await createSimulatableDeployment('one-breed-404', '', {}, siameseIsNotFound).start()
  const { verdicts } = await judge({ baseUrl: running.baseUrl, seed: 1 })
  await running.close()
  const reported = verdicts.filter(({ status, cause }) => ['fail', 'warn'].includes(status) && !cause)
  expect(reported.map(({ check, version }) => `${check.id} ${version}`)).toEqual(['breed-cats/is-served v2'])
})

/** The element of a list with a slug and an HTML title beside the name, as in WordPress. */
const withSlugAndTitle: CatElement = ({ name }) => ({
  slug: name.toLowerCase().replace(/\W+/g, '-'),
  title: { rendered: name.replaceAll('&', '&#038;').replaceAll('"', '&#8220;'), raw: name },
})

test('a search that follows a rule gets no advice because it does not match the HTML title beside the name', async () => {
  const directory = createFixtureDirectory({
    Rex: ['Quote "Q"', 'Salt & Pepper', 'Tom Cat', 'Daisy'],
    Siamese: ['Mia', 'Salem', 'Felix', 'Comma, The', 'Ivy & Co', 'Jasper 9'],
  })
  const running = await createSimulatableDeployment('titles', '', { cat: withSlugAndTitle, directory }).start()
  const { verdicts } = await judge({ baseUrl: running.baseUrl, seed: 1 })
  await running.close()
  const advised = verdicts.filter(({ status, cause }) => ['fail', 'warn'].includes(status) && !cause)
  expect(advised.map(({ check, version }) => `${check.id} ${version}`)).toEqual([])
})

test('no matching rule is inferred if the list of breeds may have more pages', async () => {
  const choices = createPagedChoices(pagesLinkedToOtherOrigin)
  const reverseBreeds: typeof choices.paging = (elements, request) =>
    choices.paging(request.rawTarget === '/v3/breeds' ? elements.toReversed() : elements, request)
  const variant = createVariant('breeds-reversed', 'v3 lists other breeds first', 'O-CACHE absent', {
    ...choices,
    v3: { paging: reverseBreeds },
  })
  const { result } = await judgeInSimulatedTime(variant, { seed: 1 }, { seed: 1 })
  const verdict = result.verdicts.find(({ check, version }) => check.id === 'search/follows-a-rule' && version === 'v3')
  expect(verdict?.status).toBe('inconclusive')
  expect(verdict?.reason).toMatch(/no matching rule can be inferred from .* may be only one page of a longer list/)
})
