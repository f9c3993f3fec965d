import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Option, Schema } from "effect"
import type { JobView } from "#src/domain/job/JobView"
import { output } from "#src/domain/rendering/Rendering"
import type { Transcript } from "#src/domain/transcription/Transcript"
import { makeStatusWriter } from "#src/services/jobs/LargeReads"
import type { CountedCursor, CountedPart } from "#src/services/tasks/Transcripts"
import { anyTranscript } from "../../domain/rendering/transcripts.ts"
import { joinPieces } from "./Pieces.ts"

const view: JobView = {
  id: "01900000-0000-7000-8000-000000000001",
  status: "COMPLETED",
  transcription_status: "COMPLETED",
  balance_minutes: "600.00"
}

const options = Arbitrary.all({
  transcript: anyTranscript,
  size: Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 7 }))),
  callbackId: Arbitrary.schema(Schema.String),
  isEndEmpty: Arbitrary.schema(Schema.Boolean)
})

/** Reads a transcript in parts with this number of segments; the last part may be empty. */
const partsOf =
  (transcript: Transcript, size: number, isEndEmpty: boolean) =>
  (before: Option.Option<CountedCursor>): Effect.Effect<CountedPart> => {
    const position = Option.flatMap(before, ({ next }) => next)
    const from = Option.getOrElse(position, () => 0)
    const to = from + size
    const { length } = transcript.segments
    const isLast = from >= length || (isEndEmpty ? to > length : to >= length)
    return Effect.succeed({
      ...transcript,
      segments: transcript.segments.slice(from, to),
      count: Math.min(to, length),
      next: isLast ? Option.none() : Option.some(to)
    })
  }

describe("the text of a job's status", () => {
  it.effect.prop(
    "equals the JSON of the job's view byte for byte, however the transcript is split",
    [options],
    ([{ callbackId, isEndEmpty, size, transcript }]) =>
      Effect.gen(function* () {
        const shown = { ...view, callback_id: callbackId }
        const { piece } = makeStatusWriter(shown, partsOf(transcript, size, isEndEmpty))
        // A position contains no segments; otherwise, a hundred waiting readers would hold a part
        // each.
        const { next } = yield* piece(Option.none())
        assert.isFalse(Option.exists(next, (position) => "segments" in position))
        const text = yield* joinPieces(piece)
        assert.strictEqual(text, JSON.stringify({ ...shown, output: output(transcript) }))
      })
  )
})
