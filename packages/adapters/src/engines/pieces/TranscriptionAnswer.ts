/**
 * Parses a server's response for one piece, in any format. The formats are `verbose_json` as sent
 * by OpenAI, whisper.cpp and the faster-whisper family, `diarized_json`, and plain `json`. Pure.
 */
import { printable } from "@verbatim/core/attempt"
import { Result } from "effect"
import { leadingSpaces, spacesWithin } from "../LeadingSpaces.ts"
import { type JsonView, viewJson } from "./Json.ts"
import { areSpaced, assignWords, type RecognisedSegment, wordsFrom } from "./RecognisedWords.ts"

/** A server's response for one piece, not yet validated. */
export interface PieceAnswer {
  /** The language's name or code, as the server wrote it. */
  readonly language: string | undefined
  readonly segments: ReadonlyArray<RecognisedSegment>
}

/**
 * Maximum length of a speaker's label: a letter, a number or a name that was sent in the request.
 */
const speakerCharacterMax = 64

/** Cleans text for storage: removes lone surrogates, and control characters except spaces. */
const spokenText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .trim()

const speakerOf = (segment: JsonView): string | undefined => {
  const speaker = segment.at("speaker")
  const label = speaker.text ?? speaker.number?.toString()
  // whisper.cpp writes a question mark for an unknown speaker.
  if (label === undefined || label === "?" || label.trim() === "") return undefined
  return printable(label).slice(0, speakerCharacterMax)
}

/**
 * Returns, for each segment, whether a space precedes the segment. If the answer contains the whole
 * text, that text shows the spaces before all segments but the first; otherwise, the segments
 * themselves may show them.
 */
const spacesOf = (answer: JsonView): ReadonlyArray<boolean | undefined> => {
  const texts = answer.at("segments").entries.map((segment) => segment.at("text").text ?? "")
  const own = leadingSpaces(texts)
  const within = spacesWithin(answer.at("text").text ?? "", texts)
  const isKnown = within.some((each) => each !== undefined)
  return isKnown ? [own[0], ...within.slice(1)] : own
}

const segmentsFrom = (answer: JsonView): ReadonlyArray<RecognisedSegment> => {
  const list = answer.at("segments")
  const spaces = spacesOf(answer)
  const tokens = areSpaced(list) ? "spaced" : "unspaced"
  let previousEnd = 0
  return list.entries.map((segment, index) => {
    const start = segment.at("start").number ?? previousEnd
    const end = segment.at("end").number ?? start
    previousEnd = end
    return {
      start,
      end,
      text: spokenText(segment.at("text").text ?? ""),
      hasSpaceBefore: spaces[index],
      speaker: speakerOf(segment),
      words: wordsFrom(segment.at("words"), tokens)
    }
  })
}

/** Returns the whole piece as one segment, for a server that reports no segments. */
const whole = (answer: JsonView, seconds: number): ReadonlyArray<RecognisedSegment> => {
  const text = spokenText(answer.at("text").text ?? "")
  const words = wordsFrom(answer.at("words"), "words")
  const start = words.at(0)?.start ?? 0
  const end = words.at(-1)?.end ?? answer.at("duration").number ?? seconds
  const unknown = { hasSpaceBefore: undefined, speaker: undefined }
  return text === "" ? [] : [{ start, end, text, ...unknown, words }]
}

const languageOf = (answer: JsonView): string | undefined =>
  answer.at("language").text ??
  answer.at("detected_language").text ??
  answer.at("languages").at(0).at("code").text

/** Parses a response for a piece of the given length, or returns an error message. */
export const parseAnswer = (json: unknown, seconds: number): Result.Result<PieceAnswer, string> => {
  const answer = viewJson(json)
  const list = answer.at("segments")
  const hasSegments = list.entries.length > 0
  if (answer.at("text").text === undefined && !Array.isArray(list.value)) {
    return Result.fail("the answer has neither text nor segments")
  }
  const segments = hasSegments
    ? assignWords(segmentsFrom(answer), wordsFrom(answer.at("words"), "words"))
    : whole(answer, seconds)
  return Result.succeed({
    language: languageOf(answer),
    segments: segments.filter(({ text }) => text !== "")
  })
}
