import { parse } from 'node:path'
import { expect, test } from 'vitest'
import { packageFolder } from '../../workflows/report/home.ts'
import { packageRoot } from './cli.test.support.ts'

test('the package is the nearest folder above with a package.json; its absence is reported', () => {
  expect(`${packageFolder()}/`).toBe(packageRoot.endsWith('/') ? packageRoot : `${packageRoot}/`)
  const { root } = parse(packageRoot)
  expect(() => packageFolder(`${root}cli.js`)).toThrow(/No package\.json stands above .*install/)
})
