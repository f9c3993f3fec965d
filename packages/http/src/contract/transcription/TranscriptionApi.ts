/** Defines the transcription operations: paths, parameters, bodies, responses and errors. */

import { urlLengthMax } from "@verbatim/core/outbound"
import { Integer, openStruct, optional, Rule } from "@verbatim/core/schema"
import { SummaryType } from "@verbatim/core/summary"
import {
  callbackIdBytesMax,
  isSendable,
  Language,
  MediaExtension,
  Modifier,
  promptLengthMax,
  speakerMax,
  Tracks
} from "@verbatim/core/transcription"
import { Keywords, keywordLengthMax, keywordMax, keywordsLengthMax } from "@verbatim/core/workspace"
import { Duration, Effect, Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { TranscriptionAuthentication } from "../Authentication.ts"
import {
  makeTranscriptionError,
  pickErrors,
  type TranscriptionError,
  TranscriptionErrors
} from "../Errors.ts"
import { makeGroup } from "../Operation.ts"
import {
  flagField,
  makeIdempotencyHeader,
  makePathParameter,
  makeRawParameter,
  optionalOrNull,
  orNull,
  type RawParameter,
  textField
} from "../Parameters.ts"
import { waits } from "./EventsApi.ts"
import * as examples from "./Examples.ts"
import { explain } from "./Examples.ts"
import { Job, jobParameters, ParagraphJson, PlainJson, WordJson } from "./JobsApi.ts"

const Address = Schema.String.check(
  Schema.isPattern(/^[Hh][Tt][Tt][Pp][Ss]?:\/\//u),
  Rule.charactersAtMost(urlLengthMax)
)

/**
 * This schema accepts more strings than the server does, because a regular expression cannot count
 * bytes.
 */
const CallbackId = Schema.String.check(
  Schema.makeFilter(isSendable, {
    toJsonSchema: () => {
      const inside = "[^\\u0000-\\u001f\\u007f-\\u009f]"
      const atEnds = "[^ \\u0000-\\u001f\\u007f-\\u009f]"
      return { maxLength: callbackIdBytesMax, pattern: `^(${atEnds}(${inside}*${atEnds})?)?$` }
    }
  })
)

const Prompt = Schema.String.check(
  Rule.charactersAtMost(promptLengthMax),
  Schema.makeFilter((text: string) => !text.includes("\0"), {
    toJsonSchema: () => ({ pattern: "^[^\\u0000]*$" })
  })
)

const Url = Address.annotate({
  description:
    "A public http or https URL of the file. Its extension is the first supported one of: its " +
    "path, `Content-Disposition`, a URL it redirects to, `Content-Type`."
})

const texts = {
  language: [
    Language,
    "ISO 639-1 code of the spoken language; detected from the first seconds if omitted."
  ],
  initial_prompt: [Prompt, "Names and terms to expect, in the spoken language."],
  callback_url: [
    Address,
    "A public http or https URL that receives the result as the webhook `transcription.ended`."
  ],
  callback_id: [
    CallbackId,
    "Your identifier, returned in answers and in the webhook's `X-Callback-ID`: at most " +
      `${callbackIdBytesMax} bytes of UTF-8 without control characters or leading or trailing ` +
      "spaces. Receivers decode `utf8-b64:`; a value that starts with it is sent unchanged."
  ],
  modifier: [
    Modifier,
    "The format of the webhook's body; the status of the job if omitted. Ignored without " +
      "`callback_url`."
  ],
  template: [
    Schema.String,
    "The name of a parameter set defined by the operator. Parameters of the request take " +
      "precedence."
  ],
  tracks: [
    Tracks,
    "The audio tracks to transcribe: `default`, the file's default track, or its first; `mix`, " +
      "all tracks mixed; `speakers`, each track as one speaker."
  ],
  summary: [
    SummaryType,
    "The length of the summary: `brief` for at least about 1 minute of audio, `medium` for 3, " +
      "`long` for 10. Shorter audio gets the next shorter length, or no summary."
  ]
} as const

const flags = {
  vad_filter: {
    default: true,
    description: "Whether silence is removed. False is better for quiet or poor recordings."
  },
  disable_diarization: {
    default: false,
    description: "Whether to skip splitting the transcript by speaker."
  }
} as const

const keywordsDescription =
  "Names and terms to expect, most important first; the workspace's own follow. At most " +
  `${keywordMax}, each of ${keywordLengthMax} characters, ${keywordsLengthMax} together. The job ` +
  "says in `keywords_used` whether they were passed to its engine."

const SpeakerCount = Integer.check(Rule.numberAtLeast(1), Rule.numberAtMost(speakerMax))

/** Descriptions of the parameters for the number of speakers. */
const counts = {
  speakers:
    "The number of speakers, if known. The job says in `speakers_used` whether it was passed to " +
    "its engine.",
  speakers_min: "The minimum number of speakers, if known; at most `speakers_max`.",
  speakers_max: "The maximum number of speakers, if known."
} as const

const CountText = Schema.String.check(Schema.isPattern(/^(?:[1-9]|[12][0-9]|3[0-2])?$/u))

const Word = Schema.Literals(["true", "false"])

/** Parameters in forms, where all values are strings. */
const textFields = {
  language: optional(...texts.language),
  initial_prompt: optional(...texts.initial_prompt),
  keywords: optional(Schema.String, `${keywordsDescription} Separated by commas, or a JSON list.`),
  speakers: optional(CountText, counts.speakers),
  speakers_min: optional(CountText, counts.speakers_min),
  speakers_max: optional(CountText, counts.speakers_max),
  tracks: optional(...texts.tracks),
  vad_filter: optional(Word.annotate({ default: "true" }), flags.vad_filter.description),
  disable_diarization: optional(
    Word.annotate({ default: "false" }),
    flags.disable_diarization.description
  ),
  callback_url: optional(...texts.callback_url),
  callback_id: optional(...texts.callback_id),
  modifier: optional(...texts.modifier),
  template: optional(...texts.template),
  summary: optional(...texts.summary)
}

const makeFlag = ({ default: value, description }: (typeof flags)[keyof typeof flags]) =>
  Schema.optionalKey(Schema.NullOr(Schema.Boolean).annotate({ default: value, description }))

const absence = "An empty string counts as omitted; unknown parameters are ignored."

const InJson = openStruct({
  url: Url,
  language: optionalOrNull(...texts.language),
  initial_prompt: optionalOrNull(...texts.initial_prompt),
  keywords: optionalOrNull(Keywords, keywordsDescription),
  speakers: optionalOrNull(SpeakerCount, counts.speakers),
  speakers_min: optionalOrNull(SpeakerCount, counts.speakers_min),
  speakers_max: optionalOrNull(SpeakerCount, counts.speakers_max),
  tracks: optionalOrNull(...texts.tracks),
  vad_filter: makeFlag(flags.vad_filter),
  disable_diarization: makeFlag(flags.disable_diarization),
  callback_url: optionalOrNull(...texts.callback_url),
  callback_id: optionalOrNull(...texts.callback_id),
  modifier: optionalOrNull(...texts.modifier),
  template: optionalOrNull(...texts.template),
  summary: optionalOrNull(...texts.summary)
}).annotate({ identifier: "TranscriptionJson", description: `Parameters in JSON. ${absence}` })

const InForm = openStruct({ url: Url, ...textFields })
  .annotate({ identifier: "TranscriptionForm", description: `Parameters in a form. ${absence}` })
  .pipe(HttpApiSchema.asFormUrlEncoded())

const File = Schema.String.annotate({
  format: "binary",
  description:
    `The recording, with one of the extensions ${MediaExtension.literals.join(", ")}. Send it ` +
    "after the parameters, so that all parameters are validated before the upload."
})

const eitherSource = Schema.makeFilter<object>(
  (body) => Object.hasOwn(body, "url") !== Object.hasOwn(body, "file"),
  { toJsonSchema: () => ({ oneOf: [{ required: ["file"] }, { required: ["url"] }] }) }
)

const InMultipart = openStruct({
  url: Schema.optionalKey(Url),
  ...textFields,
  file: Schema.optionalKey(File)
})
  .annotate({ description: `Parameters and a file, or a \`url\`. ${absence}` })
  .check(eitherSource)
  .annotate({ identifier: "TranscriptionMultipart" })
  .pipe(HttpApiSchema.asMultipartStream())

/** The maximum wait, which is shorter than the timeouts of most clients and proxies. */
const waitSecondsMax = 60

const pattern = /^\d{1,2}$/

/** Reads how long to wait: no time if the parameter is omitted. */
export const readWait = (
  given: RawParameter | undefined
): Effect.Effect<Duration.Duration, TranscriptionError<400>> => {
  if (given === undefined) return Effect.succeed(Duration.zero)
  const isRight =
    typeof given === "string" && pattern.test(given) && Number(given) <= waitSecondsMax
  return isRight
    ? Effect.succeed(Duration.seconds(Number(given)))
    : Effect.fail(
        makeTranscriptionError(
          400,
          `Invalid 'wait' value. Must be an integer from 0 to ${waitSecondsMax}`
        )
      )
}

const inJson = "application/json"
const { jobs, requests, showRendering } = examples

const create = explain({
  summary: "Transcribe a file or a URL",
  description:
    "Takes `file` in a multipart form, or `url` in any encoding. Needs a balance of more than " +
    "60 minutes. Only the first error is reported, in this order: key, balance, body, " +
    "parameters in the order of the examples, extension, size, reachability of the URL.",
  requests: {
    "multipart/form-data": requests.multipart,
    [inJson]: requests.json,
    "application/x-www-form-urlencoded": requests.form
  },
  json: { accepted: jobs.accepted },
  refusals: examples.creation,
  meanings: {
    200: "The job.",
    403:
      "The key is missing, malformed or unknown, or lacks the scope; or its workspace is " +
      "disabled, or the balance is too low.",
    409: "The idempotency key was used with another request, or for a deleted job.",
    429:
      "The key has too many requests in progress, or its workspace too many URL checks; or the " +
      "workspace or key reached its limit on requests per second, unfinished jobs, or minutes " +
      "today. `Retry-After` is the number of seconds to wait."
  }
}).post("create", "/v1/transcribe", {
  headers: {
    "idempotency-key": makeIdempotencyHeader(
      "The same key with the same request within 24 hours gets the same job; with another " +
        "request, 409."
    )
  },
  payload: [InMultipart, InJson, InForm],
  success: Job,
  error: pickErrors(TranscriptionErrors, 400, 403, 409, 413, 415, 429, 500)
})

const stated = "as stated by the link's host; null if it states none"

/** Facts about a recording that are known before its link is fetched. */
export const Quote = Schema.Struct({
  url: Schema.String,
  content_type: orNull(Schema.String, `The content type, ${stated}.`),
  size_bytes: orNull(Schema.Int, `The size, ${stated}.`),
  balance_minutes: textField("The workspace's balance: decimal minutes with two digits."),
  balance_sufficient: flagField("Whether the balance allows a new job: more than 60 minutes.")
}).annotate({
  identifier: "LinkQuote",
  description:
    "Facts about a link before it is fetched. The length, which determines the charge, is " +
    "measured when the recording is decoded."
})

const quote = explain({
  summary: "Check a link before it is transcribed",
  description:
    "Validates a request with a link, connects to the link once, and reads the balance. " +
    "Nothing is stored or charged.",
  requests: { [inJson]: requests.json },
  json: { quote: examples.quote },
  refusals: examples.quotes,
  meanings: {
    200: "The link can be submitted.",
    429:
      "The key has too many requests in progress, or its workspace too many URL checks. " +
      "`Retry-After` is the number of seconds to wait."
  }
}).post("quote", "/v1/transcriptions/quote", {
  payload: InJson,
  success: Quote,
  error: pickErrors(TranscriptionErrors, 400, 403, 413, 415, 429, 500)
})

const wait = makeRawParameter({
  type: "integer",
  minimum: 0,
  maximum: waitSecondsMax,
  default: 0,
  description: "Seconds to wait for the status to change. A finished job is returned immediately."
})

const status = explain({
  summary: "Read the status of a job, with its transcript once it is ready",
  description:
    "The status is `ACCEPTED` until the media is stored, then `IN_QUEUE`, `IN_PROGRESS`, and " +
    "finally `COMPLETED` (`TRANSCRIBED` with a `callback_url`) or, with an `error`, `FAILED`.",
  json: {
    inProgress: jobs.inProgress,
    completed: jobs.completed,
    delivered: jobs.delivered,
    failed: jobs.failed
  },
  refusals: waits,
  meanings: {
    200: "The job.",
    429:
      "The workspace or key has the maximum number of waiting requests and subscribers. " +
      "`Retry-After` is the number of seconds to wait.",
    503:
      "This process has the maximum number of waiting requests and subscribers; another " +
      "process may have capacity."
  }
}).get("status", "/v1/status/:id", {
  params: jobParameters,
  query: { wait },
  success: Job,
  error: pickErrors(TranscriptionErrors, 400, 404, 429, 500, 503)
})

const makeTextAnswer = (contentType: string) =>
  Schema.String.pipe(HttpApiSchema.asText({ contentType }))

const result = explain({
  summary: "Read the transcript of a job in another format",
  description: "Until the transcript is ready, the answer is the status of the job.",
  json: {
    paragraph_json: showRendering("paragraph_json"),
    plain_json: showRendering("plain_json"),
    word_json: showRendering("word_json"),
    inProgress: jobs.inProgress
  },
  texts: {
    "text/plain; charset=utf-8": {
      paragraph_text: showRendering("paragraph_text"),
      plain_text: showRendering("plain_text")
    },
    "application/x-subrip; charset=utf-8": { srt: showRendering("srt") },
    "text/vtt; charset=utf-8": { vtt: showRendering("vtt") }
  },
  refusals: examples.renderings,
  meanings: {
    200: "The transcript in this format, or the status of an unfinished job.",
    400: "The format is unknown.",
    410: "The transcript's retention period has expired.",
    429:
      "The key has too many requests in progress, or its workspace reads too many renderings " +
      "of long recordings. `Retry-After` is the number of seconds to wait.",
    500: "The transcription or the server failed."
  }
}).get("result", "/v1/status/:id/:modifier", {
  params: {
    ...jobParameters,
    modifier: makePathParameter({
      enum: Modifier.literals,
      description: "The format of the transcript."
    })
  },
  success: [
    // Clients take the first schema that matches, so the schema with the fewest fields comes last.
    Schema.Union([Job, ParagraphJson, WordJson, PlainJson]),
    makeTextAnswer("text/plain; charset=utf-8"),
    makeTextAnswer("application/x-subrip; charset=utf-8"),
    makeTextAnswer("text/vtt; charset=utf-8")
  ],
  error: pickErrors(TranscriptionErrors, 400, 404, 410, 429, 500)
})

export const TranscriptionApi = makeGroup("transcription", {
  title: "Transcription",
  description: "Submit a recording or check a link, and read the status and transcript.",
  resource: "transcriptions"
})
  .add(create, quote, status, result)
  .middleware(TranscriptionAuthentication)
