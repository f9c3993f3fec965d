/** The short form of the check: two processes, some thousand questions, one seed. */
import { assert, it } from "@effect/vitest"
import { check } from "@verbatim/testkit/concurrency"
import { Effect } from "effect"
import type { Members, MembersOptions } from "./Members.ts"

/** The choices of a run; when they meet is up to the machine. `CHECK_SEED` names another one. */
const seed = Number(process.env.CHECK_SEED ?? 1)

/** Questions of both processes: faults of shared statements and sweeps showed within 5,000. */
const operations = 5_000

/** Registers the check of one database. */
export const staysLinear = (open: (options: MembersOptions) => Promise<Members>): void =>
  it.live("answers two processes as if one thing happened after the other", () =>
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
