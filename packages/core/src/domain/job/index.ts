/** Jobs: their state machines, current steps, pending work and response forms. */
export { attemptUnderway, beginEvents, failureEvents } from "./AttemptEvents.ts"
export {
  type Cutoffs,
  type Holding,
  type JobEnd,
  type JobPosition,
  jobEnd
} from "./Expiry.ts"
export { cursorBefore, type FeedCursor, isAfter } from "./FeedCursor.ts"
export { type IdempotencyRecord, isCurrentRecord } from "./IdempotencyRecord.ts"
export {
  applyCommit,
  createJob,
  isClosed,
  isSettled,
  isTerminal,
  isTranscriptionEnded,
  Job,
  pendingWork
} from "./Job.ts"
export { RequiredStatus, StatusChanged } from "./JobDeletion.ts"
export { JobDetails, ListedJob, toDetailedView, WorkspaceJob } from "./JobDetails.ts"
export * from "./JobEvent.ts"
export { JobHistory } from "./JobHistory.ts"
export {
  type AllJobsParameters,
  hasSearchWords,
  idRange,
  type JobListParameters,
  JobPage,
  type JobQuery,
  type ListedJobs,
  limitDefault,
  limitMax,
  searchLengthMax,
  WorkspaceJobPage
} from "./JobListing.ts"
export {
  StreamedEvent,
  StreamedJob,
  StreamedProgress,
  type StreamMessage
} from "./JobStream.ts"
export {
  failureName,
  isFinished,
  JobView,
  LegacyStatus,
  ListedFailure,
  legacyStatus,
  toView
} from "./JobView.ts"
export {
  byDue,
  chooseWork,
  type DueWork,
  fullLanes,
  keepsSlotsFree,
  type LaneCapacity,
  laneHash,
  laneKey,
  laneOf,
  shownLanesMax,
  webhookLane
} from "./Lane.ts"
export * from "./LedgerLine.ts"
export { MediaRetention, type PlayableMedia, type Retention } from "./MediaRetention.ts"
export * from "./TraceParent.ts"
