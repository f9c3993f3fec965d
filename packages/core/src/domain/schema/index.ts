/**
 * Rules for values from outside, and the problems that are found in them.
 */

export * from "./CopiedJson.ts"
export * as ExactNumber from "./ExactNumber.ts"
export * from "./Instant.ts"
export { findBrokenLimit, makeJudge } from "./Judgement.ts"
export * from "./PlainSchema.ts"
export { describe, formatPath, fromIssue, InvalidRequest, type Problem } from "./Problem.ts"
export * as Rule from "./Rule.ts"
export { Integer, openStruct, optional } from "./Shape.ts"
export * from "./Spelling.ts"
