/**
 * Transcripts to render: short handwritten ones, and arbitrary ones with overlaps, silences,
 * unusual spaces, missing punctuation, and words that differ from their segment.
 */

import { Arbitrary, Schema } from "effect"
import type { Segment, Transcript } from "#src/domain/transcription/Transcript"

/**
 * Builds a transcript from rows `[start, end, speaker number, text]`, with timestamps in seconds.
 */
export const transcriptOf = (
  language: string,
  rows: ReadonlyArray<readonly [number, number, number, string]>
): Transcript => ({
  language,
  durationMillis: Math.round(Math.max(0, ...rows.map(([, end]) => end)) * 1000),
  segments: rows.map(([start, end, speaker, text]) => ({
    startMillis: Math.round(start * 1000),
    endMillis: Math.round(end * 1000),
    speaker: `speaker_${speaker}`,
    text
  }))
})

const between = (minimum: number, maximum: number) =>
  Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const fragment = Schema.Union([
  Schema.Literals(["so", "we", "The", "boats", "Dr.", "left.", "Why?", "No!", "3.5", "e.g.", "…"]),
  Schema.Literals(["你好。", "船", "สวัสดี", "नमस्ते।", "είσαι;", "կա։", "جيد؟", '"Yes."', "(ok.)"]),
  Schema.Literals(["", " ", "\n", "\u2028", "\u00a0", "\t", "\u0085", "\ufeff"]),
  Schema.String
])

const row = Arbitrary.schema(
  Schema.Struct({
    pauseMillis: Schema.Union([between(-3000, 800), between(1990, 2010), between(0, 5000)]),
    lengthMillis: Schema.Union([between(0, 2000), between(0, 40_000)]),
    speaker: Schema.Union([Schema.Literal(0), between(0, 2)]),
    fragments: Schema.Array(fragment),
    spaces: Schema.Literals([" ", "  ", ""]),
    timing: Schema.Literals(["none", "spelt", "unmarked"])
  })
)
type Row = typeof row extends Arbitrary.Arbitrary<infer A> ? A : never

const segmentOf = (from: number, row: Row): Segment => {
  const text = row.fragments.join(row.spaces)
  const segment = {
    startMillis: from,
    endMillis: from + row.lengthMillis,
    speaker: `speaker_${row.speaker}`,
    text
  }
  if (row.timing === "none") return segment
  const tokens = text.split(/\s+/).filter((token) => token !== "")
  const step = Math.floor(row.lengthMillis / (tokens.length + 1))
  return {
    ...segment,
    words: tokens.map((token, index) => ({
      startMillis: from + index * step,
      endMillis: from + (index + 1) * step,
      text: row.timing === "spelt" ? token : token.replace(/\p{P}+$/u, "")
    }))
  }
}

/** All kinds of transcripts that an engine can return, and some that it should not. */
export const anyTranscript: Arbitrary.Arbitrary<Transcript> = Arbitrary.map(
  Arbitrary.all({
    language: Arbitrary.schema(
      Schema.Literals(["en", "zh", "ja", "th", "hi", "el", "ar", "hy", "mi", "xx", ""])
    ),
    rows: Arbitrary.array(row, { maxLength: 40 })
  }),
  ({ language, rows }) => {
    const segments: Array<Segment> = []
    let cursor = 0
    for (const each of rows) {
      const from = Math.max(0, cursor + each.pauseMillis)
      segments.push(segmentOf(from, each))
      cursor = from + each.lengthMillis
    }
    return { language, durationMillis: cursor, segments }
  }
)

/** All characters except white space, in order. Every rendering must preserve them. */
export const letters = (text: string): string => text.replace(/[\s\u0085]+/g, "")
