/** Tests that writers do not wait longer than allowed for another write transaction. */
import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { JobStore, PresetStore, withLockDeadline } from "@verbatim/core/ports"
import { creation, foundFirst, makeDraft, makeUploadJob } from "@verbatim/testkit/samples"
import { Deferred, Duration, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { newFile, withClient } from "./TemporaryDatabase.ts"

const insert = Effect.flatMap(JobStore, (jobs) => jobs.insert(creation(makeUploadJob(1))))

const append = Effect.flatMap(PresetStore, (presets) => presets.append(makeDraft(1)))

/** Returns the failures of writers that arrive together while another transaction is open. */
const refusals = Effect.all([Effect.flip(insert), Effect.flip(append)], {
  concurrency: "unbounded"
}).pipe(Effect.map((errors) => errors.map(({ reason }) => reason._tag)))

/** Runs a test with a workspace, on stores in a new file. */
const onNewFile = <A, E, R>(test: (filename: string) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(newFile, (filename) => {
    mkdirSync(dirname(filename))
    return Effect.provide(Effect.andThen(foundFirst, test(filename)), withClient(filename))
  })

describe("writers that wait for an endless transaction on SQLite", () => {
  it.effect("are refused as contended after five seconds", () =>
    onNewFile(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const begun = yield* Deferred.make<void>()
        const holder = yield* Effect.forkChild(
          sql.withTransaction(Effect.andThen(Deferred.succeed(begun, undefined), Effect.never))
        )
        yield* Deferred.await(begun)
        const waiting = yield* Effect.forkChild(refusals)
        const statement = yield* Effect.forkChild(Effect.flip(sql`DELETE FROM verbatim_work`))
        yield* TestClock.adjust("4 seconds")
        assert.isUndefined(waiting.pollUnsafe())
        yield* TestClock.adjust("1 seconds")
        assert.deepStrictEqual(yield* Fiber.join(waiting), ["Contended", "Contended"])
        assert.strictEqual((yield* Fiber.join(statement)).reason._tag, "LockTimeoutError")
        yield* Fiber.interrupt(holder)
        assert.strictEqual((yield* append).version.version, 1)
      })
    )
  )

  it.live("are refused as contended while another program's transaction is still open", () =>
    onNewFile((filename) =>
      Effect.gen(function* () {
        const other = new DatabaseSync(filename)
        other.exec("BEGIN IMMEDIATE")
        const briefly = withLockDeadline(Duration.millis(300))
        assert.deepStrictEqual(yield* briefly(refusals), ["Contended", "Contended"])
        assert.isTrue(other.isTransaction)
        other.close()
        assert.strictEqual((yield* append).version.version, 1)
      })
    )
  )
})
