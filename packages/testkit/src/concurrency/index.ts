/** Many fibers in several processes over one real store, and the judge of the answers they got. */

export { type CheckOptions, check, type Report } from "./Check.ts"
export { judge } from "./judge/Judge.ts"
export { type Member, type Reply, serve } from "./Member.ts"
export type { Recorded } from "./questions/Question.ts"
export { type Row, Troubles } from "./Troubles.ts"
