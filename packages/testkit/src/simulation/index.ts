/**
 * Simulates whole deployments from one seed. The real core runs on simulated ports, and a run is
 * judged by what is visible from outside.
 */

export { dice } from "./clock/Seed.ts"
export { type FaultName, faultNames } from "./faults/Faults.ts"
export type { Violation } from "./record/Facts.ts"
export { type Entry, lines } from "./record/Trace.ts"
export { type Options, type Outcome, run, shrink } from "./Simulation.ts"
