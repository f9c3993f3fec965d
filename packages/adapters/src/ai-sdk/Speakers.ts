/**
 * Who said what, from each provider's own answer: the SDK's segments have no speakers, and most
 * providers' are single words. A row reads what its package of the SDK passes on. Pure.
 */
import type { Reading } from "../engines/pieces/Json.ts"

/** Something that was said: a word, or more of them in one piece. */
export interface Spoken {
  readonly startSecond: number | undefined
  readonly endSecond: number | undefined
  readonly text: string
  readonly speaker: string | undefined
  /** The words in it, where it is more than a word. */
  readonly words?: unknown
}

const labelOf = (speaker: Reading): string | undefined => speaker.text ?? speaker.number?.toString()

const inSeconds = (
  entry: Reading,
  { speaker, text }: { readonly text: Reading; readonly speaker: Reading }
): Spoken => ({
  startSecond: entry.at("start").number,
  endSecond: entry.at("end").number,
  text: text.text ?? "",
  speaker: labelOf(speaker)
})

const inMillis = (entry: Reading, speaker: Reading): Spoken => {
  const spoken = inSeconds(entry, { text: entry.at("text"), speaker })
  const toSeconds = (millis: number | undefined) => (millis === undefined ? millis : millis / 1_000)
  return {
    ...spoken,
    startSecond: toSeconds(spoken.startSecond),
    endSecond: toSeconds(spoken.endSecond)
  }
}

/** A word of Rev AI takes the marks that follow it, which have no times. */
const withMarks = (elements: Reading, speaker: Reading): ReadonlyArray<Spoken> => {
  const spoken: Array<Spoken> = []
  for (const element of elements.entries) {
    const text = element.at("value").text ?? ""
    const last = spoken.at(-1)
    if (element.at("type").text === "text") {
      spoken.push({
        startSecond: element.at("ts").number,
        endSecond: element.at("end_ts").number,
        text,
        speaker: labelOf(speaker)
      })
    } else if (last !== undefined) {
      spoken[spoken.length - 1] = { ...last, text: last.text + text.trim() }
    }
  }
  return spoken
}

const bodyOf = (result: Reading): Reading => result.at("response").at("body")
const metadataOf = (result: Reading, provider: string): Reading =>
  result.at("providerMetadata").at(provider)

/** The readers, by provider. Each finds nothing in an answer of another shape. */
const readers: ReadonlyMap<string, (result: Reading) => ReadonlyArray<Spoken>> = new Map([
  [
    "assemblyai",
    (result) => {
      const body = bodyOf(result)
      const utterances = metadataOf(result, "assemblyai").at("utterances").or(body.at("utterances"))
      const turns = utterances.entries.flatMap((turn) => {
        const words = turn.at("words").entries
        const speaker = turn.at("speaker")
        return words.length === 0
          ? [inMillis(turn, speaker)]
          : words.map((word) => inMillis(word, word.at("speaker").or(speaker)))
      })
      if (turns.length > 0) return turns
      return body.at("words").entries.map((word) => inMillis(word, word.at("speaker")))
    }
  ],
  [
    "deepgram",
    (result) =>
      bodyOf(result)
        .at("results")
        .at("channels")
        .at(0)
        .at("alternatives")
        .at(0)
        .at("words")
        .entries.map((word) =>
          inSeconds(word, {
            text: word.at("punctuated_word").or(word.at("word")),
            speaker: word.at("speaker")
          })
        )
  ],
  [
    "elevenlabs",
    (result) =>
      bodyOf(result)
        .at("words")
        .entries.filter((word) => word.at("type").text !== "spacing")
        .map((word) => inSeconds(word, { text: word.at("text"), speaker: word.at("speaker_id") }))
  ],
  [
    "gladia",
    (result) =>
      metadataOf(result, "gladia")
        .at("result")
        .at("transcription")
        .at("utterances")
        .entries.map((turn) => ({
          ...inSeconds(turn, { text: turn.at("text"), speaker: turn.at("speaker") }),
          words: turn.at("words").value
        }))
  ],
  [
    "openai",
    (result) =>
      metadataOf(result, "openai")
        .at("segments")
        .entries.map((segment) => ({
          startSecond: segment.at("startSecond").number,
          endSecond: segment.at("endSecond").number,
          text: segment.at("text").text ?? "",
          speaker: labelOf(segment.at("speaker")),
          words: []
        }))
  ],
  [
    "revai",
    (result) =>
      bodyOf(result)
        .at("monologues")
        .entries.flatMap((turn) => withMarks(turn.at("elements"), turn.at("speaker")))
  ]
])

/** What a provider's own answer tells; nothing where it has another shape, or we have no row. */
export const spokenBy = (provider: string, result: Reading): ReadonlyArray<Spoken> =>
  readers.get(provider)?.(result) ?? []
