import { afterAll } from 'vitest'
import { endResources } from './at-end.test.support.ts'

afterAll(endResources)
