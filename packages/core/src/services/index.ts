/**
 * What a host composes and calls, and the refusals it may get. `Services.layer` gives all of them
 * over the ports.
 */

export {
  CorrectionsContended,
  type CorrectionsUnread,
  type NotCorrected
} from "./corrections/CorrectionChanges.ts"
export { Corrections, type CorrectionWrite } from "./corrections/Corrections.ts"
export type { FeedNotice } from "./events/FeedNotices.ts"
export {
  Followings,
  ListenerLimits,
  PlaceUnknown,
  TooManyListeners,
  type WantedEvents
} from "./events/Followings.ts"
export { type FollowedJob, JobFeeds, type Waiting } from "./events/JobFeeds.ts"
export { InsufficientBalance, TooManyRepeats } from "./intake/Admissions.ts"
export { LimitReached } from "./intake/JobLimits.ts"
export {
  type AnswerWanted,
  type NotAnswered,
  type SpeechCall,
  SpeechCalls,
  SpeechFailed,
  StillRunning
} from "./intake/SpeechCalls.ts"
export type { NotSubmitted } from "./intake/Submissions.ts"
export { type Accepted, Submissions } from "./intake/Submissions.ts"
export { type Received, Uploads } from "./intake/Uploads.ts"
export { TooManyUrlChecks } from "./intake/UrlChecks.ts"
export { type Change, Commits } from "./jobs/Commits.ts"
export { JobRecords, type JobStretch, type RowPage, readPage } from "./jobs/JobRecords.ts"
export {
  MediaAwaited,
  PeaksMissing,
  RequestNotFound,
  TranscriptMissing
} from "./jobs/JobRefusals.ts"
export {
  Jobs,
  type Reading,
  type Rendered,
  type WantedReading,
  type WantedResult
} from "./jobs/Jobs.ts"
export type { TextPiece, Writing, Written } from "./jobs/LargeReads.ts"
export { TooManyReaders } from "./jobs/LargeReads.ts"
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
export type { CreatedPreset, CreationPorts, NotCreated } from "./presets/Creations.ts"
export type {
  LabelledVersion,
  LabelNotChanged,
  LabelNotMoved,
  ProtectionNotChanged,
  ProtectionWish
} from "./presets/Labels.ts"
export type { NotRead } from "./presets/PresetChanges.ts"
export type { ErasedVersion, NotErased, NotRemoved } from "./presets/PresetHousekeeping.ts"
export type { NotMadeOfParts } from "./presets/PresetParts.ts"
export { type NotChanged, type PresetMethods, Presets } from "./presets/Presets.ts"
export type { PreviewWanted } from "./presets/Previews.ts"
export type { NotPinned } from "./presets/Resolutions.ts"
export * as Quota from "./quota/Quota.ts"
export { Idle, waitIdle } from "./quota/Quota.ts"
export { shareAnswer } from "./quota/SharedAnswer.ts"
export { Expiries, type Outlook, previewExpiry } from "./retention/Expiries.ts"
export { WorkspaceRemoval } from "./retention/WorkspaceRemoval.ts"
export * as Services from "./Services.ts"
export { Deliveries } from "./tasks/Deliveries.ts"
export { adopt, judgeMarker, MediaIdentity, MediaStanding } from "./tasks/MediaIdentity.ts"
export {
  type CountedMark,
  type CountedPart,
  type PartReader,
  Transcripts,
  type TranscriptWish
} from "./tasks/Transcripts.ts"
export {
  ApiKeys,
  ApiKeyUnknown,
  type IssuedKey,
  KeyNotReplaceable,
  type KeyPorts,
  type KeyRotation,
  KeysFull,
  KeyUses,
  keyMax,
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
  ExternalIdTaken,
  type Gift,
  WebhookSecretsFull,
  WorkspaceContended,
  type WorkspaceOrder,
  Workspaces
} from "./workspaces/Workspaces.ts"
