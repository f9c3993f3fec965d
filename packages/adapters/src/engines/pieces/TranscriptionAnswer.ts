/**
 * What a server heard in one piece, read from any of the answers: `verbose_json` of OpenAI, of
 * whisper.cpp and of the faster-whisper family, `diarized_json`, and plain `json`. Pure.
 */
import { printable } from "@verbatim/core/attempt"
import { Result } from "effect"
import { leadingSpaces, spacesWithin } from "../LeadingSpaces.ts"
import { type Reading, reading } from "./Json.ts"
import { areSpaced, assignWords, type RecognisedSegment, wordsFrom } from "./RecognisedWords.ts"

/** What was heard in one piece. */
export interface PieceResult {
  /** A name or a code, as the server wrote it. */
  readonly language: string | undefined
  readonly segments: ReadonlyArray<RecognisedSegment>
}

/** A name of a speaker is a letter, a number or what we called it. */
const speakerCharacterMax = 64

/** Text as it may be stored: no control characters but spaces, no halves of surrogate pairs. */
const spokenText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .trim()

const speakerOf = (segment: Reading): string | undefined => {
  const speaker = segment.at("speaker")
  const label = speaker.text ?? speaker.number?.toString()
  // whisper.cpp writes a question mark where it cannot tell.
  if (label === undefined || label === "?" || label.trim() === "") return undefined
  return printable(label).slice(0, speakerCharacterMax)
}

/**
 * For each segment, whether a space stands before it: by the whole text, which shows all joints,
 * else by the segments' own. What stands before the first one, only it can tell.
 */
const spacesOf = (answer: Reading): ReadonlyArray<boolean | undefined> => {
  const texts = answer.at("segments").entries.map((segment) => segment.at("text").text ?? "")
  const own = leadingSpaces(texts)
  const within = spacesWithin(answer.at("text").text ?? "", texts)
  const isTold = within.some((each) => each !== undefined)
  return isTold ? [own[0], ...within.slice(1)] : own
}

const segmentsFrom = (answer: Reading): ReadonlyArray<RecognisedSegment> => {
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

/** The whole piece as one segment, where the server reports no parts. */
const whole = (answer: Reading, seconds: number): ReadonlyArray<RecognisedSegment> => {
  const text = spokenText(answer.at("text").text ?? "")
  const words = wordsFrom(answer.at("words"), "words")
  const start = words.at(0)?.start ?? 0
  const end = words.at(-1)?.end ?? answer.at("duration").number ?? seconds
  const unknown = { hasSpaceBefore: undefined, speaker: undefined }
  return text === "" ? [] : [{ start, end, text, ...unknown, words }]
}

const languageOf = (answer: Reading): string | undefined =>
  answer.at("language").text ??
  answer.at("detected_language").text ??
  answer.at("languages").at(0).at("code").text

/** Reads an answer about a piece of the given seconds, or says what is wrong with it. */
export const parseAnswer = (json: unknown, seconds: number): Result.Result<PieceResult, string> => {
  const answer = reading(json)
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
