/**
 * What a host composes and calls, and the refusals it may get. `Services.layer` gives all of them
 * over the ports.
 */

export { InsufficientBalance, TooManyRepeats } from "./Admissions.ts"
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
} from "./ApiKeys.ts"
export { type Change, Commits } from "./Commits.ts"
export {
  CorrectionsContended,
  type CorrectionsUnread,
  type NotCorrected
} from "./CorrectionRefusals.ts"
export { Corrections, type CorrectionWrite } from "./Corrections.ts"
export type { CreatedPreset, CreationPorts, NotCreated } from "./Creations.ts"
export { Deliveries } from "./Deliveries.ts"
export { Expiries } from "./Expiries.ts"
export { type Outlook, previewExpiry, unnotedMax } from "./ExpiryPreview.ts"
export type { FeedNotice } from "./FeedNotices.ts"
export {
  Followings,
  PlaceUnknown,
  type WantedEvents
} from "./Followings.ts"
export { Idle, waitIdle } from "./Idle.ts"
export { type FollowedJob, JobFeeds, type Waiting } from "./JobFeeds.ts"
export { LimitReached } from "./JobLimits.ts"
export type { JobNotice } from "./JobNotices.ts"
export { JobRecords, type JobStretch, type WantedNotice } from "./JobRecords.ts"
export {
  MediaAwaited,
  PeaksMissing,
  RequestNotFound,
  TranscriptMissing
} from "./JobRefusals.ts"
export { Jobs, type Reading, type Rendered, type WantedReading, type WantedResult } from "./Jobs.ts"
export type {
  LabelledVersion,
  LabelNotChanged,
  LabelNotMoved,
  ProtectionNotChanged,
  ProtectionWish
} from "./Labels.ts"
export { TooManyReaders } from "./LargeReads.ts"
export { ListenerLimits, TooManyListeners } from "./Listeners.ts"
export { adopt, judgeMarker, MediaIdentity, MediaStanding } from "./MediaIdentity.ts"
export { type IssuedOperatorKey, OperatorKeys, OperatorKeyUnknown } from "./OperatorKeys.ts"
export { continueStreak, reminderInterval, type Streak } from "./OutageLog.ts"
export { type RowPage, readPage } from "./PageReads.ts"
export type { NotRead } from "./PresetChanges.ts"
export type { ErasedVersion, NotErased, NotRemoved } from "./PresetHousekeeping.ts"
export type { NotMadeOfParts } from "./PresetParts.ts"
export { type NotChanged, Presets } from "./Presets.ts"
export type { PreviewWanted } from "./Previews.ts"
export {
  CallbackMissing,
  MediaExpired,
  NotFailed,
  NoticeMissing,
  NoticePending,
  RedeliveredLately,
  type RedeliveryRefusal,
  RenewedTooOften,
  type RenotifyRefusal,
  ResultsRemoved,
  type RetryRefusal,
  WebhookPending
} from "./Renewals.ts"
export { RequestLimits, TooManyRequests } from "./RequestLimits.ts"
export { type NotPinned, Resolutions } from "./Resolutions.ts"
export * as Services from "./Services.ts"
export { shareAnswer } from "./SharedAnswer.ts"
export { Patience } from "./SharedSlots.ts"
export {
  type AnswerWanted,
  type NotAnswered,
  type SpeechCall,
  SpeechCalls,
  SpeechFailed,
  StillRunning
} from "./SpeechCalls.ts"
export type { NotSubmitted } from "./SubmissionRefusals.ts"
export { type Accepted, Submissions } from "./Submissions.ts"
export {
  type CountedMark,
  type CountedPart,
  type PartReader,
  Transcripts,
  type TranscriptWish
} from "./Transcripts.ts"
export { type Received, Uploads } from "./Uploads.ts"
export { TooManyUrlChecks } from "./UrlChecks.ts"
export { Usage, type UsagePage } from "./Usage.ts"
export { WorkspaceNotFound } from "./WorkspaceReads.ts"
export { WorkspaceRemoval } from "./WorkspaceRemoval.ts"
export {
  ExternalIdTaken,
  type Gift,
  WebhookSecretsFull,
  WorkspaceContended,
  type WorkspaceOrder,
  Workspaces
} from "./Workspaces.ts"
export type { TextPiece, Writing, Written } from "./Written.ts"
