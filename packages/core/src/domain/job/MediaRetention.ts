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

/** The operator's settings for keeping media after a transcription. */
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
 * Whether a job keeps this media. An attempt that was superseded may have left a different file.
 */
export const keepsMedia = (job: Job, key: MediaKey): boolean =>
  !isTerminal(job.transcription) || Option.exists(findMediaKey(job), (named) => named === key)

/** Whether the media of a job may still be read. */
export const needsMedia = (
  { transcription }: Job,
  { failedFor, now }: { readonly failedFor: Duration.Duration; readonly now: DateTime.Utc }
): boolean =>
  transcription._tag === "Failed"
    ? DateTime.isLessThan(now, DateTime.addDuration(transcription.endedAt, failedFor))
    : !isTerminal(transcription)

// Media for playback. A media key always names the same content, because each attempt has its own
// key.

/** A stored recording to play. */
export interface PlayableMedia {
  readonly media: StoredMedia
  readonly contentType: string
  /** The file name, as sent; empty if unknown. */
  readonly filename: string
}

/** Returns the media to play; none if it is not stored yet, or was removed. */
export const playableMedia = (job: Job): Option.Option<PlayableMedia> => {
  const { transcription } = job
  const media = "media" in transcription ? (transcription.media ?? undefined) : undefined
  if (media === undefined || Option.isNone(findMediaKey(job))) return Option.none()
  const contentType = isAccepted(media.extension)
    ? contentTypes[media.extension][0]
    : "application/octet-stream"
  return Option.some({ media, contentType, filename: filenameOf(job.request.source) })
}

/** Whether a job's media has not been fetched yet. */
export const isMediaAwaited = ({ transcription: { _tag } }: Job): boolean =>
  _tag === "AwaitingMedia" || _tag === "Fetching"
