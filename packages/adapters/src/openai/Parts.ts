/**
 * A transcript as lines that a model reads, and lines as parts that fit into its window. Pure.
 */
import { clock, join, Paragraphs } from "@verbatim/core/rendering"
import type { Transcript } from "@verbatim/core/transcription"

/** Bytes say more about tokens than characters: a Chinese one costs as much as three of ours. */
const bytesOf = (text: string): number => Buffer.byteLength(text)

/** Each paragraph on a line, with its time, and its speaker where there are several. */
export const lines = (transcript: Transcript): ReadonlyArray<string> => {
  const paragraphs = Paragraphs.paragraphs(transcript)
  const hasSpeakers = new Set(paragraphs.map(({ speaker }) => speaker)).size > 1
  return paragraphs.map(({ sentences, speaker, startMillis }) => {
    const who = hasSpeakers ? ` ${speaker}:` : ""
    return `[${clock(startMillis)}]${who} ${join(sentences).toWellFormed()}`
  })
}

/** Lines put together, in order, as long as they fit. A line that does not fit alone is cut. */
export const parts = (all: ReadonlyArray<string>, byteMax: number): ReadonlyArray<string> => {
  const done: Array<string> = []
  let open = ""
  for (const line of all.flatMap((each) => cut(each, byteMax))) {
    const longer = open === "" ? line : `${open}\n${line}`
    if (open !== "" && bytesOf(longer) > byteMax) {
      done.push(open)
      open = line
    } else open = longer
  }
  return open === "" ? done : [...done, open]
}

/** The beginning of a text, up to this many bytes, cut after a line or else after a character. */
export const cutAfter = (text: string, byteMax: number): string => {
  if (bytesOf(text) <= byteMax) return text
  const [first = ""] = cut(text, byteMax)
  const end = first.lastIndexOf("\n")
  return end > 0 ? first.slice(0, end) : first
}

/** A text in pieces of at most this many bytes, cut between characters and, if possible, words. */
const cut = (text: string, byteMax: number): ReadonlyArray<string> => {
  const pieces: Array<string> = []
  let rest = Buffer.from(text)
  while (rest.byteLength > byteMax) {
    let end = byteMax
    // The bytes of one character after its first are 10xxxxxx.
    while (end > 1 && ((rest[end] ?? 0) & 0xc0) === 0x80) end--
    const space = rest.lastIndexOf(" ", end)
    const at = space > byteMax / 2 ? space : end
    pieces.push(rest.subarray(0, at).toString().trim())
    rest = rest.subarray(at)
  }
  return [...pieces, rest.toString().trim()].filter((piece) => piece !== "")
}
