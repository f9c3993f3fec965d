/** Merges presets into requests, and reads preset references. */
export type { Lost } from "./FieldMapping.ts"
export {
  type Format,
  formatNamed,
  formatOfRequest,
  formats,
  keptFields
} from "./Format.ts"
export { type Json, type JsonObject, parseExact } from "./Json.ts"
export {
  formatReference,
  labelPattern,
  type NoReference,
  parseReference,
  type Reference,
  type Referring,
  takeReference
} from "./Reference.ts"
export {
  type Provenance,
  type Resolution,
  resolve,
  type Version
} from "./Resolution.ts"
export { compareSequences, type Run } from "./Sequences.ts"
export { mistakenVariables, variableRule, variablesOf } from "./Variables.ts"
