/** Laws for pieces that are recognised in any order. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import * as Base64 from "effect/encoding/Base64"
import {
  countPiece,
  type PieceProgress,
  PieceResult,
  placePiece,
  placeVoiceprints,
  recognisedCount,
  recognisedEvent,
  toStorable
} from "#src/domain/transcription/Piece"

/** The order in which pieces are recognised; a piece can occur several times. */
const anyOrder = Arbitrary.schema(
  Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 7 })))
)

const planned = (index: number, plan = "plan") => ({
  plan,
  count: 8,
  index,
  isReused: false,
  engineMillis: 0
})

const count = (order: ReadonlyArray<number>, before?: PieceProgress) =>
  order.reduce<PieceProgress | undefined>(
    (progress, index) => countPiece(progress, planned(index)),
    before
  )

/** Removes the number of commits, which includes repeated pieces. */
const withoutCommits = (progress: PieceProgress | undefined) => ({ ...progress, commits: 0 })

describe("Counting pieces", () => {
  it.prop(
    "does not depend on the order of the pieces or on repeated pieces",
    [anyOrder],
    ([order]) => {
      const counted = count(order)
      const inOrder = count([...new Set(order)].sort((a, b) => a - b))
      assert.deepStrictEqual(withoutCommits(counted), withoutCommits(inOrder))
      assert.strictEqual(counted?.commits ?? 0, order.length)
      const recognised = counted === undefined ? 0 : recognisedCount(counted)
      assert.strictEqual(recognised, new Set(order).size)
    }
  )

  it.prop("makes each piece readable once, in recording order", [anyOrder], ([order]) => {
    const read: Array<number> = []
    let progress: PieceProgress | undefined
    for (const index of order) {
      const { readyFrom, readyTo } = recognisedEvent(progress, planned(index))
      for (let next = readyFrom; next < readyTo; next += 1) read.push(next)
      progress = countPiece(progress, planned(index))
    }
    const missing = [0, 1, 2, 3, 4, 5, 6, 7, 8].find((index) => !order.includes(index)) ?? 8
    assert.deepStrictEqual(
      read,
      Array.from({ length: missing }, (_, index) => index)
    )
  })

  it.prop(
    "starts again if the recording is cut differently",
    [anyOrder, anyOrder],
    ([before, after]) => {
      const other = count(before)
      const first = after[0] ?? 0
      const begun = countPiece(other, planned(first, "another plan"))
      assert.strictEqual(recognisedCount(begun), 1)
      const event = recognisedEvent(other, planned(first, "another plan"))
      assert.strictEqual(event.readyFrom, 0)
    }
  )
})

const number = Schema.Union([Schema.Number, Schema.Literals([-1, 0.4, 1_000.6])])
const range = { startMillis: number, endMillis: number, text: Schema.String }
const anyResult = Arbitrary.schema(
  Schema.Struct({
    language: Schema.optionalKey(Schema.String),
    segments: Schema.Array(
      Schema.Struct({
        ...range,
        speaker: Schema.optionalKey(Schema.String),
        words: Schema.optionalKey(Schema.Array(Schema.Struct(range)))
      })
    ),
    voiceprints: Schema.optionalKey(
      Schema.Array(Schema.Struct({ startMillis: number, endMillis: number, vector: Schema.String }))
    )
  })
)

describe("The result of a piece", () => {
  it.prop(
    "is changed until it is storable, ordered, and within the piece and the recording",
    [anyResult],
    ([raw]) => {
      const result = toStorable(raw, 1_000)
      assert.isTrue(Schema.is(PieceResult)(result))
      assert.deepStrictEqual(toStorable(result, 1_000), result)
      const placed = placePiece({ startMillis: 5_000, endMillis: 6_000, result })
      const ranges = [
        ...placed.flatMap((segment) => [segment, ...(segment.words ?? [])]),
        ...placeVoiceprints({ startMillis: 5_000, endMillis: 6_000, result })
      ]
      for (const { endMillis, startMillis } of ranges) {
        assert.isAtLeast(startMillis, 5_000)
        assert.isAtLeast(endMillis, startMillis)
        assert.isAtMost(endMillis, 6_000)
      }
      const starts = placed.map(({ startMillis }) => startMillis)
      assert.deepStrictEqual(
        starts,
        starts.toSorted((one, other) => one - other)
      )
    }
  )
})

describe("The voiceprints of a piece", () => {
  const numbers = Schema.Array(Schema.Literals([-3, 0, 1]))
  const vectors = Arbitrary.schema(Schema.Array(Schema.Union([numbers, Schema.Literal("?")])))

  it.prop("include no vectors that are unreadable or zero", [vectors], ([given]) => {
    const voiceprints = given.map((vector, index) => ({
      startMillis: index,
      endMillis: index,
      vector: vector === "?" ? vector : Base64.encode(new Uint8Array(Int8Array.from(vector)))
    }))
    const result = { segments: [], voiceprints }
    const placed = placeVoiceprints({ startMillis: 0, endMillis: 1_000, result })
    const expected = given
      .filter((vector) => vector !== "?")
      .filter((vector) => vector.some((each) => each !== 0))
      .map((vector) => [...vector])
    assert.deepStrictEqual(
      placed.map(({ vector }) => [...vector]),
      expected
    )
  })
})
