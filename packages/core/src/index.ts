/**
 * The domain of Verbatim: services to call, ports to adapt, and the pure machines behind them.
 * Every module can also be imported by its path, for example `@verbatim/core/job/Job`.
 */

export { Deliveries } from "./delivery/Deliveries.ts"
export * as Delivery from "./delivery/Delivery.ts"
export * as Failure from "./job/Failure.ts"
export { IdempotencyConflict } from "./job/Idempotency.ts"
export * as Job from "./job/Job.ts"
export * as JobEvent from "./job/JobEvent.ts"
export * as JobHistory from "./job/JobHistory.ts"
export * as JobListing from "./job/JobListing.ts"
export {
  CallbackMissing,
  Jobs,
  RequestNotFound,
  TranscriptMissing,
  WebhookPending
} from "./job/Jobs.ts"
export * as JobView from "./job/JobView.ts"
export { InsufficientBalance, Submissions } from "./job/Submissions.ts"
export * as Verdict from "./job/Verdict.ts"
export * as Machine from "./machine/Machine.ts"
export { AudioDecoder, AudioDecoderError } from "./ports/AudioDecoder.ts"
export { JobStore, JobStoreError } from "./ports/JobStore.ts"
export { MediaFetcher, MediaFetcherError } from "./ports/MediaFetcher.ts"
export { MediaStore, MediaStoreError } from "./ports/MediaStore.ts"
export { PresetStore, PresetStoreError } from "./ports/PresetStore.ts"
export { Summarizer, SummarizerError } from "./ports/Summarizer.ts"
export { Transcriber, TranscriberError } from "./ports/Transcriber.ts"
export { WebhookSender, WebhookSenderError } from "./ports/WebhookSender.ts"
export { WorkQueue, WorkQueueError } from "./ports/WorkQueue.ts"
export { WorkspaceStore, WorkspaceStoreError } from "./ports/WorkspaceStore.ts"
export * as Preset from "./preset/Preset.ts"
export * as PresetConfig from "./preset/PresetConfig.ts"
export * as PresetDiff from "./preset/PresetDiff.ts"
export * as PresetResolution from "./preset/PresetResolution.ts"
export { Presets } from "./preset/Presets.ts"
export * as PresetView from "./preset/PresetView.ts"
export * as RequestFormat from "./preset/RequestFormat.ts"
export * as Modifier from "./rendering/Modifier.ts"
export { Summaries } from "./summary/Summaries.ts"
export * as Summary from "./summary/Summary.ts"
export * as Transcript from "./transcription/Transcript.ts"
export * as Transcription from "./transcription/Transcription.ts"
export { Transcriptions } from "./transcription/Transcriptions.ts"
export { Uploads } from "./transcription/Uploads.ts"
export { Assignments } from "./worker/Assignments.ts"
export { Attempts, MediaRetention } from "./worker/Attempts.ts"
export { Commits } from "./worker/Commits.ts"
export { Leases } from "./worker/Leases.ts"
export * as MediaCollection from "./worker/MediaCollection.ts"
export { Worker } from "./worker/Worker.ts"
export * as ApiKey from "./workspace/ApiKey.ts"
export * as Balance from "./workspace/Balance.ts"
export type { Principal } from "./workspace/Principal.ts"
export { Workspaces } from "./workspace/Workspaces.ts"
