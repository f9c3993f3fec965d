/**
 * Parses a model's result for one piece: its segments, or the richer response from a known
 * provider. Joins words into phrases, and reads all other fields leniently. Pure.
 */
import { Result } from "effect"
import { spacesWithin } from "../engines/LeadingSpaces.ts"
import { type JsonView, viewJson } from "../engines/pieces/Json.ts"
import { splitPhrases, type TimedWord } from "../engines/pieces/Phrases.ts"
import { unspacedScript } from "../engines/pieces/RecognisedWords.ts"
import { type PieceAnswer, parseAnswer } from "../engines/pieces/TranscriptionAnswer.ts"
import { readUtterances, type Utterance } from "./Speakers.ts"

/**
 * Maximum number of words per second, plus an allowance for short pieces. Real speech stays below
 * this rate.
 */
const spokenPerSecond = 100
const spokenMin = 1_000

/**
 * Maximum characters per second: 16 kB, as allowed for HTTP responses, at four bytes per character.
 */
const charactersPerSecond = 4 * 1_024
const charactersMin = 1_024 * 1_024

/**
 * Maximum average length of segments that are single words. A word lasts about a third of a second;
 * most other segments last several seconds.
 */
const wordSecondsMax = 1

interface Token extends TimedWord {
  readonly speaker: string | undefined
  readonly hasSpaceBefore: boolean | undefined
}

const isWord = ({ text, words }: Utterance): boolean =>
  words === undefined && !/\s/u.test(text.trim())

const toUtterance = (segment: JsonView): Utterance => ({
  startSecond: segment.at("startSecond").number,
  endSecond: segment.at("endSecond").number,
  text: segment.at("text").text ?? "",
  speaker: undefined
})

/** Whether the segments are single words: no segment contains a space, and the average is short. */
const areWords = (segments: ReadonlyArray<Utterance>): boolean => {
  const spoken = segments.filter(({ text }) => text.trim() !== "")
  const length = spoken.reduce(
    (sum, { endSecond = 0, startSecond = 0 }) => sum + endSecond - startSecond,
    0
  )
  return spoken.every(isWord) && spoken.length > 1 && length < wordSecondsMax * spoken.length
}

/**
 * Reads the segments. Segments that are not single words are marked so that they stay unchanged.
 */
const segmentsOf = (answer: JsonView): ReadonlyArray<Utterance> => {
  const segments = answer.at("segments").entries.map(toUtterance)
  return areWords(segments) ? segments : segments.map((segment) => ({ ...segment, words: [] }))
}

/**
 * Joins words into a phrase. If the full text is known, the spaces are copied from there;
 * otherwise, they follow the script's rules.
 */
const join = (tokens: ReadonlyArray<Token>): string =>
  tokens.reduce((text, { hasSpaceBefore, text: next }) => {
    if (text === "") return next
    const areUnspaced = [text.slice(-1), next.slice(0, 1)].every((each) =>
      unspacedScript.test(each)
    )
    return `${text}${(hasSpaceBefore ?? !areUnspaced) ? " " : ""}${next}`
  }, "")

const toPhrase = (tokens: ReadonlyArray<Token>) => ({
  start: (tokens.at(0)?.startMillis ?? 0) / 1_000,
  end: (tokens.at(-1)?.endMillis ?? 0) / 1_000,
  text: join(tokens),
  speaker: tokens.at(0)?.speaker,
  words: tokens.map(({ endMillis, startMillis, text }) => ({
    start: startMillis / 1_000,
    end: endMillis / 1_000,
    text
  }))
})

/** Converts utterances to segments: joins words into phrases, and leaves all else unchanged. */
const toSegments = (spoken: ReadonlyArray<Utterance>, whole: string): ReadonlyArray<unknown> => {
  const spaces = spacesWithin(
    whole,
    spoken.map(({ text }) => text)
  )
  const segments: Array<unknown> = []
  let tokens: Array<Token> = []
  let latest = 0
  const close = () => {
    const apart = splitPhrases(tokens, (last, next) => last.speaker !== next.speaker)
    segments.push(...apart.map(toPhrase))
    tokens = []
  }
  for (const [index, each] of spoken.entries()) {
    const { endSecond, speaker, startSecond, words } = each
    const text = each.text.trim()
    if (text === "") continue
    const startMillis = startSecond === undefined ? latest : startSecond * 1_000
    const endMillis = endSecond === undefined ? startMillis : endSecond * 1_000
    latest = endMillis
    if (isWord(each)) {
      tokens.push({ startMillis, endMillis, text, speaker, hasSpaceBefore: spaces[index] })
      continue
    }
    close()
    segments.push({
      start: startMillis / 1_000,
      end: endMillis / 1_000,
      text: each.text,
      speaker,
      words
    })
  }
  close()
  return segments
}

/** Parses the result for a piece of the given length, or returns an error message. */
export const parseResult = ({
  provider,
  result,
  seconds
}: {
  readonly provider: string
  readonly result: unknown
  readonly seconds: number
}): Result.Result<PieceAnswer, string> => {
  const answer = viewJson(result)
  const text = answer.at("text").text ?? ""
  const providerSpoken = readUtterances(provider, answer)
  const spoken = providerSpoken.length > 0 ? providerSpoken : segmentsOf(answer)
  const characters = spoken.reduce((sum, each) => sum + each.text.length, text.length)
  if (
    spoken.length > spokenMin + seconds * spokenPerSecond ||
    characters > charactersMin + seconds * charactersPerSecond
  ) {
    return Result.fail("the answer is too long")
  }
  const words = answer.at("words").entries.map((word) => ({
    text: word.at("text").value,
    start: word.at("startSecond").value,
    end: word.at("endSecond").value
  }))
  const hasSegments = spoken.length > 0 || Array.isArray(answer.at("segments").value)
  return parseAnswer(
    {
      text: answer.at("text").value,
      language: answer.at("language").value,
      ...(hasSegments && { segments: toSegments(spoken, text) }),
      words
    },
    seconds
  )
}
