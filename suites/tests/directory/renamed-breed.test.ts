import { expect, test } from 'vitest'
import { judge } from '../../judge/judge.ts'
import { createDirectoryResponder, deploy } from '../command/cli.test.support.ts'
import { describeVerdicts } from '../support/verdict-lines.ts'

const cats = ['Luna', 'Felix', 'Mia'].map((name, nth) => ({ name, breed: 'Siamese', lives: nth + 3 }))
const others = ['Tom', 'Kira'].map((name, nth) => ({ name, breed: 'Maine Coon', lives: nth + 5 }))
const before = createDirectoryResponder([...cats, ...others])
const after = createDirectoryResponder([...cats, ...others.map((cat) => ({ ...cat, breed: 'Maine Coon Cat' }))])

/** The breed is renamed after this many responses, which is early in a run. */
const RENAMED_AFTER = 300

test('a breed may be renamed during a run to an extension of its name, and its cats are found by the former name', async () => {
  let asked = 0
  const { origin } = await deploy(({ url = '' }, response) => {
    const value = (++asked < RENAMED_AFTER ? before : after)(url)
    response.writeHead(value === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(value ?? { error: 'not found' }))
  })
  const result = await judge({ baseUrl: origin, seed: 1 })
  expect(asked).toBeGreaterThan(RENAMED_AFTER)
  expect(describeVerdicts(result, 'fail')).toEqual([])
})
