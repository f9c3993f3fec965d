/**
 * The JSON responses of OpenAI's audio API, as its clients read them. Timestamps are numbers, in
 * seconds. The types require some fields that no engine here reports; these are filled with the
 * values for a reliable segment.
 */

import { Context, Schema } from "effect"
import { refusal } from "../schema/Refusal.ts"

const Seconds = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))

/** The usage of a call that is charged by the length of the recording. */
export const SpeechUsage = Schema.Struct({ type: Schema.Literal("duration"), seconds: Seconds })

/** The response body for the format `json`. */
export const SpeechJson = Schema.Struct({ text: Schema.String, usage: SpeechUsage })
export type SpeechJson = typeof SpeechJson.Type

/** A sentence in a `verbose_json` response. */
export const VerboseSegment = Schema.Struct({
  id: Schema.Int,
  seek: Schema.Int,
  start: Seconds,
  end: Seconds,
  text: Schema.String,
  tokens: Schema.Array(Schema.Int),
  temperature: Schema.Finite,
  avg_logprob: Schema.Finite,
  compression_ratio: Schema.Finite,
  no_speech_prob: Schema.Finite
})
export type VerboseSegment = typeof VerboseSegment.Type

/** A word in a `verbose_json` response. */
export const VerboseWord = Schema.Struct({ word: Schema.String, start: Seconds, end: Seconds })
export type VerboseWord = typeof VerboseWord.Type

/** The response body for the format `verbose_json`. */
export const VerboseJson = Schema.Struct({
  task: Schema.Literal("transcribe"),
  /** The language's English name in lower case, or its code if it has no name. */
  language: Schema.String,
  duration: Seconds,
  text: Schema.String,
  segments: Schema.optionalKey(Schema.Array(VerboseSegment)),
  words: Schema.optionalKey(Schema.Array(VerboseWord)),
  usage: SpeechUsage
})
export type VerboseJson = typeof VerboseJson.Type

/** A sentence with its speaker, in `diarized_json` and as a stream event. */
export const SpokenSegment = Schema.Struct({
  type: Schema.Literal("transcript.text.segment"),
  id: Schema.String,
  start: Seconds,
  end: Seconds,
  text: Schema.String,
  speaker: Schema.String
})
export type SpokenSegment = typeof SpokenSegment.Type

/** The response body for the format `diarized_json`. */
export const DiarizedJson = Schema.Struct({
  task: Schema.Literal("transcribe"),
  duration: Seconds,
  text: Schema.String,
  segments: Schema.Array(SpokenSegment),
  usage: SpeechUsage
})
export type DiarizedJson = typeof DiarizedJson.Type

/** A stream event that adds text. */
export const TextDelta = Schema.Struct({
  type: Schema.Literal("transcript.text.delta"),
  delta: Schema.String,
  /** The id of the segment that contains the text, if its speaker is known. */
  segment_id: Schema.optionalKey(Schema.String)
})

/** The last event of a stream, with the whole text. */
export const TextDone = Schema.Struct({
  type: Schema.Literal("transcript.text.done"),
  text: Schema.String
})

/**
 * A stream event. The texts of all deltas add up to the text of the last event, unless the
 * transcript differs from the text that was sent during recognition.
 */
export const SpeechEvent = Schema.Union([TextDelta, SpokenSegment, TextDone])
export type SpeechEvent = typeof SpeechEvent.Type

// Why a call in OpenAI's audio format is refused: the parameter, an error code that its clients
// know, and a sentence.

/** A parameter is missing, malformed, unknown or not supported. */
export class SpeechRefused extends refusal<SpeechRefused>()("SpeechRefused", {
  fields: {
    parameter: Schema.NonEmptyString,
    code: Schema.Literals([
      "missing_required_parameter",
      "invalid_value",
      "unsupported_value",
      "unknown_parameter",
      "model_not_found"
    ]),
    detail: Schema.NonEmptyString
  },
  sentence: ({ detail }) => detail
}) {}

// Model names accepted by `POST /v1/audio/transcriptions`. A server runs the engine that its
// operator chose, so every name stands for the configured engine.

/** Model names in programs that were written for other services, and what these names mean here. */
export const usualModels = [
  "whisper-1",
  "gpt-4o-transcribe",
  "gpt-4o-mini-transcribe",
  "gpt-4o-mini-transcribe-2025-12-15",
  "gpt-4o-transcribe-diarize",
  "gpt-transcribe"
] as const

/** The name of the configured engine for callers that do not need another name. */
export const ownModel = "verbatim"

/** All model names that the speech API accepts; our own come first. */
export const SpeechModels: Context.Reference<ReadonlyArray<string>> = Context.Reference(
  "@verbatim/core/speech/SpeechModels",
  { defaultValue: (): ReadonlyArray<string> => [ownModel, ...usualModels] }
)
