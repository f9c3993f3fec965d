/**
 * Parses the output of `-time yes`. Each utterance has its text, then one line per word with start,
 * end and confidence; timestamps are in seconds from the start of the file.
 */
import type { Segment, Word } from "@verbatim/core/transcription"
import { linesOf, printable } from "../processes/Command.ts"

/** Maximum number of words in a segment. Further words begin another segment. */
export const wordMax = 1_000

/** Maximum length of a word in characters. The dictionary's longest word has 34. */
export const wordCharacterMax = 64

/**
 * Returns the utterances as segments, in order and within the length of the audio. Silence, noise
 * and utterances without words are omitted.
 */
export const parse = (output: string, durationMillis: number): ReadonlyArray<Segment> => {
  const segments: Array<Segment> = []
  let words: Array<Word> = []
  let latest = 0
  const close = () => {
    segments.push(...segmentOf(words))
    words = []
  }
  for (const line of output.split("\n")) {
    const timed = /^(\S+) (\d+\.\d+) (\d+\.\d+) \d+\.\d+$/.exec(line.trimEnd())
    // The text of an utterance only marks where the utterance begins; the words follow.
    if (timed === null || timed[1] === "<s>" || words.length === wordMax) close()
    const text = spellToken(timed?.[1] ?? "")
    if (timed === null || text === "") continue
    const within = (seconds: string | undefined) =>
      Math.min(Math.max(Math.round(Number(seconds) * 1_000), latest), durationMillis)
    const startMillis = within(timed[2])
    latest = startMillis
    const endMillis = within(timed[3])
    latest = endMillis
    words.push({ startMillis, endMillis, text })
  }
  close()
  return segments
}

/** `will(2)` is a second pronunciation of `will`; `<sil>`, `[NOISE]` and `++UM++` are not words. */
const spellToken = (token: string): string =>
  /^(?:<.*>|\[.*\]|\+\+.*\+\+)$/.test(token)
    ? ""
    : printable(token.replace(/\(\d+\)$/, "")).slice(0, wordCharacterMax)

const segmentOf = (words: ReadonlyArray<Word>): ReadonlyArray<Segment> => {
  const first = words.at(0)
  const last = words.at(-1)
  if (first === undefined || last === undefined) return []
  return [
    {
      startMillis: first.startMillis,
      endMillis: last.endMillis,
      // PocketSphinx does not distinguish speakers.
      speaker: "speaker_0",
      text: words.map(({ text }) => text).join(" "),
      hasSpaceBefore: true,
      words
    }
  ]
}

/**
 * Returns the cause of the recogniser's failure: the log's last error line, or otherwise the last
 * line.
 */
export const findError = (log: string): string => {
  const lines = linesOf(log)
  const verdict = lines.findLast((line) => /^(?:FATAL|ERROR)\b/.test(line))
  return printable(verdict ?? lines.at(-1) ?? "")
}
