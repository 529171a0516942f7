/** The exports of `cat-directory-conformance`. */

export { type CheckProbe as Try, forAll, forEach, probeOnce as once } from './checks/shared/check.ts'
export type { Deployment, VersionTarget as OneVersion } from './directory/deployment.ts'
export type { LivesReading } from './directory/lives/lives-reading.ts'
export type { ListReading } from './directory/readings/list-reading.ts'
export { readDistinctNames as listedNames } from './directory/readings/names.ts'
export type { Check } from './engine/check/check.ts'
export type { Read, Resource as Subject } from './engine/check/readers.ts'
export type { Conclusion, Finding, Observation, RunResult, Status, Verdict } from './engine/check/verdict.ts'
export { type Contradiction, reportViolation as broken } from './engine/check/violations.ts'
export type { Exchange, ExchangeSummary, Request } from './engine/http/client/exchange.ts'
export type { ObservedChoice as Seen, OpenPointObserver as Observer } from './engine/run/plan.ts'
export { catalogue as checks } from './judge/catalogue.ts'
export type { CheckProgress as Latest, JudgeOptions } from './judge/judge-options.ts'
export { judge } from './judge/library-options.ts'
export type { JudgeDependencies as Judging } from './judge/run-plan.ts'
export {
  createUserCheck as check,
  createUserOpenPoint as openPoint,
  type UserOpenPoint as OwnOpenPoint,
  type UserRequirement as OwnPromise,
} from './judge/user-checks.ts'
export { type ReportOptions, reportOf } from './workflows/report/report.ts'
