/** Feed cursors in the encrypted format that callers receive. */
import { assert, describe, it } from "@effect/vitest"
import { jobId, workspaceId } from "@verbatim/testkit/samples"
import { Arbitrary, Effect, Option, Schema } from "effect"
import { Digest } from "effect/crypto"
import {
  cursorBefore,
  type FeedEventCursor,
  formatFeedCursor,
  parseFeedCursor
} from "#src/domain/job/FeedCursor"

const feedId = "feedId"
const [mine, theirs] = [workspaceId(1), workspaceId(2)]

const between = (minimum: number, maximum: number) =>
  Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const Parts = Schema.Struct({
  ordinal: between(0, Number.MAX_SAFE_INTEGER),
  number: between(1, 99_999),
  /** The revision, or 0 for a cursor before all jobs with this ordinal. */
  revision: Schema.Union([Schema.Literal(0), between(1, 999_999_999)]),
  index: Schema.NullOr(between(0, 999_999))
})

const cursors = Arbitrary.map(
  Arbitrary.schema(Parts),
  ({ index, number, ordinal, revision }): FeedEventCursor =>
    revision === 0
      ? { cursor: cursorBefore(feedId, ordinal), index: Number.POSITIVE_INFINITY }
      : {
          cursor: { feedId, ordinal, jobId: jobId(number), revision },
          index: index ?? Number.POSITIVE_INFINITY
        }
)

const layer = Effect.provide(Digest.layerWebCrypto)

describe("A feed cursor", () => {
  it.effect.prop("can be parsed only in its own workspace", [cursors], ([at]) =>
    Effect.gen(function* () {
      const text = yield* formatFeedCursor(mine, at)
      assert.deepStrictEqual(yield* parseFeedCursor(mine, { feedId, text }), Option.some(at))
      assert.isTrue(Option.isNone(yield* parseFeedCursor(theirs, { feedId, text })))
      assert.notStrictEqual(yield* formatFeedCursor(theirs, at), text)
    }).pipe(layer)
  )

  it.effect.prop(
    "is rejected if any character after the feed's prefix is changed",
    [cursors, between(0, 95), between(1, 15)],
    ([cursor, position, change]) =>
      Effect.gen(function* () {
        const text = yield* formatFeedCursor(mine, cursor)
        const at = text.indexOf(".") + 1 + position
        const other = (Number.parseInt(text.charAt(at), 16) ^ change).toString(16)
        const changed = text.slice(0, at) + other + text.slice(at + 1)
        assert.isTrue(Option.isNone(yield* parseFeedCursor(mine, { feedId, text: changed })))
      }).pipe(layer)
  )

  it.effect.prop(
    "has a fixed length, and reveals neither the feed nor the job",
    [cursors],
    ([at]) =>
      Effect.gen(function* () {
        const text = yield* formatFeedCursor(mine, at)
        assert.match(text, /^w[0-9a-f]{8}\.[0-9a-f]{96}$/)
        assert.notInclude(text, feedId)
        if (at.cursor.jobId !== "") assert.notInclude(text, at.cursor.jobId.replaceAll("-", ""))
      }).pipe(layer)
  )

  it.effect("does not reveal how far it is from the next cursor", () =>
    Effect.gen(function* () {
      const distances = yield* Effect.forEach([1, 2, 3, 4, 5, 6, 7, 8], (ordinal) =>
        Effect.map(
          Effect.forEach([2 * ordinal, 2 * ordinal + 1], (number) =>
            formatFeedCursor(mine, {
              cursor: cursorBefore(feedId, number),
              index: Number.POSITIVE_INFINITY
            })
          ),
          ([one = "", next = ""]) => BigInt(`0x${one.slice(42)}`) ^ BigInt(`0x${next.slice(42)}`)
        )
      )
      assert.strictEqual(new Set(distances).size, distances.length)
    }).pipe(layer)
  )

  it.effect("is parsed in any workspace if it comes from another feed, but without a feed id", () =>
    Effect.gen(function* () {
      const text = yield* formatFeedCursor(theirs, { cursor: cursorBefore("other", 12), index: 0 })
      const read = yield* parseFeedCursor(mine, { feedId, text })
      assert.strictEqual(Option.getOrThrow(read).cursor.feedId, "")
    }).pipe(layer)
  )
})
