/**
 * The notices that a job has: one for each hook that its host wanted when it was accepted.
 */
import { DateTime, Duration } from "effect"
import type { Hook } from "../notice/Hook.ts"
import type * as Notice from "../notice/Notice.ts"
import type * as Transcription from "../transcription/Transcription.ts"

/** Where the notices stand; one that is missing was not wanted. */
export interface JobNotices {
  /** That of the transcript, for `transcribed`. */
  readonly transcriptNotice?: Notice.State
  /** That of the end, for `finished`. */
  readonly notice?: Notice.State
}

/** The notice for a hook. */
export const noticeFor = (job: JobNotices, hook: Hook): Notice.State | undefined =>
  hook === "transcribed" ? job.transcriptNotice : job.notice

/** The same with another notice for that hook. */
export const withNotice = <Job extends JobNotices>(
  job: Job,
  { hook, notice }: { readonly hook: Hook; readonly notice: Notice.State }
): Job => (hook === "transcribed" ? { ...job, transcriptNotice: notice } : { ...job, notice })

/** Whether its host is told of the transcript: a job without one has nothing to tell. */
export const announces = (
  job: JobNotices & { readonly transcription: Transcription.State }
): boolean => job.transcriptNotice !== undefined && job.transcription._tag === "Transcribed"

/**
 * How long a summary and a webhook wait for a process that has `transcribed`: many times what one
 * that is there and not busy takes to come.
 */
const noticePatience: Duration.Duration = Duration.seconds(10)

/** Whether a notice that goes first has waited for so long that nobody seems to listen. */
export const isPassedOver = (
  { transcription, transcriptNotice }: JobNotices & { readonly transcription: Transcription.State },
  now: DateTime.Utc
): boolean => {
  if (transcriptNotice?._tag !== "Waiting" || transcription._tag !== "Transcribed") return false
  const since = DateTime.max(transcriptNotice.dueAt, transcription.endedAt)
  return DateTime.isGreaterThanOrEqualTo(now, DateTime.addDuration(since, noticePatience))
}
