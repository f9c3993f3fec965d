/**
 * The operations on jobs beyond the specification, as values: list, history, delete, deliver again.
 */
import { JobHistory } from "@verbatim/core/job/JobHistory"
import { JobPage, limitDefault, limitMax } from "@verbatim/core/job/JobListing"
import { JobView, LegacyStatus } from "@verbatim/core/job/JobView"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { TranscriptionAuthentication } from "../Authentication.ts"
import { TranscriptionErrors } from "../ErrorBody.ts"

/** A parameter of the query. Its value is judged by the service; sent twice, it is a list. */
const parameter = (shape: Readonly<Record<string, unknown>>) =>
  Schema.optionalKey(
    Schema.Union([Schema.String, Schema.Array(Schema.String)]).annotate({ "x-schema": shape })
  )

const query = {
  status: parameter({
    type: "string",
    enum: LegacyStatus.literals,
    description: "Only jobs with that `status`."
  }),
  cursor: parameter({
    type: "string",
    description: "The `next_cursor` of the page before."
  }),
  limit: parameter({
    type: "integer",
    minimum: 1,
    maximum: limitMax,
    default: limitDefault,
    description: "Most jobs in the answer."
  })
}

const params = { id: Schema.String.annotate({ description: "The id of the job." }) }

const list = HttpApiEndpoint.get("list", "/v1/transcriptions", {
  query,
  success: JobPage.annotate({ identifier: "JobPage" }),
  error: [TranscriptionErrors[400], TranscriptionErrors[403], TranscriptionErrors[500]]
}).annotateMerge(
  OpenApi.annotations({
    summary: "List jobs, newest first",
    description:
      "Without transcripts. `next_cursor` leads to the next page; on the last one it is null."
  })
)

const remove = HttpApiEndpoint.delete("remove", "/v1/transcriptions/:id", {
  params,
  success: HttpApiSchema.NoContent,
  error: [TranscriptionErrors[403], TranscriptionErrors[404], TranscriptionErrors[500]]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Delete a job, or cancel it",
    description:
      "Removes the job, its results, its history and its media. Work under way is stopped, and " +
      "no webhook follows. What was charged stays charged."
  })
)

const history = HttpApiEndpoint.get("history", "/v1/transcriptions/:id/history", {
  params,
  success: JobHistory.annotate({ identifier: "JobHistory" }),
  error: [TranscriptionErrors[403], TranscriptionErrors[404], TranscriptionErrors[500]]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Read what happened to a job",
    description:
      "Every event with its instant, oldest first, and every webhook request with the status " +
      "code of its receiver and its duration."
  })
)

const redeliver = HttpApiEndpoint.post("redeliver", "/v1/transcriptions/:id/webhook", {
  params,
  success: JobView.annotate({ identifier: "Job" }),
  error: [
    TranscriptionErrors[400],
    TranscriptionErrors[403],
    TranscriptionErrors[404],
    TranscriptionErrors[409],
    TranscriptionErrors[500]
  ]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Deliver the webhook again",
    description:
      "A new delivery of up to three attempts, with a new `webhook-id`. The job must have a " +
      "`callback_url` and nothing pending."
  })
)

/** Jobs, beyond the specification. */
export const JobsApi = HttpApiGroup.make("jobs")
  .add(list, remove, history, redeliver)
  .middleware(TranscriptionAuthentication)
  .annotateMerge(
    OpenApi.annotations({
      title: "Transcription jobs",
      description: "List jobs, look into them, deliver again, delete."
    })
  )
