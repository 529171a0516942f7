import { testTimedDeployments } from './power-time.test.support.ts'

testTimedDeployments(1)
