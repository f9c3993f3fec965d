/**
 * Translates a call in OpenAI's audio format into a transcription request and a response format.
 * Unsupported parameters are never ignored, but refused by name. The format is not part of the
 * request, because a job's transcript can be rendered in every format.
 */

import { Option, Result, Schema } from "effect"
import { isLanguage } from "../transcription/Language.ts"
import {
  isPrompt,
  type Parameters,
  promptLengthMax,
  sentAsFile
} from "../transcription/TranscriptionRequest.ts"
import { fromText, keywordsRule, readKeywords } from "../workspace/Keywords.ts"
import type { SpeechRefused } from "./SpeechAnswer.ts"
import {
  collectParameters,
  invalid,
  type NamedParameters,
  type ParameterName,
  refuse,
  type SpeechParameters,
  show,
  singles,
  textOf,
  textsOf,
  unsupported
} from "./SpeechParameters.ts"

/** The response formats that a call can request; `json` is the default. */
export const SpeechForm = Schema.Literals([
  "json",
  "text",
  "srt",
  "verbose_json",
  "vtt",
  "diarized_json"
])
export type SpeechForm = typeof SpeechForm.Type

/** The units that can have timestamps in `verbose_json`. */
export const Granularity = Schema.Literals(["word", "segment"])
export type Granularity = typeof Granularity.Type

/** A decoded call in OpenAI's audio format. */
export interface SpeechRequest {
  readonly form: SpeechForm
  readonly isStreamed: boolean
  readonly granularities: ReadonlySet<Granularity>
  /** The parameters of the job, as JSON values under the names of our own API. */
  readonly parameters: Parameters
}

type Rule = (parameters: NamedParameters) => SpeechRefused | null

const isText: Rule = (parameters) => {
  for (const [name, values] of parameters.values) {
    if (values.includes(sentAsFile)) return invalid(name, "must be text, not a file")
  }
  return null
}

const isOnce: Rule = (parameters) => {
  const repeated = singles.find((name) => (parameters.values.get(name)?.length ?? 0) > 1)
  return repeated === undefined ? null : invalid(repeated, "must be sent only once")
}

/** Creates a rule that judges each value of a parameter. `judge` returns the refusal, or null. */
const about =
  (
    name: ParameterName,
    judge: (value: string, parameters: NamedParameters) => SpeechRefused | null
  ): Rule =>
  (parameters) => {
    for (const value of textsOf(parameters, name)) {
      const refusal = judge(value, parameters)
      if (refusal !== null) return refusal
    }
    return null
  }

const isForm = Schema.is(SpeechForm)
const isGranularity = Schema.is(Granularity)

const list = (values: ReadonlyArray<string>): string => values.join(", ")

const formOf = (parameters: NamedParameters): SpeechForm => {
  const form = textOf(parameters, "response_format")
  return isForm(form) ? form : "json"
}

const form = about("response_format", (value) =>
  isForm(value)
    ? null
    : invalid("response_format", `must be one of ${list(SpeechForm.literals)}, not ${show(value)}`)
)

const isStreamed = (parameters: NamedParameters): boolean => textOf(parameters, "stream") === "true"

/**
 * The formats that can be streamed. The only events are those with text, and those with speakers
 * and timestamps.
 */
const streamable: ReadonlySet<SpeechForm> = new Set(["json", "text", "diarized_json"])

const stream = about("stream", (value, parameters) => {
  if (value !== "true" && value !== "false") return invalid("stream", "must be true or false")
  const wanted = formOf(parameters)
  return value === "false" || streamable.has(wanted)
    ? null
    : unsupported("stream", `the response_format ${wanted} is not streamed`)
})

const language = about("language", (value) =>
  isLanguage(value)
    ? null
    : invalid("language", `must be a code of ISO 639-1 that is accepted here, not ${show(value)}`)
)

/**
 * Refuses more than one language, because engines accept only one. A list with one language stands
 * for that language.
 */
const languages: Rule = (parameters) => {
  const all = textsOf(parameters, "languages")
  const wrong = all.find((value) => !isLanguage(value))
  if (wrong !== undefined) {
    return invalid("languages", `must be codes of ISO 639-1 accepted here, not ${show(wrong)}`)
  }
  const named = new Set([...all, ...textsOf(parameters, "language")])
  return named.size <= 1
    ? null
    : unsupported("languages", "more than one language; leave it out to have it detected")
}

const prompt = about("prompt", (value) =>
  isPrompt(value)
    ? null
    : invalid("prompt", `must have at most ${promptLengthMax} characters and no NUL`)
)

/**
 * Accepts only a temperature of 0, which clients send for the default. None of our engines accepts
 * another one.
 */
