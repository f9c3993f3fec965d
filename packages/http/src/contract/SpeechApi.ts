/** Defines the OpenAI-compatible operations: transcribe a file, and list or look up models. */

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
import { HttpApiSchema } from "effect/http-api"
import { SpeechAuthentication } from "./Authentication.ts"
import { pickErrors, SpeechErrors } from "./Errors.ts"
import { describe, makeGroup } from "./Operation.ts"
import { countField, makeIdempotencyHeader, makePathParameter, orNull } from "./Parameters.ts"

/** A model name accepted in transcription requests. */
export const SpeechModel = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("model"),
  created: countField("Seconds since 1970; always 0."),
  owned_by: Schema.String,
  engine: orNull(Schema.String, "The engine in use now; null if this process does not know it.")
}).annotate({ identifier: "SpeechModel" })
export type SpeechModel = typeof SpeechModel.Type

const SpeechModelList = Schema.Struct({
  object: Schema.Literal("list"),
  data: Schema.Array(SpeechModel)
}).annotate({ identifier: "SpeechModelList" })

/** Describes a model, with the engine that recognises speech, if it is known. */
export const toModel = (id: string, engine: string | null): SpeechModel => ({
  id,
  object: "model",
  created: 0,
  owned_by: "verbatim",
  engine
})

/** The response header that contains the job id. */
export const jobHeader = "x-verbatim-job-id"

const Text = Schema.String

const fields = {
  file: Schema.String.annotate({ format: "binary", description: "The recording." }),
  model: Text.annotate({
    description: "A name from `GET /v1/models`; every name selects the configured engines."
  }),
  language: optional(Text, "ISO 639-1 code of the spoken language; detected if omitted."),
  prompt: optional(Text, `Names and terms to expect; at most ${promptLengthMax} characters.`),
  response_format: optional(SpeechForm, "Format of the answer; `json` if omitted."),
  "timestamp_granularities[]": optional(
    Schema.Array(Granularity),
    "The times in `verbose_json`; `segment` if omitted. `word` needs `verbose_json` and an " +
      "engine that reports word timestamps; `segment` has no effect on other formats."
  ),
  stream: optional(
    Schema.Literals(["true", "false"]),
    "Whether the answer is sent as server-sent events; allowed with `json`, `text` and " +
      "`diarized_json`."
  ),
  "keywords[]": optional(
    Schema.Array(Text),
    "Words and names to expect, like `keywords` of `POST /v1/transcribe`. `keywords` without " +
      "brackets can also be one comma-separated string. The job shows whether its engine " +
      "received them."
  ),
  temperature: optional(Text, "Only 0 is accepted, because engines do not support temperatures."),
  chunking_strategy: optional(
    Schema.Literal("auto"),
    "Only `auto` is accepted: the engine decides how to split at silence."
  )
}

const Form = openStruct(fields)
  .annotate({
    identifier: "SpeechForm",
    description:
      "A request as OpenAI's packages send it. An unknown or unsupported parameter is " +
      "refused with 400 and its name; an empty string counts as omitted."
  })
  .pipe(HttpApiSchema.asMultipart())

const asText = (contentType: string) => Schema.String.pipe(HttpApiSchema.asText({ contentType }))

const Whole = Schema.Union([
  VerboseJson.annotate({ identifier: "SpeechVerboseJson" }),
  DiarizedJson.annotate({ identifier: "SpeechDiarizedJson" }),
  SpeechJson.annotate({ identifier: "SpeechJson" })
])

const transcribe = describe(
  "Transcribe a file and wait for the transcript, as OpenAI's clients do",
  "The call creates an ordinary job, which keeps running if the caller disconnects. The job's id",
  "is in `X-Verbatim-Job-Id`. An identical call with the same key joins that job while it runs,",
  "and gets its transcript for 24 hours after the job began: the job runs and is charged once.",
  "The response formats of the two calls can differ. A failed or deleted job is not joined.",
  "With `stream`, the answer is a series of events: `transcript.text.delta` while the recording",
  "is recognised, `transcript.text.segment` with `diarized_json`, and `transcript.text.done`,",
  "whose text is final, even if it differs from the deltas. A failure is sent as the event",
  "`error`."
).post("transcribe", "/v1/audio/transcriptions", {
  headers: {
    "idempotency-key": makeIdempotencyHeader(
      "If omitted, an identical call joins the existing job. The same key with the same " +
        "request within 24 hours gets the same job; with another request, 409."
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
})

const models = describe(
  "List the model names",
  "Every model name selects the engines that the operator configured; `engine` is the engine in",
  "use now."
).get("models", "/v1/models", {
  success: SpeechModelList
})

const model = describe("Look up a model name", "Shows whether this server accepts the name.").get(
  "model",
  "/v1/models/:model",
  {
    params: {
      model: makePathParameter({ description: "The name of the model." })
    },
    success: SpeechModel,
    error: SpeechErrors[404]
  }
)

export const SpeechApi = makeGroup("speech", {
  title: "OpenAI-compatible speech",
  description: "For programs written for OpenAI's audio API: change the base URL and the key.",
  resource: "transcriptions"
})
  .add(transcribe, models, model)
  .middleware(SpeechAuthentication)
