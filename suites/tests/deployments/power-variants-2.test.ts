import { testVariants } from './power-variants.test.support.ts'

testVariants(1)
