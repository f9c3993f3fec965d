/** Laws for machines, jobs and corrections, tested with generated events. */

export { chooseCases, scaleRuns } from "../contracts/Expect.ts"
export * as CorrectionLaws from "./CorrectionLaws.ts"
export * as JobLaws from "./JobLaws.ts"
export * as MachineLaws from "./MachineLaws.ts"
