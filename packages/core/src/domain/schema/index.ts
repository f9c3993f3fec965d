/** Schemas and rules for values from outside, and the problems found in them. */

export { findBrokenLimit, makeValidator } from "./DocumentValidator.ts"
export * as ExactNumber from "./ExactNumber.ts"
export { copyJson } from "./ExactNumber.ts"
export * from "./Instant.ts"
export * from "./NearestName.ts"
export { Integer, openStruct, optional } from "./ObjectSchemas.ts"
export * from "./PlainSchema.ts"
export { describe, formatPath, fromIssue, InvalidRequest, type Problem } from "./Problem.ts"
export * as Rule from "./Rule.ts"
