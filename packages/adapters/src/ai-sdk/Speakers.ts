/**
 * Who said what, from each provider's own answer: the SDK's segments have no speakers, and most
 * providers' are single words. A row reads what its package of the SDK passes on. Pure.
 */
import type { Reading } from "../engines/pieces/Json.ts"

/** Something that was said: a word, or more of them in one piece. */
export interface Utterance {
  readonly startSecond: number | undefined
  readonly endSecond: number | undefined
  readonly text: string
  readonly speaker: string | undefined
  /** The words in it, where it is more than a word. */
  readonly words?: unknown
}

const labelOf = (speaker: Reading): string | undefined => speaker.text ?? speaker.number?.toString()

/** How an entry of an answer is read. Fields that are left out have defaults. */
interface EntryOptions {
  readonly text?: Reading
  readonly speaker?: Reading
  readonly times?: readonly [start: string, end: string]
  /** Units of its times in a second. */
  readonly perSecond?: number
}

const readEntry = (
  entry: Reading,
  {
    perSecond = 1,
    speaker = entry.at("speaker"),
    text = entry.at("text"),
    ...manner
  }: EntryOptions = {}
): Utterance => {
  const [start, end] = manner.times ?? ["start", "end"]
  const seconds = (key: string) => {
    const { number } = entry.at(key)
    return number === undefined ? number : number / perSecond
  }
  return {
    startSecond: seconds(start),
    endSecond: seconds(end),
    text: text.text ?? "",
    speaker: labelOf(speaker)
  }
}

/** A word of Rev AI takes the marks that follow it, which have no times. */
const joinPunctuation = (elements: Reading, speaker: Reading): ReadonlyArray<Utterance> => {
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

/** Follows names into an answer. */
const find = (result: Reading, path: string): Reading =>
  path.split(".").reduce((found, key) => found.at(key), result)

const millis = { perSecond: 1_000 }

/** The readers, by provider. Each finds nothing in an answer of another shape. */
const readers: Readonly<Record<string, (result: Reading) => ReadonlyArray<Utterance>>> = {
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
  gladia: (result) =>
    find(result, "providerMetadata.gladia.result.transcription.utterances").entries.map((turn) => ({
      ...readEntry(turn),
      words: turn.at("words").value
    })),
  openai: (result) =>
    find(result, "providerMetadata.openai.segments").entries.map((segment) => ({
      ...readEntry(segment, { times: ["startSecond", "endSecond"] }),
      words: []
    })),
  revai: (result) =>
    find(result, "response.body.monologues").entries.flatMap((turn) =>
      joinPunctuation(turn.at("elements"), turn.at("speaker"))
    )
}

/** What a provider's own answer tells; nothing where it has another shape, or we have no row. */
export const readUtterances = (provider: string, result: Reading): ReadonlyArray<Utterance> =>
  Object.hasOwn(readers, provider) ? (readers[provider]?.(result) ?? []) : []
