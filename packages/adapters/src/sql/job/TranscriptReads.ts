/**
 * Transcripts read part by part. The stored pieces of one end anywhere, even in the middle of a
 * word: a part is as many whole segments as a stretch of the stored text holds.
 */
import type { JobId } from "@verbatim/core/attempt"
import {
  partLengthMax,
  Segment,
  Transcript,
  type TranscriptMark,
  type TranscriptPart,
  type TranscriptPlace
} from "@verbatim/core/transcription"
import { Effect, Option, Schema } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { json, reading } from "../row/Row.ts"
import { characterCount, type Scan, scan, segmentsStart } from "./TranscriptText.ts"

const readHead = reading(json(Transcript))
const readSegments = reading(json(Schema.Array(Segment)))

/** Characters of one piece: two are read for a part, where one ends and the next one begins. */
const readMax = partLengthMax / 2

/** A stretch of the stored text. */
interface Stretch {
  readonly ordinal: number
  readonly content: string
}

/** Text as read, where each stretch of it is stored, and where the next one is. */
interface Reading {
  readonly text: string
  readonly stretches: ReadonlyArray<{ readonly from: number; readonly place: TranscriptPlace }>
  readonly next: TranscriptPlace
}

const start: TranscriptPlace = { piece: 0, offset: 0 }

/** A statement of its own for each part: nothing is held while one travels to its reader. */
const readingOn =
  (sql: SqlClient.SqlClient, id: JobId) =>
  ({ next, stretches, text }: Reading): Effect.Effect<Reading, SqlError.SqlError> =>
    Effect.map(
      sql<Stretch>`SELECT ordinal,
          substr(content, CASE WHEN ordinal = ${next.piece} THEN ${next.offset + 1} ELSE 1 END,
            ${readMax}) AS content
        FROM verbatim_transcript_chunks
        WHERE job_id = ${id} AND ordinal >= ${next.piece} ORDER BY ordinal LIMIT 2`,
      (rows) => {
        const longer = { text, stretches: [...stretches], next }
        for (const { content, ordinal } of rows) {
          const offset = ordinal === next.piece ? next.offset : 0
          const count = characterCount(content)
          longer.stretches.push({ from: longer.text.length, place: { piece: ordinal, offset } })
          longer.text += content
          longer.next = { piece: ordinal, offset: offset + count }
          // This piece may go on, so the next one does not follow.
          if (count === readMax) break
        }
        return longer
      }
    )

/** Where an offset in the text is stored. */
const placeOf = ({ stretches, text }: Reading, offset: number): TranscriptPlace => {
  const stretch = stretches.findLast(({ from }) => from <= offset)
  const { from, place } = stretch ?? { from: 0, place: start }
  return { ...place, offset: place.offset + characterCount(text.slice(from, offset)) }
}

/** Reads the parts of transcripts, as `JobStore` promises them. */
export const readingParts = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (id: JobId, before: Option.Option<TranscriptMark>) {
    const name = `transcript_chunks ${id}`
    const readOn = readingOn(sql, id)
    const place = Option.flatMap(before, ({ next }) => next)
    let head: Omit<Transcript, "segments"> | undefined = Option.getOrUndefined(before)
    let reading: Reading = { text: "", stretches: [], next: Option.getOrElse(place, () => start) }
    let from = 0
    let found: Scan = { at: 0, depth: 0, end: undefined, isLast: false }
    while (found.end === undefined && !found.isLast) {
      const longer: Reading = yield* readOn(reading)
      if (longer.text.length === reading.text.length) return Option.none()
      reading = longer
      if (head === undefined) {
        const begin = segmentsStart(reading.text)
        if (begin === undefined) continue
        head = yield* readHead(`${reading.text.slice(0, begin)}]}`, name)
        from = begin
        found = { ...found, at: begin }
      }
      found = scan(reading.text, found)
    }
    if (head === undefined) return Option.none()
    const { durationMillis, language } = head
    const end = found.end ?? from
    const written = reading.text.slice(from, end).replace(/^,/, "")
    const part: TranscriptPart = {
      durationMillis,
      language,
      segments: yield* readSegments(`[${written}]`, name),
      next: found.isLast ? Option.none() : Option.some(placeOf(reading, end))
    }
    return Option.some(part)
  })
