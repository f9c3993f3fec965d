/** Corrections that are set aside, in a file. */
import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { JobStore } from "@verbatim/core/ports"
import { withWorkspace, workspaceId } from "@verbatim/testkit/samples"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import {
  countRows,
  insertCorrected,
  none,
  readsWholeBesideRemovals,
  sweepsExpired,
  sweepsExpiredAndRemoved,
  sweepsRemoved,
  sweepsTogether
} from "../sql/SetAsideCases.ts"
import { newFile, withClient } from "./TemporaryDatabase.ts"

const onNewFile = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const filename = yield* newFile
    mkdirSync(dirname(filename))
    return yield* Effect.provide(effect, withClient(filename))
  })

describe("corrections that are many, on SQLite", () => {
  it.effect("go with a job that is removed, some at a time", () => onNewFile(sweepsRemoved))

  it.effect("are told whole to whoever reads while they go, or not at all", () =>
    onNewFile(readsWholeBesideRemovals)
  )

  it.effect("go with old jobs, and with transcripts that expire", () => onNewFile(sweepsExpired))

  it.effect("go with a job whose transcript had expired before", () =>
    onNewFile(sweepsExpiredAndRemoved)
  )

  it.effect("are swept by two at once", () => onNewFile(sweepsTogether))

  it.effect("are swept by the store, after a death too", () =>
    Effect.gen(function* () {
      const filename = yield* newFile
      mkdirSync(dirname(filename))
      const remove = withWorkspace(function* () {
        const { id } = yield* insertCorrected(1)
        yield* Effect.flatMap(JobStore, (jobs) => jobs.remove(workspaceId(1), id))
      })
      yield* Effect.provide(remove, withClient(filename), { local: true })
      const left = Effect.gen(function* () {
        const before = yield* countRows(1)
        for (let step = 0; step < 100; step += 1) yield* TestClock.adjust("1 second")
        return [before.jobs, yield* countRows(1)]
      })
      const found = yield* Effect.provide(left, withClient(filename), { local: true })
      assert.deepStrictEqual(found, [1, none])
    })
  )
})
