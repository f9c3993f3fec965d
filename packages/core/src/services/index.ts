/**
 * The services that a host builds and calls, and their errors. `Services.layer` builds all services
 * on the ports.
 */

export {
  Corrections,
  CorrectionsContended,
  type CorrectionsUnread,
  type CorrectionWrite,
  type NotCorrected
} from "./corrections/Corrections.ts"
export {
  CursorUnknown,
  EventStreams,
  type EventsRequest,
  SubscriberLimits,
  TooManySubscribers
} from "./events/EventStreams.ts"
export type { FeedMessage } from "./events/JobFeeds.ts"
export { type FollowedJob, JobFeeds, type Waiting } from "./events/JobFeeds.ts"
export { InsufficientBalance, LimitReached, TooManyRepeats } from "./intake/Admissions.ts"
export {
  type AnswerRequest,
  type NotAnswered,
  type SpeechCall,
  SpeechCalls,
  SpeechFailed,
  StillRunning
} from "./intake/SpeechCalls.ts"
export type { NotSubmitted } from "./intake/Submissions.ts"
export { type Accepted, type LinkQuote, Submissions } from "./intake/Submissions.ts"
export { TooManyUrlChecks } from "./intake/UrlChecks.ts"
export { type RowPage, readPage } from "./jobs/JobLists.ts"
export {
  MediaAwaited,
  PeaksMissing,
  RequestNotFound,
  TranscriptMissing
} from "./jobs/JobReads.ts"
export {
  type DetailsRequest,
  Jobs,
  type Reading,
  type ReadRequest,
  type Rendered,
  type ResultRequest
} from "./jobs/Jobs.ts"
export {
  type ChunkedText,
  type TextPiece,
  type TextWriter,
  TooManyReaders
} from "./jobs/LargeReads.ts"
export {
  CallbackMissing,
  MediaExpired,
  NotFailed,
  RedeliveredLately,
  type RedeliveryRefusal,
  RenewedTooOften,
  ResultsRemoved,
  type RetryRefusal,
  WebhookPending
} from "./jobs/Renewals.ts"
export { continueStreak, reminderInterval, type Streak } from "./OutageLog.ts"
export type { CreatedPreset } from "./presets/Creations.ts"
export type { ProtectionRequest } from "./presets/Labels.ts"
export type { NotRead } from "./presets/PresetChanges.ts"
export { type NotChanged, type PresetMethods, Presets } from "./presets/Presets.ts"
export * as Quota from "./quota/Quota.ts"
export { Idle, waitIdle } from "./quota/Quota.ts"
export { shareInFlight } from "./quota/SharedAnswers.ts"
export { Expiries, type ExpiryPreview, previewExpiry } from "./retention/Expiries.ts"
export { makeRemovalStep } from "./retention/WorkspaceRemoval.ts"
export * as Services from "./Services.ts"
export { makePrepare } from "./tasks/Deliveries.ts"
export { adopt, judgeMarker, MediaIdentity, MediaStoreStatus } from "./tasks/MediaIdentity.ts"
export { PieceSettings } from "./tasks/PieceRecognition.ts"
export {
  type CountedCursor,
  type CountedPart,
  type PartReader,
  type TranscriptOptions,
  Transcripts
} from "./tasks/Transcripts.ts"
export {
  ApiKeys,
  ApiKeyUnknown,
  type IssuedKey,
  KeyNotReplaceable,
  type KeyRotation,
  KeysFull,
  keyMax,
  LastUsedTracker,
  ScopeBeyondKind,
  ScopeNotHeld,
  TokenUnacceptable,
  WorkspaceDisabled
} from "./workspaces/ApiKeys.ts"
export {
  type IssuedOperatorKey,
  OperatorKeys,
  OperatorKeyUnknown
} from "./workspaces/OperatorKeys.ts"
export { RequestLimits, TooManyRequests } from "./workspaces/RequestLimits.ts"
export { Usage, type UsagePage } from "./workspaces/Usage.ts"
export { WorkspaceNotFound } from "./workspaces/WorkspaceReads.ts"
export {
  type CreditOrder,
  ExternalIdTaken,
  WebhookSecretsFull,
  WorkspaceContended,
  type WorkspaceOrder,
  Workspaces
} from "./workspaces/Workspaces.ts"
