/**
 * What every attempt has in common, whatever it is made for: ids, work, failures, and when to
 * try again.
 */
export { Failure, isTransient, sentence } from "./Failure.ts"
export { causeOf, printable, toCause, toLine } from "./FailureCause.ts"
export { JobId } from "./JobId.ts"
export { withoutSecrets } from "./Secrets.ts"
export { policies, RetryPolicies } from "./Verdict.ts"
export {
  Dependency,
  dependencyNames,
  isTelling,
  owedMax,
  recordOfKinds,
  Task,
  taskOf,
  Work,
  WorkKind
} from "./Work.ts"
