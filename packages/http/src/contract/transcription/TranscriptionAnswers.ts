/**
 * What the operations on transcriptions answer, as named schemas.
 */
import * as History from "@verbatim/core/job"
import * as Listing from "@verbatim/core/job"
import { JobView } from "@verbatim/core/job"
import {
  ParagraphRendering as Paragraphs,
  PlainRendering as Plain,
  WordRendering as Words
} from "@verbatim/core/rendering"
import { PeaksView } from "@verbatim/core/transcription"
import { Schema } from "effect"

/** The status of a job. */
export const Job = JobView.annotate({
  identifier: "Job",
  description: "The status of a job; a field that does not apply is left out."
})

/** A job with all that is known of it. */
export const JobDetails = Listing.JobDetails.annotate({
  identifier: "JobDetails",
  description: "A job with all that is known of it; a field that does not apply is left out."
})

/** A page of jobs. */
export const JobPage = Schema.Struct({
  data: Schema.Array(Listing.ListedJob.annotate({ identifier: "ListedJob" })),
  next_cursor: Schema.NullOr(Schema.String).annotate({
    description: "The `cursor` of the next page; null on the last one."
  })
}).annotate({ identifier: "JobPage", description: "The jobs of the page, newest first." })

/** The history of a job. */
export const JobHistory = History.JobHistory.annotate({
  identifier: "JobHistory",
  description: "Events and webhook requests, oldest first."
})

/** How loud a recording is over its time. */
export const Peaks = PeaksView.annotate({
  identifier: "Peaks",
  description: "How loud a recording is over its time, in at most 1,000 pairs."
})

/** The body of `paragraph_json`. */
export const ParagraphJson = Paragraphs.ParagraphJson.annotate({
  identifier: "ParagraphJson",
  description: "Paragraphs by speaker, with their sentences."
})

/** The body of `plain_json`. */
export const PlainJson = Plain.PlainJson.annotate({
  identifier: "PlainJson",
  description: "The text in one piece, without speakers and times."
})

/** The body of `word_json`. */
export const WordJson = Words.WordJson.annotate({
  identifier: "WordJson",
  description: "Word by word; `estimated` times were not given by the engine."
})
