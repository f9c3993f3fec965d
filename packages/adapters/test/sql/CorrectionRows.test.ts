/**
 * Tests that the hand-written decoder for corrected segments accepts exactly the rows that the
 * schema accepts.
 */

import { assert, it } from "@effect/vitest"
import { SegmentReading } from "@verbatim/core/correction"
import { Effect, Exit, Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { readSegments } from "#src/sql/correction/CorrectionRows"

const index = Schema.Union([
  Schema.Int,
  Schema.Finite,
  Schema.Literals([0, 7, 2 ** 53]),
  Schema.NullOr(Schema.BigInt)
])

const given = Schema.Union([Schema.Null, Schema.String, Schema.Int])

const anyRow = Arbitrary.schema(Schema.Struct({ index, text: given, speaker: given }))

const decode = Schema.decodeUnknownExit(SegmentReading)

it.effect.prop("readSegments accepts exactly the rows that the schema accepts", [anyRow], ([row]) =>
  Effect.gen(function* () {
    const read = yield* Effect.exit(readSegments([row], "corrected_segments"))
    const wanted = decode(row)
    assert.strictEqual(Exit.isSuccess(read), Exit.isSuccess(wanted))
    if (Exit.isSuccess(read) && Exit.isSuccess(wanted)) {
      assert.deepStrictEqual(read.value, [wanted.value])
    }
  })
)
