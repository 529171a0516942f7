import { afterAll } from 'vitest'
import { endAll } from './at-end.test.support.ts'

afterAll(endAll)
