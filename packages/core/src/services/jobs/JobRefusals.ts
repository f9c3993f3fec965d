/** Why a caller gets no job, or nothing of it. */
import { Schema } from "effect"

/** The workspace has no job with that id. */
export class RequestNotFound extends Schema.TaggedError<RequestNotFound>()("RequestNotFound", {}) {
  override readonly message = "The workspace has no such job"
}

/** The media behind a URL has not been fetched yet. */
export class MediaAwaited extends Schema.TaggedError<MediaAwaited>()("MediaAwaited", {}) {
  override readonly message = "The file is not stored yet"
}

/** A transcript that is gone, is not there yet, or was made before peaks were kept. */
export class PeaksMissing extends Schema.TaggedError<PeaksMissing>()("PeaksMissing", {}) {
  override readonly message = "No peaks are stored for this job"
}

/** The job ended without a transcript: its media was never fetched, or could not be transcribed. */
export class TranscriptMissing extends Schema.TaggedError<TranscriptMissing>()(
  "TranscriptMissing",
  { during: Schema.Literals(["Fetching", "Running"]) }
) {
  override readonly message = "The job ended without a transcript"
}
