/** Code shared by the attempts of all tasks: ids, work, failures and retries. */

export { JobId } from "./Attempt.ts"
export {
  causeOf,
  Failure,
  FailureName,
  isTransient,
  printable,
  sentence,
  toCause,
  toLine,
  withoutSecrets
} from "./Failure.ts"
export { policies, RetryPolicies } from "./Verdict.ts"
export * from "./Work.ts"
