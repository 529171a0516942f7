import { testInTime } from './power-time.test.support.ts'

testInTime(1)
