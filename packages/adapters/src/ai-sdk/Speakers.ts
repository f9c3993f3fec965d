/**
 * Reads speakers and words from each provider's own response, because the SDK's segments have no
 * speakers and most providers return single words. Each reader handles the fields that its SDK
 * package passes on. Pure.
 */
import type { JsonView } from "../engines/pieces/Json.ts"

/** An entry in a response: one or more consecutive words. */
export interface Utterance {
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

/** Options for reading an entry in a response. Omitted options have defaults. */
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

/** Readers by provider. Each reader returns nothing for a response in another format. */
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
export const readUtterances = (provider: string, result: JsonView): ReadonlyArray<Utterance> =>
  hasSpeakers(provider) ? (readers[provider]?.(result) ?? []) : []
