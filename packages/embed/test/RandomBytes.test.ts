import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { makeDraw, platform } from "#src/Platform"

/** Number of arrays to draw, which use up several buffers of 4,096 bytes. */
const drawCount = 2_000

it("random arrays have the requested length, even at the end of the buffer", () => {
  const draw = makeDraw()
  const lengths = Array.from({ length: drawCount }, (_, index) => index % 40)
  assert.deepStrictEqual(
    lengths.map((length) => draw(length).length),
    lengths
  )
})

it("random arrays share no bytes with each other or with the buffer", () => {
  const draw = makeDraw()
  const arrays = Array.from({ length: drawCount }, () => draw(16))
  const texts = arrays.map((bytes) => Buffer.from(bytes).toString("hex"))
  assert.strictEqual(new Set(texts).size, drawCount)
  for (const [index, bytes] of arrays.entries()) {
    assert.strictEqual(Buffer.from(bytes).toString("hex"), texts[index])
    bytes.fill(0)
  }
})

it.effect("generated UUIDs are unique, and in ascending order", () =>
  Effect.gen(function* () {
    const { uuidV7 } = yield* SecureRandom.SecureRandom
    const ids = yield* Effect.all(Array.from({ length: drawCount }, () => uuidV7()))
    assert.strictEqual(new Set(ids).size, drawCount)
    assert.deepStrictEqual([...ids].sort(), ids)
  }).pipe(Effect.provide(platform))
)