const temperature = about("temperature", (value) => {
  const degree = /^\d*\.?\d+(?:e-?\d+)?$/iu.test(value) ? Number(value) : Number.NaN
  if (!(degree >= 0 && degree <= 1)) return invalid("temperature", "must be a number from 0 to 1")
  return degree === 0 ? null : unsupported("temperature", "no engine accepts one; send 0, or none")
})

/** Accepts only `auto`, because engines always decide where to split the audio. */
const chunking = about("chunking_strategy", (value) =>
  value === "auto"
    ? null
    : unsupported("chunking_strategy", 'only "auto" is done; its thresholds cannot be set')
)

/**
 * Accepts `segment` with every format, because some clients, such as the AI SDK 6, always send it.
 * The value affects only `verbose_json`.
 */
const granularities: Rule = (parameters) => {
  const all = textsOf(parameters, "timestamp_granularities")
  const wrong = all.find((value) => !isGranularity(value))
  if (wrong !== undefined) {
    return invalid("timestamp_granularities", `must be word or segment, not ${show(wrong)}`)
  }
  const wanted = formOf(parameters)
  return wanted === "verbose_json" || !all.includes("word")
    ? null
    : unsupported(
        "timestamp_granularities",
        `the response_format ${wanted} has no times of words; ask for verbose_json`
      )
}

const include = about("include", (value) =>
  value === "logprobs"
    ? unsupported("include", "engines do not report the probabilities of their words")
    : invalid("include", `there is no ${show(value)}`)
)

/**
 * A value that is sent once and without brackets can be a list itself, separated by commas or as
 * JSON.
 */
const keywordsOf = (parameters: NamedParameters): Option.Option<ReadonlyArray<string>> => {
  const all = textsOf(parameters, "keywords")
  const [one = "", ...more] = all
  const isWhole = more.length === 0 && !parameters.bracketed.has("keywords")
  return readKeywords(isWhole ? fromText(one) : all)
}

const keywords: Rule = (parameters) =>
  Option.isSome(keywordsOf(parameters)) ? null : invalid("keywords", `must be ${keywordsRule}`)

const never = (name: ParameterName, reason: string): Rule =>
  about(name, () => unsupported(name, reason))

/** The rules for a call, in the order in which they are checked. */
const rules: ReadonlyArray<Rule> = [
  isText,
  isOnce,
  form,
  stream,
  language,
  languages,
  prompt,
  temperature,
  chunking,
  granularities,
  include,
  keywords,
  never("known_speaker_names", "speakers are told apart, but not identified"),
  never("known_speaker_references", "speakers are told apart, but not identified")
]

const model = (
  parameters: NamedParameters,
  models: ReadonlyArray<string>
): SpeechRefused | null => {
  const wanted = textOf(parameters, "model")
  if (wanted === undefined || models.includes(wanted)) return null
  const detail = `The model ${show(wanted)} does not exist here; there are ${list(models)}`
  return refuse("model", { code: "model_not_found", detail })
}

/** Validates the parameters that have arrived so far; more may follow. */
export const validateSpeech = (
  sent: SpeechParameters,
  models: ReadonlyArray<string>
): Result.Result<NamedParameters, SpeechRefused> =>
  Result.flatMap(collectParameters(sent), (parameters) => {
    for (const rule of [(all: NamedParameters) => model(all, models), ...rules]) {
      const refusal = rule(parameters)
      if (refusal !== null) return Result.fail(refusal)
    }
    return Result.succeed(parameters)
  })

/** Accepts the parameters of a call, or refuses them with the first broken rule. */
export const decodeSpeech = (
  sent: SpeechParameters,
  models: ReadonlyArray<string>
): Result.Result<SpeechRequest, SpeechRefused> =>
  Result.flatMap(validateSpeech(sent, models), (parameters) =>
    textOf(parameters, "model") === undefined
      ? Result.fail(
          refuse("model", {
            code: "missing_required_parameter",
            detail: "Missing required parameter: 'model'"
          })
        )
      : Result.succeed(toRequest(parameters))
  )

const toRequest = (parameters: NamedParameters): SpeechRequest => {
  const wanted = formOf(parameters)
  const granularities = textsOf(parameters, "timestamp_granularities").filter(isGranularity)
  const words = Option.getOrElse(keywordsOf(parameters), () => [])
  return {
    form: wanted,
    isStreamed: isStreamed(parameters),
    granularities: new Set(granularities.length === 0 ? ["segment"] : granularities),
    parameters: {
      language: textOf(parameters, "language") ?? textOf(parameters, "languages") ?? null,
      initial_prompt: textOf(parameters, "prompt") ?? null,
      keywords: words.length === 0 ? null : words,
      // Diarization takes time, so it is requested only for the format that shows speakers.
      disable_diarization: wanted !== "diarized_json"
    }
  }
}
