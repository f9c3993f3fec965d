/** Verbatim inside any program: the API client, with calls that are handled in this process. */

export type {
  CallOptions,
  ConditionOptions,
  CreateOptions,
  components,
  EventOptions,
  LiveEvent,
  LiveText,
  Operations,
  TranscriptionRequest,
  VerbatimClient,
  WaitOptions
} from "@verbatim/client"
export { VerbatimError } from "@verbatim/client"
export {
  DatabaseUnavailable,
  type Details,
  EngineRefused,
  EngineUnavailable,
  InvalidOptions,
  OpenError
} from "./Errors.ts"
export type * from "./Options.ts"
export { open } from "./open.ts"
export { type AnyFetch, type PresetFetchOptions, presetFetch } from "./PresetFetch.ts"
export type { Embedded, Transaction, Verbatim } from "./Verbatim.ts"
