/** Tests the digest of content that arrives in chunks. */
import { NodeCrypto } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { Digest } from "effect/crypto"
import * as ContentDigest from "#src/domain/transcription/ContentDigest"

const { blockBytes } = ContentDigest

const digestOf = Effect.fnUntraced(function* (pieces: Iterable<Uint8Array>) {
  const digest = ContentDigest.make(yield* Digest.Digest)
  for (const piece of pieces) yield* digest.update(piece)
  return yield* digest.end
})

const longest = Uint8Array.from(
  { length: 3 * blockBytes },
  (_, index) => (index * 31 + (index >> 8)) % 256
)

/** Bytes that differ at every position. */
const content = (length: number): Uint8Array => longest.slice(0, length)

const upTo = (maximum: number) =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum })))

const cut = (bytes: Uint8Array, lengths: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const pieces: Array<Uint8Array> = []
  let at = 0
  for (const length of lengths) {
    pieces.push(bytes.subarray(at, at + length))
    at += length
  }
  return [...pieces, bytes.subarray(at)]
}

describe("the digest of content", () => {
  it.effect.prop(
    "is the same however the content is split into chunks",
    {
      length: upTo(3 * blockBytes),
      lengths: Arbitrary.array(upTo(blockBytes), { maxLength: 6 })
    },
    ({ length, lengths }) =>
      Effect.gen(function* () {
        const bytes = content(length)
        assert.strictEqual(yield* digestOf(cut(bytes, lengths)), yield* digestOf([bytes]))
      }).pipe(Effect.provide(NodeCrypto.layerDigest)),
    { arbitrary: { runs: 25 } }
  )

  it.effect("is correct even if the buffer of an earlier chunk is reused", () =>
    Effect.gen(function* () {
      const reused = content(100)
      const digest = ContentDigest.make(yield* Digest.Digest)
      yield* digest.update(reused)
      reused.fill(0)
      assert.strictEqual(yield* digest.end, yield* digestOf([content(100)]))
    }).pipe(Effect.provide(NodeCrypto.layerDigest))
  )
})
