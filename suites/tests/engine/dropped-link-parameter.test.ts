import { expect, test } from 'vitest'
import { assertNoDuplicates } from '../../checks/shared/list-assertions.ts'
import { assertSameNames } from '../../checks/shared/same-names.ts'
import type { NameList } from '../../directory/readings/list-reading.ts'
import { createCachingReader } from '../../engine/check/readers.ts'
import { Violation } from '../../engine/check/violations.ts'
import { readListInPages } from '../directory/read-pages.test.support.ts'
import { createExchange } from '../layout/tables.test.support.ts'

const WITHOUT_Q = 'the link to the next page drops the parameter q'

/** Reads a list of two pages. The first has Tom and Tim; its link leads to a page with the names `later`. */
async function readLinkedPages(link: string, ...later: readonly string[]): Promise<NameList> {
  const { reading } = await readListInPages((target) =>
    target.includes('page=2')
      ? { value: { cats: later } }
      : { value: { cats: ['Tom', 'Tim'], next: `/v2/search${link}` } },
  )
  if (reading.kind !== 'list') throw new Error(reading.kind)
  return reading
}

const compared = (of: string, list: NameList) => ({
  description: of,
  list,
  resource: { key: of, readWith: async () => list },
})

async function findDroppedParameter(assert: () => Promise<void> | void) {
  try {
    await assert()
  } catch (error) {
    if (!(error instanceof Violation)) throw error
    const { crossOperationCause, actual } = error.contradiction
    return [crossOperationCause, actual.includes(WITHOUT_Q)]
  }
  throw new Error('no violation was found')
}

const assertOnceIn = (list: NameList) =>
  assertNoDuplicates(
    { ...compared('it', list), element: 'cat' },
    createCachingReader(async () => createExchange([])).read,
  )

test('a parameter that a link drops is the cause of wrong and missing elements on later pages', async () => {
  const [forgetful, whole] = [await readLinkedPages('?page=2', 'Kit'), await readLinkedPages('?q=a&page=2', 'Kit')]
  const few = await readLinkedPages('?page=2')
  const expected = [WITHOUT_Q, true]
  expect(await findDroppedParameter(() => assertSameNames(compared('v2', forgetful), compared('v3', few), ''))).toEqual(
    expected,
  )
  expect(await findDroppedParameter(() => assertSameNames(compared('v2', few), compared('v3', whole), ''))).toEqual(
    expected,
  )
  expect(await findDroppedParameter(async () => assertOnceIn(await readLinkedPages('?page=2', 'Kit', 'Tom')))).toEqual(
    expected,
  )
  expect(
    await findDroppedParameter(async () => assertOnceIn(await readLinkedPages('?q=a&page=2', 'Kit', 'Tom'))),
  ).toEqual(['pages overlap', false])
})
