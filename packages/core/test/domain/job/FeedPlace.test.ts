/** Places in the feed, as a workspace is shown them. */
import { assert, describe, it } from "@effect/vitest"
import { jobId, workspaceId } from "@verbatim/testkit/samples"
import { Arbitrary, Effect, Option, Schema } from "effect"
import { Digest } from "effect/crypto"
import {
  type FeedEventPlace,
  formatFeedPlace,
  parseFeedPlace,
  placeBefore
} from "#src/domain/job/FeedPlace"

const mark = "mark"
const [mine, theirs] = [workspaceId(1), workspaceId(2)]

const between = (minimum: number, maximum: number) =>
  Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const Wish = Schema.Struct({
  ordinal: between(0, Number.MAX_SAFE_INTEGER),
  number: between(1, 99_999),
  /** 0 for a place before all jobs of the ordinal. */
  revision: Schema.Union([Schema.Literal(0), between(1, 999_999_999)]),
  index: Schema.NullOr(between(0, 999_999))
})

const places = Arbitrary.map(
  Arbitrary.schema(Wish),
  ({ index, number, ordinal, revision }): FeedEventPlace =>
    revision === 0
      ? { place: placeBefore(mark, ordinal), index: Number.POSITIVE_INFINITY }
      : {
          place: { mark, ordinal, jobId: jobId(number), revision },
          index: index ?? Number.POSITIVE_INFINITY
        }
)

const layer = Effect.provide(Digest.layerWebCrypto)

describe("A place in the feed", () => {
  it.effect.prop(
    "is always read back by its workspace, and never by another one",
    [places],
    ([told]) =>
      Effect.gen(function* () {
        const text = yield* formatFeedPlace(mine, told)
        assert.deepStrictEqual(yield* parseFeedPlace(mine, { mark, text }), Option.some(told))
        assert.isTrue(Option.isNone(yield* parseFeedPlace(theirs, { mark, text })))
        assert.notStrictEqual(yield* formatFeedPlace(theirs, told), text)
      }).pipe(layer)
  )

  it.effect.prop(
    "is never read once a character behind the mark is changed",
    [places, between(0, 95), between(1, 15)],
    ([told, position, change]) =>
      Effect.gen(function* () {
        const text = yield* formatFeedPlace(mine, told)
        const at = text.indexOf(".") + 1 + position
        const other = (Number.parseInt(text.charAt(at), 16) ^ change).toString(16)
        const changed = text.slice(0, at) + other + text.slice(at + 1)
        assert.isTrue(Option.isNone(yield* parseFeedPlace(mine, { mark, text: changed })))
      }).pipe(layer)
  )

  it.effect.prop("has a text of one length that shows neither mark nor job", [places], ([told]) =>
    Effect.gen(function* () {
      const text = yield* formatFeedPlace(mine, told)
      assert.match(text, /^w[0-9a-f]{8}\.[0-9a-f]{96}$/)
      assert.notInclude(text, mark)
      if (told.place.jobId !== "") assert.notInclude(text, told.place.jobId.replaceAll("-", ""))
    }).pipe(layer)
  )

  it.effect("does not tell how far it is from the next one", () =>
    Effect.gen(function* () {
      const distances = yield* Effect.forEach([1, 2, 3, 4, 5, 6, 7, 8], (ordinal) =>
        Effect.map(
          Effect.forEach([2 * ordinal, 2 * ordinal + 1], (number) =>
            formatFeedPlace(mine, {
              place: placeBefore(mark, number),
              index: Number.POSITIVE_INFINITY
            })
          ),
          ([one = "", next = ""]) => BigInt(`0x${one.slice(42)}`) ^ BigInt(`0x${next.slice(42)}`)
        )
      )
      assert.strictEqual(new Set(distances).size, distances.length)
    }).pipe(layer)
  )

  it.effect("of another feed is read as one without a mark, whoever was shown it", () =>
    Effect.gen(function* () {
      const text = yield* formatFeedPlace(theirs, { place: placeBefore("other", 12), index: 0 })
      const read = yield* parseFeedPlace(mine, { mark, text })
      assert.strictEqual(Option.getOrThrow(read).place.mark, "")
    }).pipe(layer)
  )
})
