/**
 * A client of Verbatim's HTTP API on `fetch`, for browsers, workers, Bun, Deno and Node.
 */
export type { CallOptions, ConditionOptions, CreateOptions } from "./Calls.ts"
export { unwrap } from "./Calls.ts"
export { type ClientOptions, createClient, type Key, type VerbatimClient } from "./Client.ts"
export type { CorrectionOptions, CorrectionsWanted } from "./Corrections.ts"
export type { components, operations, paths, webhooks } from "./Description.ts"
export type { ListenOptions, LiveEvent } from "./Events.ts"
export type { LabelOptions } from "./Labels.ts"
export type { OffsetOptions } from "./Pages.ts"
export type { Comparison, MadePreset, PresetListOptions, PresetOptions } from "./Presets.ts"
export type {
  PinOptions,
  PreviewOptions,
  ResolveNamedOptions,
  ResolveOptions
} from "./Resolutions.ts"
export type { RetryLimits } from "./Retry.ts"
export type {
  JobListOptions,
  MediaOptions,
  Renderings,
  StatusOptions,
  TranscriptionOrder
} from "./Transcriptions.ts"
export type { Fetch } from "./Transport.ts"
export { type FailureKind, VerbatimError } from "./VerbatimError.ts"
export type { WaitOptions } from "./Wait.ts"
