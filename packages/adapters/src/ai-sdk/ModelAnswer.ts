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

/**
 * Maximum number of words per second, plus an allowance for short pieces. Real speech stays below
 * this rate.
 */
const spokenPerSecond = 100
const spokenMin = 1_000

/**
 * Maximum characters per second: the 16 kB allowed for HTTP responses, at four bytes per character.
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
 * Returns the segments of a result, and marks those that are not single words so that they stay
 * unchanged.
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

/**
 * Converts utterances to segments: joins words into phrases, and leaves everything else unchanged.
 */
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

/** One or more consecutive words in a response, with their speaker. */
interface Utterance {
  readonly startSecond: number | undefined
  readonly endSecond: number | undefined
  readonly text: string
  readonly speaker: string | undefined
  /** The entry's individual words, if there are several. */
  readonly words?: unknown
}

/** Returns the value at a dotted path in a response. */
const find = (result: JsonView, path: string): JsonView =>
  path.split(".").reduce((found, key) => found.at(key), result)

const labelOf = (speaker: JsonView): string | undefined =>
  speaker.text ?? speaker.number?.toString()

/** Options for reading an entry in a response. Every option has a default. */
interface EntryOptions {
  readonly text?: JsonView
  readonly speaker?: JsonView
  readonly times?: readonly [start: string, end: string]
  /** Number of time units per second in the response. */
  readonly perSecond?: number
}

const readEntry = (
  entry: JsonView,
  {
    perSecond = 1,
    speaker = entry.at("speaker"),
    text = entry.at("text"),
    ...manner
  }: EntryOptions = {}
): Utterance => {
  const [start, end] = manner.times ?? ["start", "end"]
  const seconds = (key: string) => {
    const { number } = find(entry, key)
    return number === undefined ? number : number / perSecond
  }
  return {
    startSecond: seconds(start),
    endSecond: seconds(end),
    text: text.text ?? "",
    speaker: labelOf(speaker)
  }
}

/**
 * Appends punctuation to the preceding word. Rev AI returns punctuation as elements without
 * timestamps.
 */
const joinPunctuation = (elements: JsonView, speaker: JsonView): ReadonlyArray<Utterance> => {
  const spoken: Array<Utterance> = []
  for (const element of elements.entries) {
    const text = element.at("value")
    const last = spoken.at(-1)
    if (element.at("type").text === "text") {
      spoken.push(readEntry(element, { text, speaker, times: ["ts", "end_ts"] }))
    } else if (last !== undefined) {
      spoken[spoken.length - 1] = { ...last, text: last.text + (text.text ?? "").trim() }
    }
  }
  return spoken
}

const millis = { perSecond: 1_000 }

/**
 * Functions that read responses, keyed by provider. Each function returns nothing for a response in
 * another format.
 */
const readers: Readonly<Record<string, (result: JsonView) => ReadonlyArray<Utterance>>> = {
  assemblyai: (result) => {
    const turns = find(result, "providerMetadata.assemblyai.utterances").or(
      find(result, "response.body.utterances")
    )
    const spoken = turns.entries.flatMap((turn) => {
      const words = turn.at("words").entries
      return (words.length === 0 ? [turn] : words).map((each) =>
        readEntry(each, { ...millis, speaker: each.at("speaker").or(turn.at("speaker")) })
      )
    })
    if (spoken.length > 0) return spoken
    return find(result, "response.body.words").entries.map((word) => readEntry(word, millis))
  },
  deepgram: (result) =>
    find(result, "response.body.results.channels.0.alternatives.0.words").entries.map((word) =>
      readEntry(word, { text: word.at("punctuated_word").or(word.at("word")) })
    ),
  elevenlabs: (result) =>
    find(result, "response.body.words")
      .entries.filter((word) => word.at("type").text !== "spacing")
      .map((word) => readEntry(word, { speaker: word.at("speaker_id") })),
  fal: (result) =>
    find(result, "response.body.chunks").entries.map((chunk) => ({
      ...readEntry(chunk, { times: ["timestamp.0", "timestamp.1"] }),
      words: []
    })),
  gladia: (result) =>
    find(result, "providerMetadata.gladia.result.transcription.utterances").entries.map((turn) => ({
      ...readEntry(turn),
      words: turn.at("words").value
    })),
  mistral: (result) =>
    find(result, "providerMetadata.mistral.segments").entries.map((segment) => ({
      ...readEntry(segment, {
        speaker: segment.at("speakerId"),
        times: ["startSecond", "endSecond"]
      }),
      words: []
    })),
  openai: (result) =>
    find(result, "providerMetadata.openai.segments").entries.map((segment) => ({
      ...readEntry(segment, { times: ["startSecond", "endSecond"] }),
      words: []
    })),
  revai: (result) =>
    find(result, "response.body.monologues").entries.flatMap((turn) =>
      joinPunctuation(turn.at("elements"), turn.at("speaker"))
    ),
  xai: (result) => find(result, "response.body.words").entries.map((word) => readEntry(word))
}

/** Whether a provider's responses can contain speakers. */
export const hasSpeakers = (provider: string): boolean => Object.hasOwn(readers, provider)

/**
 * Reads a provider's own response. Returns no words if the response has another format or the
 * provider is unknown.
 */
const readUtterances = (provider: string, result: JsonView): ReadonlyArray<Utterance> =>
  hasSpeakers(provider) ? (readers[provider]?.(result) ?? []) : []
