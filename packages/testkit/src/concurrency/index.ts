/**
 * Many fibers in several processes over one real store, and the judge of what they were answered.
 */

export { type CheckOptions, check, type Report } from "./Check.ts"
export { judge } from "./Judge.ts"
export { type Member, type Reply, serve } from "./Member.ts"
export type { Recorded } from "./Question.ts"
export { Troubles } from "./Troubles.ts"
