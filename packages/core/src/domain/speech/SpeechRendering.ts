/**
 * Renders a transcript as a response of OpenAI's audio API: one body, or a stream of events. Our
 * sentences become its segments, because an engine's own segments are rarely more than a few words.
 */
import { Result } from "effect"
import { plainText, type Rendering, render } from "../rendering/Rendering.ts"
import { join, type Sentence, sentences } from "../rendering/Sentences.ts"
import { visitTimedWords } from "../rendering/WordRendering.ts"
import { isSpaced, languageName } from "../transcription/Language.ts"
import type { Transcript } from "../transcription/Transcript.ts"
import {
  type DiarizedJson,
  type SpeechEvent,
  type SpeechJson,
  SpeechRefused,
  type SpokenSegment,
  type VerboseJson,
  type VerboseSegment,
  type VerboseWord
} from "./SpeechAnswer.ts"
import type { SpeechRequest } from "./SpeechRequest.ts"

/** The response format, and the kinds of timestamps that the response contains. */
type RenderingOptions = Pick<SpeechRequest, "form" | "granularities">

const toSeconds = (millis: number): number => millis / 1_000

const usageOf = ({ durationMillis }: Transcript) => ({
  type: "duration" as const,
  seconds: toSeconds(durationMillis)
})

/** Values that mark a segment as reliable, in fields that no engine here reports. */
const goodValues = {
  seek: 0,
  tokens: [],
  temperature: 0,
  avg_logprob: 0,
  compression_ratio: 1,
  no_speech_prob: 0
} as const

const toSegment = ({ endMillis, startMillis, text }: Sentence, id: number): VerboseSegment => ({
  id,
  start: toSeconds(startMillis),
  end: toSeconds(endMillis),
  text,
  ...goodValues
})

const toSpoken = (
  { endMillis, speaker, startMillis, text }: Sentence,
  index: number
): SpokenSegment => ({
  type: "transcript.text.segment",
  id: `seg_${index}`,
  start: toSeconds(startMillis),
  end: toSeconds(endMillis),
  text,
  speaker
})

/** The refusal of word timestamps that would only be estimates. */
const wordsMissing = () =>
  new SpeechRefused({
    parameter: "timestamp_granularities",
    code: "unsupported_value",
    detail:
      "Unsupported 'timestamp_granularities': the engine that made this transcript does not time " +
      "words; the same call without word is answered with it and not charged again"
  })

const wordsOf = (
  transcript: Transcript
): Result.Result<ReadonlyArray<VerboseWord>, SpeechRefused> => {
  const words: Array<VerboseWord> = []
  let isTimed = false
  visitTimedWords(transcript, ({ endMillis, isEstimated, startMillis, text }) => {
    isTimed ||= !isEstimated
    words.push({ word: text, start: toSeconds(startMillis), end: toSeconds(endMillis) })
  })
  return isTimed || words.length === 0 ? Result.succeed(words) : Result.fail(wordsMissing())
}

const verboseJson = (
  transcript: Transcript,
  { granularities }: RenderingOptions
): Result.Result<VerboseJson, SpeechRefused> => {
  const words = granularities.has("word")
    ? Result.map(wordsOf(transcript), (found) => ({ words: found }))
    : Result.succeed({})
  return Result.map(words, (found) => ({
    task: "transcribe",
    language: languageName(transcript.language) ?? transcript.language,
    duration: toSeconds(transcript.durationMillis),
    text: plainText(transcript),
    ...(granularities.has("segment") ? { segments: sentences(transcript).map(toSegment) } : {}),
    ...found,
    usage: usageOf(transcript)
  }))
}

const diarizedJson = (transcript: Transcript): DiarizedJson => ({
  task: "transcribe",
  duration: toSeconds(transcript.durationMillis),
  text: plainText(transcript),
  segments: sentences(transcript).map(toSpoken),
  usage: usageOf(transcript)
})

const json = (transcript: Transcript): SpeechJson => ({
  text: plainText(transcript),
  usage: usageOf(transcript)
})

const inJson = (value: unknown): Rendering => ({
  contentType: "application/json",
  body: JSON.stringify(value)
})

/**
 * Renders the transcript in the requested format. Refused if the format needs timestamps that the
 * engine did not measure.
 */
export const renderSpeech = (
  wanted: RenderingOptions,
  transcript: Transcript
): Result.Result<Rendering, SpeechRefused> => {
  switch (wanted.form) {
    case "json":
      return Result.succeed(inJson(json(transcript)))
    case "verbose_json":
      return Result.map(verboseJson(transcript, wanted), inJson)
    case "diarized_json":
      return Result.succeed(inJson(diarizedJson(transcript)))
    case "srt":
    case "vtt":
      return Result.succeed(render(wanted.form, transcript))
    case "text": {
      const { body, contentType } = render("plain_text", transcript)
      return Result.succeed({ contentType, body: `${body}\n` })
    }
  }
}

/** Returns the text that the next part of the recording adds to the text already sent. */
export const toDelta = (sent: string, part: Transcript): string => {
  const text = join(sentences(part))
  const gap = sent !== "" && text !== "" && isSpaced(part.language) ? " " : ""
  return `${gap}${text}`
}

/**
 * Renders the transcript as events: the text that was not sent yet, sentence by sentence; the
 * speaker of each sentence, if requested; and the end. If the transcript does not begin with the
 * text already sent, only the last event contains its text.
 */
export const toEvents = function* (
  { form }: Pick<RenderingOptions, "form">,
  transcript: Transcript,
  sent = ""
): Generator<SpeechEvent> {
  const all = sentences(transcript)
  // The text is joined from the sentences, because other renderings may have other spaces.
  const text = join(all)
  let known = text.startsWith(sent) ? sent.length : Number.POSITIVE_INFINITY
  for (const [index, sentence] of all.entries()) {
    const whole = sentence.text + sentence.gap
    const delta = whole.slice(known)
    known = Math.max(0, known - whole.length)
    const segment = form === "diarized_json" ? toSpoken(sentence, index) : undefined
    if (delta !== "") {
      const id = segment === undefined ? {} : { segment_id: segment.id }
      yield { type: "transcript.text.delta", delta, ...id }
    }
    if (segment !== undefined) yield segment
  }
  yield { type: "transcript.text.done", text }
}
