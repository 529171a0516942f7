import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { createSimulatableDeployment } from '../../../fixtures/deployment/deploy.ts'
import { type Composition, composeChoices, hasFollowablePages } from '../../../fixtures/variants/composed/compose.ts'
import type { ElementChoice } from '../../../fixtures/variants/composed/elements.ts'
import type { PageChoice } from '../../../fixtures/variants/composed/pages.ts'
import { quickEffort } from '../support/extent.test.support.ts'
import { describeVerdicts } from '../support/verdict-lines.ts'
import { compositions } from './compositions.test.support.ts'
import { judgeInSimulatedTime } from './simulated.ts'

const { everything } = inject('extent')
const RUNS = everything ? 150 : 15
const EFFORT = { ...quickEffort, inputs: 12 }

async function describeWrongVerdict(composition: Composition): Promise<readonly string[]> {
  const deployment = createSimulatableDeployment('composed', 'several features at once', composeChoices(composition))
  const { result } = await judgeInSimulatedTime(deployment, { seed: 1 }, { bounds: EFFORT })
  const { conclusion } = result
  if (conclusion === 'conformant' || (conclusion === 'inconclusive' && !hasFollowablePages(composition))) return []
  return [conclusion, ...describeVerdicts(result, 'fail'), ...describeVerdicts(result, 'inconclusive')]
}

const SIMPLE_ELEMENT: ElementChoice = { id: 'none', name: 'name', extras: [], wrapper: 'none', isNameLast: false }
const WHOLE_LISTS: PageChoice = {
  request: 'none',
  size: 10,
  sign: 'link or null',
  furtherSigns: [],
  signsIn: 'body',
  form: 'plain',
  place: 'items',
  unrelated: [],
  fields: 'none',
  sizeParameter: undefined,
  paged: 'all lists',
}
const SIMPLE: Composition = {
  element: SIMPLE_ELEMENT,
  pages: WHOLE_LISTS,
  hits: undefined,
  v3: undefined,
  acceptsIds: false,
  directory: 'several pages',
  rule: 'substring',
  lives: 'object',
  miss: 'usual',
}

const paged = (pages: Partial<PageChoice>, element: Partial<ElementChoice> = {}): Composition => ({
  ...SIMPLE,
  element: { ...SIMPLE_ELEMENT, ...element },
  pages: { ...WHOLE_LISTS, ...pages },
})

/** Combinations that an earlier version of the suite judged wrongly, each reduced to the features that mattered. */
const rows: readonly (readonly [what: string, composition: Composition])[] = [
  [
    'only `last: false` says that there are more cats',
    paged({ request: 'an unknown number', sign: 'is last', paged: 'all cats' }),
  ],
  [
    'a page number of unknown name also works as a position, but leaves out pages',
    paged({ request: 'an unknown number', size: 5, sign: 'total in German', furtherSigns: ['first page'] }),
  ],
  [
    'the number beside the list is that of the next page',
    paged({ request: 'page[number]', sign: 'token or null', unrelated: ['next version'] }),
  ],
  ['only the number of pages says that there are more', paged({ request: 'pageToken', sign: 'pages' })],
  [
    'the totals of most lists are above their sizes, and a search finds one cat or none',
    { ...paged({ request: 'pageToken', size: 5, sign: 'total in German' }), directory: 26 },
  ],
  [
    'the token equals the number of elements',
    paged({ request: 'an unknown position', sign: "token or ''", unrelated: ['facets'] }),
  ],
  [
    'the token equals the number of elements, and no list is shorter',
    {
      ...paged({ request: 'an unknown position', size: 5, sign: "token or ''", paged: 'lists of cats' }),
      directory: 656_679,
    },
  ],
  [
    'the range counts from 1, the parameter from 0, in an array of two',
    paged({ request: '$skip', sign: 'range', place: 'second of two' }),
  ],
  [
    'a number in a header field is also a parameter for longer pages',
    paged({ request: 'an unknown position', sign: 'total', fields: 'rate limit', sizeParameter: 'limit' }),
  ],
  [
    'a name in HTML differs from the name on a later page only',
    paged({ request: 'cursor', sign: 'token or nothing' }, { name: 'unknown', extras: ['escaped'] }),
  ],
  [
    'a name without accents differs from the name on a later page only',
    paged({ request: 'page[number]', size: 5, sign: 'token or null' }, { name: 'array of one', extras: ['ascii'] }),
  ],
  [
    'names of owners have the likeliest key, and cats have none',
    paged(
      { request: 'page[number]', sign: 'path' },
      { extras: ['owner', 'initial'], wrapper: 'row', isNameLast: true },
    ),
  ],
  [
    'searches return elements of another form, with names without accents and in HTML',
    {
      ...SIMPLE,
      hits: { ...SIMPLE_ELEMENT, id: 'slug', name: 'languages', extras: ['escaped', 'upper', 'ascii'] },
      directory: 'other scripts',
    },
  ],
  [
    'searches find any word of two names of each cat',
    { ...SIMPLE, element: { ...SIMPLE_ELEMENT, name: 'languages', extras: ['escaped'] }, rule: 'any word' },
  ],
  [
    'few breeds have cats, and breeds are listed in capitals, too',
    {
      ...SIMPLE,
      element: { ...SIMPLE_ELEMENT, id: 'url', name: 'array of one', extras: ['upper', 'sentence'] },
      directory: 'few breeds with cats',
      miss: 'empty lists',
    },
  ],
  [
    'few breeds have cats, and paths accept ids',
    {
      ...SIMPLE,
      element: { ...SIMPLE_ELEMENT, id: 'uuid', name: 'array of one' },
      directory: 'few breeds with cats',
      acceptsIds: true,
      miss: 'HTML',
    },
  ],
  [
    'an element has a dozen strings whose keys are likelier',
    {
      ...SIMPLE,
      element: {
        id: 'prefixed',
        name: 'parts',
        extras: ['lower', 'display name', 'created', 'toys', 'tags', 'owner'],
        wrapper: 'resource',
        isNameLast: true,
      },
    },
  ],
]

describe('features of formats that are understood alone are understood together', () => {
  test.each(rows)('features of formats are understood together: %s', async (_, composition) => {
    expect(await describeWrongVerdict(composition)).toEqual([])
  })

  test('features of formats that are combined at random never fail, and are decided where links lead to all pages', async () => {
    const judged = fc.asyncProperty(compositions, async (composition) => {
      expect(await describeWrongVerdict(composition)).toEqual([])
    })
    await fc.assert(judged, { numRuns: RUNS, seed: 7 })
  })
})
