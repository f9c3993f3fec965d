/** Verbatim inside any program: promises, plain values, and errors that say what to do. */

export type { Modifier } from "@verbatim/core/transcription"
export {
  Closed,
  type Details,
  EngineRefused,
  EngineUnavailable,
  Fault,
  InvalidInput,
  InvalidOptions,
  NotFound,
  Refused,
  Unavailable,
  VerbatimError
} from "./Errors.ts"
export type * from "./Options.ts"
export type { Page, PageWanted, PresetReference, VersionPoint } from "./open/Asking.ts"
export type { Media } from "./open/Content.ts"
export type {
  CorrectionMethods,
  CorrectionsWanted,
  CorrectionWrite,
  SegmentCorrection
} from "./open/Corrections.ts"
export type { EventMethods, EventsWanted, ListenOptions, LiveEvents } from "./open/Events.ts"
export type { HostConnection, HostDatabase, HostSqlTransaction, Inside } from "./open/Inside.ts"
export type { JobReference } from "./open/JobReference.ts"
export type {
  JobStatus,
  Jobs,
  JobsPage,
  JobsWanted,
  Rendering,
  Result,
  WaitOptions
} from "./open/Jobs.ts"
export type { LedgerLine, LedgerPage, LedgerWanted } from "./open/Ledger.ts"
export { open, type Verbatim } from "./open/open.ts"
export type { JobMedia, JobPeaks, MediaStretch, PlayingMethods } from "./open/Playing.ts"
export type { LabelMethods, LabelReference, LabelWrite } from "./open/PresetLabels.ts"
export type {
  DiffWanted,
  PresetChange,
  PresetCreation,
  Presets,
  PresetsWanted,
  PresetWrite,
  VersionParts
} from "./open/Presets.ts"
export type {
  PinWanted,
  PreviewWanted,
  ResolutionWanted,
  UseMethods
} from "./open/PresetUse.ts"
export type { Transcribe } from "./open/Transcribe.ts"
export type { Credit, WorkspaceMethods } from "./open/WorkspaceMethods.ts"
export type { Asker, UsageRow, UsageWanted, WorkspaceReference } from "./open/Workspaces.ts"
export {
  type AnyFetch,
  type PresetFetchOptions,
  presetFetch,
  type Resolved
} from "./PresetFetch.ts"
export type {
  CorrectedSegment,
  CorrectionStanding,
  CorrectionSummary,
  CorrectionVersion,
  StandingCorrections
} from "./view/Correction.ts"
export type { HistoryEvent, WebhookAttempt } from "./view/History.ts"
export type * from "./view/Job.ts"
export type * from "./view/Label.ts"
export type { LiveEvent, LiveHappening } from "./view/LiveEvent.ts"
export type * from "./view/Preset.ts"
