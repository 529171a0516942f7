import { parse } from 'node:path'
import { expect, test } from 'vitest'
import { findPackageFolder } from '../../workflows/report/suite-package.ts'
import { packageRoot } from './cli.test.support.ts'

test('the package is the nearest folder above with a package.json; its absence is reported', () => {
  expect(`${findPackageFolder()}/`).toBe(packageRoot.endsWith('/') ? packageRoot : `${packageRoot}/`)
  const { root } = parse(packageRoot)
  expect(() => findPackageFolder(`${root}cli.js`)).toThrow(/No folder above .* contains a package\.json: install/)
})
