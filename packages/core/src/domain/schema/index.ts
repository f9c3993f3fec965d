/**
 * Rules for values from outside, and the problems that are found in them.
 */

export { copyJson } from "./CopiedJson.ts"
export * as ExactNumber from "./ExactNumber.ts"
export { instantForm, isTellable, readInstant, readTime, timePattern } from "./Instant.ts"
export { Integer } from "./Integer.ts"
export { findBrokenLimit, makeJudge } from "./Judgement.ts"
export { toPlain } from "./PlainSchema.ts"
export { describe, formatPath, fromIssue, InvalidRequest, type Problem } from "./Problem.ts"
export * as Rule from "./Rule.ts"
export { openStruct, optional } from "./Shape.ts"
export { distance, nearest } from "./Spelling.ts"
