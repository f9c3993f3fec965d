/** Laws for machines and jobs as properties over generated events, and laws for corrections. */

export { chooseCases, scaleRuns } from "../contracts/Expect.ts"
export * as CorrectionLaws from "./CorrectionLaws.ts"
export * as JobLaws from "./JobLaws.ts"
export * as MachineLaws from "./MachineLaws.ts"
