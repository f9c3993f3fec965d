/**
 * The transcription operations as values: paths, parameters, answers and errors.
 */
import { JobView } from "@verbatim/core/job/JobView"
import { Modifier } from "@verbatim/core/rendering/Modifier"
import { ParagraphJson } from "@verbatim/core/rendering/ParagraphRendering"
import { PlainJson } from "@verbatim/core/rendering/PlainRendering"
import { WordJson } from "@verbatim/core/rendering/WordRendering"
import { SummaryType } from "@verbatim/core/summary/SummaryType"
import { Language } from "@verbatim/core/transcription/Language"
import { Schema } from "effect"
import { Multipart } from "effect/http"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { TranscriptionAuthentication } from "../Authentication.ts"
import { TranscriptionErrors } from "../ErrorBody.ts"

const Job = JobView.annotate({ identifier: "Job" })

const parameter = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.optionalKey(Schema.NullOr(schema).annotate({ description }))

const flag = { json: Schema.Boolean, text: Schema.Literals(["true", "false"]) }

/** The parameters of a request. An empty text or null is the same as leaving one out. */
const parameters = <Flag extends Schema.Top>(flag: Flag) => ({
  url: parameter(Schema.String, "A public http or https URL of the file."),
  language: parameter(Language, "The language spoken; detected when left out."),
  initial_prompt: parameter(Schema.String, "Vocabulary to expect, in the language spoken."),
  vad_filter: parameter(flag, "Whether silences are removed; true when left out."),
  disable_diarization: parameter(flag, "Whether speakers are not told apart."),
  callback_url: parameter(Schema.String, "A http or https URL that is told the result."),
  callback_id: parameter(Schema.String, "Your identifier, returned in the body and the webhook."),
  modifier: parameter(Modifier, "The form of the transcript in the webhook."),
  template: parameter(Schema.String, "The name of a set of parameters made by the operator."),
  summary: parameter(SummaryType, "The kind of summary to make.")
})

const inJson = Schema.Struct(parameters(flag.json)).annotate({ identifier: "TranscriptionJson" })

const inForm = Schema.Struct(parameters(flag.text))
  .annotate({ identifier: "TranscriptionForm" })
  .pipe(HttpApiSchema.asFormUrlEncoded())

const inMultipart = Schema.Struct({
  ...parameters(flag.text),
  file: Schema.optionalKey(Multipart.SingleFileSchema)
})
  .annotate({ identifier: "TranscriptionMultipart" })
  .pipe(HttpApiSchema.asMultipartStream())

const create = HttpApiEndpoint.post("create", "/v1/transcribe", {
  headers: {
    "idempotency-key": Schema.optionalKey(Schema.String).annotate({
      description:
        "1 to 255 visible ASCII characters. The same key with the same request, within 24 hours, " +
        "is answered with the same job."
    })
  },
  payload: [inMultipart, inJson, inForm],
  success: Job,
  error: [
    TranscriptionErrors[400],
    TranscriptionErrors[403],
    TranscriptionErrors[409],
    TranscriptionErrors[413],
    TranscriptionErrors[415],
    TranscriptionErrors[500]
  ]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Have a file or a URL transcribed",
    description:
      "Takes `file` in a multipart form, or `url` in any encoding. Needs a balance of more than " +
      "60 minutes."
  })
)

const id = Schema.String.annotate({ description: "The id of the job." })

const status = HttpApiEndpoint.get("status", "/v1/status/:id", {
  params: { id },
  success: Job,
  error: [TranscriptionErrors[404], TranscriptionErrors[500]]
}).annotateMerge(
  OpenApi.annotations({ summary: "Read the status of a job, with its transcript when it is there" })
)

const textual = (contentType: string) => Schema.String.pipe(HttpApiSchema.asText({ contentType }))

const result = HttpApiEndpoint.get("result", "/v1/status/:id/:modifier", {
  params: {
    id,
    modifier: Schema.String.annotate({
      description: `The form of the transcript: ${Modifier.literals.join(", ")}.`
    })
  },
  success: [
    Schema.Union([Job, ParagraphJson, PlainJson, WordJson]),
    textual("text/plain; charset=utf-8"),
    textual("application/x-subrip; charset=utf-8"),
    textual("text/vtt; charset=utf-8")
  ],
  error: [TranscriptionErrors[400], TranscriptionErrors[404], TranscriptionErrors[500]]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Read the transcript of a job in another form",
    description: "While the transcript is not there yet, the answer is the status of the job."
  })
)

/** Transcription jobs. */
export const TranscriptionApi = HttpApiGroup.make("transcription")
  .add(create, status, result)
  .middleware(TranscriptionAuthentication)
  .annotateMerge(
    OpenApi.annotations({ title: "Transcription", description: "Transcription jobs." })
  )
