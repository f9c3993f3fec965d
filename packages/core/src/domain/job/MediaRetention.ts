/**
 * Decides how long media is kept after its transcription.
 */
import { Context, DateTime, Duration, Option } from "effect"
import type { MediaKey } from "../transcription/MediaKey.ts"
import { contentTypes, isAccepted } from "../transcription/MediaType.ts"
import { isTerminal, type StoredMedia } from "../transcription/Transcription.ts"
import { findMediaKey } from "./Expiry.ts"
import type { Job } from "./Job.ts"
import { filenameOf } from "./JobDetails.ts"

/** How long this server keeps media after a transcription. */
export interface Retention {
  /** Whether the media of finished jobs is kept until a retention rule removes it. */
  readonly isKept: boolean
  /** How long the media of a failed job is kept, so that the job can be retried. */
  readonly failedFor: Duration.Duration
}

/** By default, media is removed immediately after a success, and seven days after a failure. */
export const MediaRetention: Context.Reference<Retention> = Context.Reference(
  "@verbatim/core/domain/job/MediaRetention",
  { defaultValue: (): Retention => ({ isKept: false, failedFor: Duration.days(7) }) }
)

/**
 * Whether this media must be kept for the job. After the end of the transcription, a file that a
 * superseded attempt left behind is no longer kept.
 */
export const keepsMedia = (job: Job, key: MediaKey): boolean =>
  !isTerminal(job.transcription) || Option.exists(findMediaKey(job), (named) => named === key)

/** Whether a job may still need its media for its transcription or for a retry. */
export const needsMedia = (
  { transcription }: Job,
  { failedFor, now }: { readonly failedFor: Duration.Duration; readonly now: DateTime.Utc }
): boolean =>
  transcription._tag === "Failed"
    ? DateTime.isLessThan(now, DateTime.addDuration(transcription.endedAt, failedFor))
    : !isTerminal(transcription)

// A media key always names the same content, because each attempt has its own key.

/** A stored recording that can be played. */
export interface PlayableMedia {
  readonly media: StoredMedia
  readonly contentType: string
  /** The file name as it was sent; empty if unknown. */
  readonly filename: string
}

/** Returns the media for playback; none if it is not stored yet, or was removed. */
export const playableMedia = (job: Job): Option.Option<PlayableMedia> => {
  const { transcription } = job
  const media = "media" in transcription ? (transcription.media ?? undefined) : undefined
  if (media === undefined || Option.isNone(findMediaKey(job))) return Option.none()
  const contentType = isAccepted(media.extension)
    ? contentTypes[media.extension][0]
    : "application/octet-stream"
  return Option.some({ media, contentType, filename: filenameOf(job.request.source) })
}

/** Whether a job's media has yet to be fetched. */
export const isMediaAwaited = ({ transcription: { _tag } }: Job): boolean =>
  _tag === "AwaitingMedia" || _tag === "Fetching"
