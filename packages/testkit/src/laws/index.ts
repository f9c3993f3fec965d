/** Laws for machines and jobs as properties over generated events, and laws for corrections. */

export * as CorrectionLaws from "./CorrectionLaws.ts"
export * as JobLaws from "./JobLaws.ts"
export * as MachineLaws from "./MachineLaws.ts"
export { chooseCases, scaleRuns } from "./Property.ts"
