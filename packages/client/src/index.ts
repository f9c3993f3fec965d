/** A `fetch`-based client for Verbatim's HTTP API, for browsers, workers, Bun, Deno and Node. */
export type { CallOptions, ConditionOptions, CreateOptions } from "./Calls.ts"
export { settle } from "./Calls.ts"
export { type ClientOptions, createClient, type Key, type VerbatimClient } from "./Client.ts"
export type { EventOptions, LiveEvent, LiveSegment, LiveText } from "./Events.ts"
export type { components, operations, paths, webhooks } from "./generated/Description.ts"
export type * from "./generated/Operations.ts"
export type { Answer, Body, CreatedPreset, Listed, Options } from "./OperationTypes.ts"
export type { RetryLimits } from "./Retry.ts"
export type {
  MediaOptions,
  Renderings,
  Speech,
  SpeechAnswer,
  SpeechRequest,
  TranscriptionRequest,
  Transcriptions,
  WaitOptions
} from "./Transcriptions.ts"
export type { Fetch } from "./Transport.ts"
export { type FailureKind, VerbatimError } from "./VerbatimError.ts"
