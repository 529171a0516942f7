import { testMutants } from './power-mutants.test.support.ts'

testMutants(0)
