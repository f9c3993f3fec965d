/**
 * The media of a job as somebody plays it. Its key names one content for good: another attempt has
 * another key.
 */
import { Option } from "effect"
import { contentTypes, isAccepted } from "../transcription/MediaType.ts"
import type { StoredMedia } from "../transcription/Transcription.ts"
import { namedMedia } from "./Expiry.ts"
import type { Job } from "./Job.ts"
import { filenameOf } from "./JobDetails.ts"

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
