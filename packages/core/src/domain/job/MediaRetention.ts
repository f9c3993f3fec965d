/**
 * How long media outlives what it was stored for.
 */
import { Context, DateTime, Duration, Option } from "effect"
import type { MediaKey } from "../transcription/MediaKey.ts"
import { contentTypes, isAccepted } from "../transcription/MediaType.ts"
import { isTerminal, type StoredMedia } from "../transcription/Transcription.ts"
import { namedMedia } from "./Expiry.ts"
import type { Job } from "./Job.ts"
import { filenameOf } from "./JobDetails.ts"

/** What the operator chose. */
export interface Retention {
  /** Whether the media of jobs that have ended stays, until a rule of retention says otherwise. */
  readonly isKept: boolean
  /** How long that of a failed one stays, so that it can be run again. */
  readonly failedFor: Duration.Duration
}

/** Media is removed on success, and seven days after a failure. */
export const MediaRetention: Context.Reference<Retention> = Context.Reference(
  "@verbatim/core/domain/job/MediaRetention",
  { defaultValue: (): Retention => ({ isKept: false, failedFor: Duration.days(7) }) }
)

/** Whether a job keeps this media: an overtaken attempt may have left another file. */
export const keepsMedia = (job: Job, key: MediaKey): boolean =>
  !isTerminal(job.transcription) || Option.exists(namedMedia(job), (named) => named === key)

/** Whether anybody may still read the media of a job. */
export const needsMedia = (
  { transcription }: Job,
  { failedFor, now }: { readonly failedFor: Duration.Duration; readonly now: DateTime.Utc }
): boolean =>
  transcription._tag === "Failed"
    ? DateTime.isLessThan(now, DateTime.addDuration(transcription.endedAt, failedFor))
    : !isTerminal(transcription)

// The media of a job as somebody plays it. Its key names one content for good: another attempt has
// another key.

/** A file to play. */
export interface PlayableMedia {
  readonly media: StoredMedia
  readonly contentType: string
  /** As it was sent; empty where that is not known. */
  readonly filename: string
}

/** What there is to play; none where it is not stored yet, or no longer. */
export const playableMedia = (job: Job): Option.Option<PlayableMedia> => {
  const { transcription } = job
  const media = "media" in transcription ? (transcription.media ?? undefined) : undefined
  if (media === undefined || Option.isNone(namedMedia(job))) return Option.none()
  const contentType = isAccepted(media.extension)
    ? contentTypes[media.extension][0]
    : "application/octet-stream"
  return Option.some({ media, contentType, filename: filenameOf(job.request.source) })
}

/** Whether its media is still to come. */
export const isMediaAwaited = ({ transcription: { _tag } }: Job): boolean =>
  _tag === "AwaitingMedia" || _tag === "Fetching"
