/** Ports: the interfaces that adapters implement. The comment on each method is its contract. */
import type { RateLimiter } from "effect/persistence"
import type { CorrectionStore } from "./CorrectionStore.ts"
import type { JobStore } from "./JobStore.ts"
import type { OperatorKeyStore } from "./OperatorKeyStore.ts"
import type { PresetStore } from "./PresetStore.ts"
import type { RetentionStore } from "./RetentionStore.ts"
import type { WorkerRegistry } from "./WorkerRegistry.ts"
import type { WorkQueue } from "./WorkQueue.ts"
import type { WorkspaceStore } from "./WorkspaceStore.ts"

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
export * from "./Summarizer.ts"
export * from "./Trace.ts"
export * from "./Transcriber.ts"
export * from "./WebhookSender.ts"
export * from "./WorkerRegistry.ts"
export * from "./WorkQueue.ts"
export * from "./WorkspaceStore.ts"

/** The ports that one database implements, so that one transaction can change several of them. */
export type Stores =
  | CorrectionStore
  | JobStore
  | OperatorKeyStore
  | PresetStore
  | RateLimiter.RateLimiterStore
  | RetentionStore
  | WorkerRegistry
  | WorkQueue
  | WorkspaceStore
