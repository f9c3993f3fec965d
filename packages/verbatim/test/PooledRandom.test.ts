import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import * as PooledRandom from "../src/PooledRandom.ts"

describe("PooledRandom", () => {
  it.effect("gives each call bytes of its own, within a pool and beyond one", () =>
    Effect.gen(function* () {
      const { randomBytes } = yield* SecureRandom.SecureRandom
      const drawn = yield* Effect.forEach(Array.from({ length: 1_000 }), () => randomBytes(24))
      assert.strictEqual(new Set(drawn.map((bytes) => bytes.join())).size, 1_000)
    }).pipe(Effect.provide(PooledRandom.layer))
  )

  it.effect("gives as many bytes as asked for, none of them left at zero", () =>
    Effect.gen(function* () {
      const { randomBytes } = yield* SecureRandom.SecureRandom
      for (const size of [0, 1, 4_095, 4_096, 4_097, 65_537, 200_000]) {
        const bytes = yield* randomBytes(size)
        assert.strictEqual(bytes.length, size)
        // Of 16 random bytes at the end, all are zero once in 2^128 runs.
        if (size >= 16) assert.isTrue(bytes.subarray(-16).some((byte) => byte !== 0))
      }
    }).pipe(Effect.provide(PooledRandom.layer))
  )

  it.effect("keeps later bytes apart from what a caller does to earlier ones", () =>
    Effect.gen(function* () {
      const { randomBytes } = yield* SecureRandom.SecureRandom
      const first = yield* randomBytes(16)
      first.fill(0)
      assert.isTrue((yield* randomBytes(16)).some((byte) => byte !== 0))
    }).pipe(Effect.provide(PooledRandom.layer))
  )
})
