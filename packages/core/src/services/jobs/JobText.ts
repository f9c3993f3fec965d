/**
 * Writes a job's status as JSON, with a transcript of any length. The result equals the JSON of the
 * job's view byte for byte.
 */
import { Effect, Option } from "effect"
import type { JobView } from "../../domain/job/JobView.ts"
import { toOutputEntry } from "../../domain/rendering/Rendering.ts"
import { seconds } from "../../domain/rendering/Timecode.ts"
import type { CountedCursor, CountedPart } from "../tasks/Transcripts.ts"
import type { ChunkedText, TextPiece, TextWriter } from "./LargeReads.ts"

/** Reads the part of a transcript that follows a cursor; without a cursor, reads the first part. */
export type ReadPart<E> = (before: Option.Option<CountedCursor>) => Effect.Effect<CountedPart, E>

const contentType = "application/json"

/** Returns a view's JSON, without the transcript. */
export const textOf = (view: JobView): ChunkedText<never> => ({
  _tag: "Whole",
  contentType,
  text: JSON.stringify(view)
})

/** Creates a writer for a view whose last field is its transcript or the text so far. */
export const makeStatusWriter = <E>(
  view: JobView,
  readPart: ReadPart<E>,
  field: "output" | "partial_output" = "output"
): TextWriter<CountedCursor, E> => ({
  contentType,
  piece: (before) =>
    Effect.map(readPart(before), (part): TextPiece<CountedCursor> => {
      const { count, durationMillis, language, next } = part
      const isLast = Option.isNone(next)
      const open = Option.isNone(before) ? openStatus(view, { ...part, field }) : ""
      const comma = Option.isSome(before) && part.segments.length > 0 ? "," : ""
      const entries = JSON.stringify(part.segments.map(toOutputEntry)).slice(1, -1)
      return {
        text: `${open}${comma}${entries}${isLast ? "]}}" : ""}`,
        next: isLast ? Option.none() : Option.some({ count, durationMillis, language, next })
      }
    })
})

/** Returns the JSON of a status, up to the segments. */
const openStatus = (
  view: JobView,
  { durationMillis, field, language }: CountedPart & { readonly field: string }
): string => {
  const output = { duration: seconds(durationMillis), language, list: [] }
  return JSON.stringify({ ...view, [field]: output }).slice(0, -"]}}".length)
}
