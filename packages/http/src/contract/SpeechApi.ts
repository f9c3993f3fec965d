/**
 * The operations that programs written for OpenAI call, as values: transcribe and wait for it, and
 * the names of the models.
 */

import { openStruct, optional } from "@verbatim/core/schema"
import {
  DiarizedJson,
  Granularity,
  SpeechForm,
  SpeechJson,
  VerboseJson
} from "@verbatim/core/speech"
import { promptLengthMax } from "@verbatim/core/transcription"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Resource, SpeechAuthentication } from "./Authentication.ts"
import { SpeechErrors } from "./Errors.ts"
import { describe, pickErrors } from "./Operation.ts"
import { makeIdempotencyHeader } from "./Parameters.ts"

/** A name under which a transcription may be asked for. */
export const SpeechModel = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("model"),
  created: Schema.Int.annotate({ description: "Seconds since 1970; 0 where nobody counts." }),
  owned_by: Schema.String,
  engine: Schema.NullOr(Schema.String).annotate({
    description: "The engine that does the work now; null where this process knows of none."
  })
}).annotate({ identifier: "SpeechModel" })
export type SpeechModel = typeof SpeechModel.Type

/** All names. */
const SpeechModelList = Schema.Struct({
  object: Schema.Literal("list"),
  data: Schema.Array(SpeechModel)
}).annotate({ identifier: "SpeechModelList" })

/** Shows a name. */
export const toModel = (id: string, engine: string | null): SpeechModel => ({
  id,
  object: "model",
  created: 0,
  owned_by: "verbatim",
  engine
})

/** The header of every answer that has a job behind it. */
export const jobHeader = "x-verbatim-job-id"

const Text = Schema.String

const fields = {
  file: Schema.String.annotate({ format: "binary", description: "The recording." }),
  model: Text.annotate({
    description: "One of `GET /v1/models`; all mean the engines set up here."
  }),
  language: optional(Text, "ISO 639-1 code of the language spoken; detected when left out."),
  prompt: optional(Text, `Names and terms to expect; at most ${promptLengthMax} characters.`),
  response_format: optional(SpeechForm, "The form of the answer, `json` when left out."),
  "timestamp_granularities[]": optional(
    Schema.Array(Granularity),
    "The times that `verbose_json` has, `segment` when left out. `word` needs `verbose_json` and " +
      "an engine that times words; `segment` changes nothing in other forms."
  ),
  stream: optional(
    Schema.Literals(["true", "false"]),
    "Whether the answer is server-sent events: with `json`, `text` and `diarized_json`."
  ),
  "keywords[]": optional(
    Schema.Array(Text),
    "Words and names to expect, as `keywords` of `POST /v1/transcribe`. As `keywords`, without " +
      "brackets, also one text that separates them by commas. The job says whether its engine " +
      "was told them."
  ),
  temperature: optional(Text, "0 and nothing else: engines take none."),
  chunking_strategy: optional(Schema.Literal("auto"), "How silence is cut is up to the engine.")
}

const Form = openStruct(fields)
  .annotate({
    identifier: "SpeechForm",
    description:
      "A call as OpenAI's packages send it. A parameter that is unknown, or that cannot be " +
      "honoured, is a 400 that names it; an empty text is the same as leaving it out."
  })
  .pipe(HttpApiSchema.asMultipart())

const asText = (contentType: string) => Schema.String.pipe(HttpApiSchema.asText({ contentType }))

const Whole = Schema.Union([
  VerboseJson.annotate({ identifier: "SpeechVerboseJson" }),
  DiarizedJson.annotate({ identifier: "SpeechDiarizedJson" }),
  SpeechJson.annotate({ identifier: "SpeechJson" })
])

const transcribe = HttpApiEndpoint.post("transcribe", "/v1/audio/transcriptions", {
  headers: {
    "idempotency-key": makeIdempotencyHeader(
      "Without one, the same call joins its job. The same key with the same request, within 24 " +
        "hours, is answered with the same job; with another one, with 409."
    )
  },
  payload: Form,
  success: [
    Whole,
    asText("text/plain; charset=utf-8"),
    asText("application/x-subrip; charset=utf-8"),
    asText("text/vtt; charset=utf-8"),
    asText("text/event-stream; charset=utf-8")
  ],
  error: pickErrors(SpeechErrors, 400, 404, 409, 413, 415, 429, 503)
}).annotateMerge(
  describe(
    "Transcribe a file and wait for it, as OpenAI's clients do",
    "Behind it is an ordinary job: `X-Verbatim-Job-Id` names it, and it goes on when the caller",
    "does not wait. The same call with the same key joins that job while it runs, and is answered",
    "with its transcript for 24 hours after it began: it runs once and is charged once. The form",
    "of the answer may differ. A failed or deleted job is not joined.",
    "With `stream` the answer is events, `transcript.text.delta`, `transcript.text.segment` with",
    "`diarized_json`, and `transcript.text.done`; a failure is the event `error`."
  )
)

const models = HttpApiEndpoint.get("models", "/v1/models", {
  success: SpeechModelList
}).annotateMerge(
  describe(
    "List the names of models",
    "All mean the engines that the operator has set up; `engine` tells which one works now."
  )
)

const model = HttpApiEndpoint.get("model", "/v1/models/:model", {
  params: {
    model: Schema.String.annotate({
      "x-schema": { type: "string", description: "The name of the model." }
    })
  },
  success: SpeechModel,
  error: SpeechErrors[404]
}).annotateMerge(describe("Look up the name of a model", "Whether it may be asked for here."))

/** Calls in the form of OpenAI's audio API. */
export const SpeechApi = HttpApiGroup.make("speech")
  .add(transcribe, models, model)
  .middleware(SpeechAuthentication)
  .annotate(Resource, "transcriptions")
  .annotateMerge(
    OpenApi.annotations({
      title: "Speech, as OpenAI's clients call it",
      description:
        "For programs that speak to OpenAI's audio API: they need another base URL and a key."
    })
  )
