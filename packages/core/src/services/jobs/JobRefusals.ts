/** Errors that can occur when a job or its results are read. */

import { Schema } from "effect"
import { refusal } from "../../domain/schema/Refusal.ts"

/** The workspace has no job with that id. */
export class RequestNotFound extends refusal<RequestNotFound>()("RequestNotFound", {
  sentence: "The workspace has no such job"
}) {}

/** The media behind a URL has not been fetched yet. */
export class MediaAwaited extends refusal<MediaAwaited>()("MediaAwaited", {
  sentence: "The file is not stored yet"
}) {}

/**
 * The transcript is gone, does not exist yet, or was made by a release that did not store peaks.
 */
export class PeaksMissing extends refusal<PeaksMissing>()("PeaksMissing", {
  sentence: "No peaks are stored for this job"
}) {}

/** The job ended without a transcript: its media was never fetched, or could not be transcribed. */
export class TranscriptMissing extends refusal<TranscriptMissing>()("TranscriptMissing", {
  fields: { during: Schema.Literals(["Fetching", "Running"]) },
  sentence: "The job ended without a transcript"
}) {}
