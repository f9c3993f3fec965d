/** Registers a short concurrency check: two processes, a few thousand operations and one seed. */
import { assert, it } from "@effect/vitest"
import { check } from "@verbatim/testkit/concurrency"
import { Effect } from "effect"
import type { Members, MembersOptions } from "./Members.ts"

/**
 * The seed for the random choices of the check; it does not determine the timing. Set by
 * `CHECK_SEED`, or else 1.
 */
const seed = Number(process.env.CHECK_SEED ?? 1)

/**
 * Total number of operations in both processes. 5,000 operations were enough to find faults in
 * batched statements and in sweeps.
 */
const operations = 5_000

/** Adds the check for one database to the test file. */
export const staysLinear = (open: (options: MembersOptions) => Promise<Members>): void =>
  it.live("answers two processes as if their operations had run one after the other", () =>
    Effect.gen(function* () {
      const { members } = yield* Effect.acquireRelease(
        Effect.promise(() => open({ seed, count: 2 })),
        (opened) => Effect.promise(() => opened[Symbol.asyncDispose]())
      )
      const report = yield* check({ seed, operations, roundSize: operations / 2, members })
      assert.deepStrictEqual(report.violations, [], `CHECK_SEED=${seed}`)
      assert.strictEqual(report.undecided, 0)
    })
  )
