import { afterAll } from 'vitest'
import { callEndFunctions } from './at-end.test.support.ts'

afterAll(callEndFunctions)
