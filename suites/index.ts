/* What the package exports as `cat-directory-conformance`. */
export { catalogue as checks } from './catalogue.ts'
export { forAll, forEach, once, type Try } from './checks/kit/check.ts'
export { judge } from './door.ts'
export type { Exchange, Request } from './engine/http/exchange.ts'
export type { Check } from './engine/judging/check.ts'
export type { Observer, Seen } from './engine/judging/plan.ts'
export type { Read, Subject } from './engine/judging/readers.ts'
export { broken, type Contradiction } from './engine/judging/throwables.ts'
export type {
  Conclusion,
  ExchangeSummary,
  Finding,
  JudgeOptions,
  Judging,
  Latest,
  Observation,
  RunResult,
  Status,
  Verdict,
} from './judge.ts'
export { check, type OwnOpenPoint, type OwnPromise, openPoint } from './own-checks.ts'
export { type ReportOptions, reportOf } from './report-of.ts'
export type { Deployment, OneVersion } from './vocabulary/deployment.ts'
export type { ListReading } from './vocabulary/reading/list-reading.ts'
export type { LivesReading } from './vocabulary/reading/lives-reading.ts'
export { distinctNames as listedNames } from './vocabulary/reading/names.ts'
