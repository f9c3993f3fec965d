/** The ports that adapters implement. The comment on each method is its contract. */
export * from "./AudioDecoder.ts"
export * from "./Changes.ts"
export * from "./CorrectionStore.ts"
export {
  Deadline,
  type DeadlineOptions,
  InHostTransaction,
  overdue,
  remainingWait,
  untilDeadline,
  withDeadline,
  withLockDeadline,
  writeTimeout
} from "./Deadline.ts"
export * from "./JobListener.ts"
export * from "./JobStore.ts"
export * from "./MediaFetcher.ts"
export * from "./MediaStore.ts"
export * from "./OperatorKeyStore.ts"
export * from "./PresetStore.ts"
export * from "./RetentionStore.ts"
export type * from "./Stores.ts"
export * from "./Summarizer.ts"
export * from "./Trace.ts"
export * from "./Transcriber.ts"
export * from "./WebhookSender.ts"
export * from "./WorkerRegistry.ts"
export * from "./WorkQueue.ts"
export * from "./WorkspaceStore.ts"
