/**
 * Many fibers in several processes over one real store, and the judge of what they were answered.
 */

export { type CheckOptions, check, type Report } from "./Check.ts"
export { type Member, type Reply, serve } from "./Member.ts"
export { Troubles } from "./Troubles.ts"
