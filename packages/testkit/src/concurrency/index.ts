/** Checks a real store with many fibers in several processes, and judges the store's answers. */

export { type CheckOptions, check, type Report } from "./Check.ts"
export type { Recorded } from "./calls/CallRecord.ts"
export { judge } from "./judge/Judge.ts"
export { type Member, type Reply, serve } from "./Member.ts"
export { type Row, Troubles } from "./Troubles.ts"
