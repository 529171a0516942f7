import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Verdict } from '../../engine/check/verdict.ts'
import { groupByRootCause } from '../../engine/run/root-causes.ts'
import {
  createFailedVerdict,
  createTraits,
  createVerdict,
  describeCauses,
} from '../deployments/verdicts.test.support.ts'

const INTERMITTENT_A = { causeTraits: createTraits({ isIntermittent: true, inputs: new Set(['a']) }) }
const COMMON_SLASH = { causeTraits: createTraits({ traitsOfNames: ['contain a slash'] }) }
const MISREAD_SLASH = { causeTraits: createTraits({ misreadTraits: ['contain a slash'] }) }

// Clause V2.1 of the contract.
describe('one root cause is one finding', () => {
  test.each<[string, Verdict[], string[]]>([
    [
      'two requests of one operation get a different response each time',
      [
        createVerdict('search/x', 'v2', { actual: 'x' }, INTERMITTENT_A),
        createVerdict(
          'search/y',
          'v3',
          { actual: 'y' },
          { causeTraits: createTraits({ isIntermittent: true, inputs: new Set(['b']) }) },
        ),
      ],
      ['search/x v2', 'see search/x v2'],
    ],
    [
      'many requests get a different response each time, and another one is always wrong, in step with the requests',
      [
        createVerdict(
          'search/x',
          'v2',
          { actual: 'x' },
          { causeTraits: createTraits({ isIntermittent: true, inputs: new Set('abc') }) },
        ),
        createVerdict('search/y', 'v3', { actual: 'y' }, { causeTraits: createTraits({ inputs: new Set(['d']) }) }),
      ],
      ['search/x v2', 'see search/x v2'],
    ],
    [
      'operations refuse listed names in the same way, and one in another way',
      [
        createFailedVerdict('listCatsOfBreed', ['breeds/is-served', 'v2'], 'status 404 (2 of 9 inputs affected)', 'a'),
        createFailedVerdict('getLivesLeft', ['lives/is-served', 'v3'], 'status 404', 'b'),
        createFailedVerdict('searchCats', ['search/is-served', 'v3'], 'status 405', 'c'),
        createFailedVerdict('listCats', ['cats/is-a-list', 'v3'], 'status 404', 'd'),
      ],
      ['breeds/is-served v2', 'see breeds/is-served v2', 'search/is-served v3', 'cats/is-a-list v3'],
    ],
    [
      'operations misread the same listed names, and no others',
      [
        createFailedVerdict('searchCats', ['search/x', 'v2'], 'x', 'ab'),
        createFailedVerdict('getLivesLeft', ['lives/y', 'v3'], 'y', 'ba'),
        createFailedVerdict('listBreeds', ['breeds/z', 'v3'], 'z', 'abc'),
      ],
      ['search/x v2', 'see search/x v2', 'breeds/z v3'],
    ],
    [
      'operations misread every name: each may have its own reason',
      [
        createFailedVerdict('searchCats', ['search/x', 'v2'], 'x', 'ab', 2),
        createFailedVerdict('getLivesLeft', ['lives/y', 'v3'], 'y', 'ab', 2),
      ],
      ['search/x v2', 'lives/y v3'],
    ],
    [
      'both versions misread the same kind of input, tested with different inputs',
      [
        createVerdict('search/x', 'v2', { counterexample: '"a"', actual: 'x' }, MISREAD_SLASH),
        createVerdict('search/x', 'v3', { counterexample: '"b"', actual: 'y' }, MISREAD_SLASH),
      ],
      ['search/x v2', 'see search/x v2'],
    ],
    [
      'a violation has the cause of another one, which has the cause of the first',
      [
        createVerdict('search/x', 'v2', { counterexample: '"a"', actual: 'x' }, COMMON_SLASH),
        createVerdict('search/y', 'v2', { counterexample: '"b"', actual: 'y' }, COMMON_SLASH),
        createVerdict('search/y', 'v3', { counterexample: '"b"', actual: 'z' }),
      ],
      ['search/x v2', 'see search/x v2', 'see search/x v2'],
    ],
    [
      'the same input violates the same requirement in both versions',
      [
        createVerdict('search/x', 'v2', { counterexample: '"%"', actual: 'status 500' }),
        createVerdict('search/x', 'v3', { counterexample: '"%"', actual: 'silence' }),
      ],
      ['search/x v2', 'see search/x v2'],
    ],
    [
      'inputs overlap, though the smallest differ',
      [
        createVerdict('search/x', 'v2', { counterexample: '"a"', inputs: ['"a"', '"b"'], actual: 'status 404' }),
        createVerdict('search/x', 'v3', { counterexample: '"b"', inputs: ['"b"'], actual: 'status 410' }),
      ],
      ['search/x v2', 'see search/x v2'],
    ],
    [
      'a larger input shows both defects, and the smallest of each version shows one',
      [
        createVerdict(
          'search/x',
          'v2',
          { counterexample: '1', inputs: ['1', '12'], actual: 'status 500' },
          { causeTraits: createTraits({ misreadTraits: ['contain a 1'] }) },
        ),
        createVerdict(
          'search/x',
          'v3',
          { counterexample: '2', inputs: ['2', '12'], actual: 'status 500' },
          { causeTraits: createTraits({ misreadTraits: ['contain a 2'] }) },
        ),
      ],
      ['search/x v2', 'search/x v3'],
    ],
    [
      'both versions have the same finding',
      [
        createVerdict('cats/x', 'v2', { actual: '"Tom" is not in v2' }),
        createVerdict('cats/x', 'v3', { actual: '"Tom" is not in v3' }),
      ],
      ['cats/x v2', 'see cats/x v2'],
    ],
    [
      'other inputs with other responses are another defect',
      [
        createVerdict('search/x', 'v2', { counterexample: '"%"', actual: 'status 500' }),
        createVerdict('search/x', 'v3', { counterexample: '"/"', actual: 'status 404' }),
      ],
      ['search/x v2', 'search/x v3'],
    ],
    [
      'names with a common property fail in the operations that take them',
      [
        createVerdict(
          'lives/x',
          'v3',
          {},
          { causeTraits: createTraits({ traitsOfNames: ['contain a slash'], misreadTraits: [] }) },
        ),
        createVerdict(
          'breed-cats/x',
          'v2',
          {},
          { causeTraits: createTraits({ traitsOfNames: ['contain a slash', 'z'], misreadTraits: [] }) },
        ),
      ],
      ['lives/x v3', 'see lives/x v3'],
    ],
    [
      'one request gets a different response each time, and another one is always wrong',
      [
        createVerdict('search/x', 'v2', { actual: 'x' }, INTERMITTENT_A),
        createVerdict('search/y', 'v3', { actual: 'y' }, { causeTraits: createTraits({ inputs: new Set(['d']) }) }),
      ],
      ['search/x v2', 'search/y v3'],
    ],
    [
      'a refused string and a string that fails are two defects',
      [
        createVerdict(
          'lives/x',
          'v3',
          {},
          { causeTraits: createTraits({ traitsOfNames: ['contain a slash'], misreadTraits: [] }) },
        ),
        createVerdict(
          'breed-cats/x',
          'v2',
          {},
          {
            causeTraits: createTraits({
              isServiceFailure: true,
              traitsOfNames: ['contain a slash'],
              misreadTraits: [],
            }),
          },
        ),
      ],
      ['lives/x v3', 'breed-cats/x v2'],
    ],
    [
      'a character that is misread in a listed name is misread in other names of the operation',
      [
        createVerdict(
          'breeds/x',
          'v2',
          {},
          { causeTraits: createTraits({ traitsOfNames: [], misreadTraits: ['contain a percent sign'] }) },
        ),
        createVerdict('breeds/y', 'v2', {}, { causeTraits: createTraits({ inputs: new Set(['Lyk%6Fi']) }) }),
      ],
      ['breeds/x v2', 'see breeds/x v2'],
    ],
    [
      'a failing string without the special character is another defect',
      [
        createVerdict(
          'breeds/x',
          'v2',
          {},
          { causeTraits: createTraits({ traitsOfNames: [], misreadTraits: ['contain a percent sign'] }) },
        ),
        createVerdict('breeds/y', 'v2', {}, { causeTraits: createTraits({ inputs: new Set(['Lykoi']) }) }),
      ],
      ['breeds/x v2', 'breeds/y v2'],
    ],
    [
      'the same character makes several operations fail',
      ['search/x', 'lives/x'].map((id) =>
        createVerdict(id, 'v3', {}, { causeTraits: createTraits({ isServiceFailure: true, misreadTraits: ['a'] }) }),
      ),
      ['search/x v3', 'see search/x v3'],
    ],
    [
      'one character makes one operation fail, and two characters another',
      [
        createVerdict(
          'search/x',
          'v3',
          {},
          { causeTraits: createTraits({ isServiceFailure: true, misreadTraits: ['a'] }) },
        ),
        createVerdict(
          'lives/x',
          'v3',
          {},
          { causeTraits: createTraits({ isServiceFailure: true, misreadTraits: ['a', 'b'] }) },
        ),
      ],
      ['search/x v3', 'lives/x v3'],
    ],
    [
      'a character that is written wrongly in one operation is written wrongly in another',
      ['cats/x', 'breeds/x'].map((id) =>
        createVerdict(id, 'v2', {}, { causeTraits: createTraits({ crossOperationCause: 'a comma' }) }),
      ),
      ['cats/x v2', 'see cats/x v2'],
    ],
    [
      'each character is written wrongly in its own way',
      [
        createVerdict('cats/x', 'v2', {}, { causeTraits: createTraits({ crossOperationCause: 'a comma' }) }),
        createVerdict('breeds/x', 'v2', {}, { causeTraits: createTraits({ crossOperationCause: 'not UTF-8' }) }),
      ],
      ['cats/x v2', 'breeds/x v2'],
    ],
    [
      'another requirement is another finding',
      [createVerdict('cats/x', 'v2', {}), createVerdict('breeds/x', 'v2', {})],
      ['cats/x v2', 'breeds/x v2'],
    ],
    [
      'advice explains no failure',
      [createVerdict('cats/x', 'v2', {}, { status: 'warn' }), createVerdict('cats/x', 'v3', {})],
      ['cats/x v2', 'cats/x v3'],
    ],
  ])('violations are grouped by cause: %s', (_, verdicts, expected) => {
    expect(describeCauses(verdicts)).toEqual(expected)
  })

  const anyVerdict = fc.record({
    id: fc.constantFrom('cats/a', 'cats/b', 'search/a'),
    version: fc.constantFrom('v2', 'v3', 'v2+v3'),
    status: fc.constantFrom('pass', 'fail', 'warn', 'inconclusive'),
    inputs: fc.array(fc.constantFrom('"a"', '"b"', '"c"'), { maxLength: 2 }),
    actual: fc.constantFrom('status 500', 'not in v2', 'not in v3'),
  })

  test('findings of one cause are grouped completely, and the referenced one leads', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyVerdict, { selector: ({ id, version }) => `${id} ${version}` }), (given) => {
        const verdicts = given.map(({ id, version, status, inputs, actual }) =>
          createVerdict(id, version, status === 'pass' ? undefined : { inputs, actual }, {
            status,
          } as Partial<Verdict>),
        )
        const grouped = groupByRootCause(verdicts)
        for (const [index, one] of grouped.entries()) expect(one).toMatchObject(verdicts[index] ?? {})
        expect(grouped).toHaveLength(verdicts.length)
        for (const { status, cause } of grouped) {
          if (!cause) continue
          expect(grouped).toContain(cause)
          expect([cause.cause, cause.status]).toEqual([undefined, status])
        }
      }),
    )
  })
})
