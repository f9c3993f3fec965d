/**
 * Runs the whole check over in-memory stores. The check must accept correct stores and find broken
 * ones.
 */

import { assert, describe, it } from "@effect/vitest"
import type { Stores } from "@verbatim/core/ports"
import { Effect, Layer } from "effect"
import { check } from "#src/concurrency/Check"
import { type Member, perform } from "#src/concurrency/Member"
import { Troubles } from "#src/concurrency/Troubles"
import { sound } from "../faults/Fault.ts"
import { storeFaults } from "./StoreFaults.ts"

/** Enough calls to show each fault, usually many times. */
const operations = 3_000

/** The runtime decides which tasks collide, so one seed can miss a rare fault. */
const seeds = [7, 8, 9, 10]

/** Each seed takes a few seconds on a busy machine. */
const timeout = 60_000

const violationsOf = (layer: Layer.Layer<Stores>, seed: number) =>
  Effect.gen(function* () {
    const context = yield* Layer.build(Layer.fresh(Layer.merge(layer, Troubles.none)))
    const member: Member = (task) => Effect.provideContext(perform(task), context)
    const options = { seed, operations, roundSize: operations, members: [member, member] }
    return yield* check(options)
  }).pipe(Effect.scoped)

/**
 * Returns the violations of the first seed that has a violation matching the sentence, or of all
 * seeds if none has one.
 */
const found = Effect.fnUntraced(function* (layer: Layer.Layer<Stores>, sentence: RegExp) {
  const seen: Array<string> = []
  for (const seed of seeds) {
    const { violations } = yield* violationsOf(layer, seed)
    if (violations.some((violation) => sentence.test(violation))) return violations
    seen.push(...violations)
  }
  return seen
})

describe("The concurrency check", () => {
  it.live(
    "accepts correct stores",
    () =>
      Effect.map(violationsOf(sound, 7), ({ undecided, violations }) => {
        assert.deepStrictEqual(violations, [])
        assert.strictEqual(undecided, 0)
      }),
    timeout
  )

  for (const { fault, layer, sentence } of storeFaults) {
    it.live(
      `finds a store that ${fault}`,
      () =>
        Effect.map(found(layer, sentence), (violations) => {
          assert.isTrue(
            violations.some((violation) => sentence.test(violation)),
            violations[0] ?? "nothing was found"
          )
        }),
      timeout
    )
  }
})
