/**
 * What every attempt has in common, whatever it is made for: ids, work, failures, and when to
 * try again.
 */

export { JobId } from "./Attempt.ts"
export {
  causeOf,
  Failure,
  isTransient,
  printable,
  sentence,
  toCause,
  toLine,
  withoutSecrets
} from "./Failure.ts"
export { policies, RetryPolicies } from "./Verdict.ts"
export * from "./Work.ts"
