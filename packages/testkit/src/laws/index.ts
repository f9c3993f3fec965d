/** Laws of machines, jobs and presets, as properties over generated states and events. */

export * as CorrectionLaws from "./CorrectionLaws.ts"
export * as JobLaws from "./JobLaws.ts"
export * as MachineLaws from "./MachineLaws.ts"
export * as PresetLaws from "./PresetLaws.ts"
export { chooseCases, scaleRuns } from "./Runs.ts"
