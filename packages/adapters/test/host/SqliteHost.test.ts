/** Tests jobs and presets in host transactions on SQLite, with `node:sqlite`. */
import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import {
  type HostTransaction,
  type HostTransactionError,
  layer as stores
} from "@verbatim/adapters/sql"
import { hostTransactions, layer, SqliteClient, within } from "@verbatim/adapters/sqlite"
import { type Jobs, Presets, type Submissions } from "@verbatim/core/services"
import { MediaCollection } from "@verbatim/core/worker"
import { FakeMedia } from "@verbatim/testkit/fakes"
import { claimIds, leaseToken } from "@verbatim/testkit/samples"
import { Cause, Deferred, Duration, Effect, Exit, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { newFile } from "../sqlite/TemporaryDatabase.ts"
import * as NodeSqlite from "./clients/NodeSqlite.ts"
import { addVersion, isThere, servicesOver, submitFile, submitUrl } from "./HostServices.ts"

const openDatabase = (filename: string, options = {}) =>
  Effect.acquireRelease(
    Effect.sync(() => new DatabaseSync(filename, options)),
    (database) =>
      Effect.sync(() => {
        if (database.isOpen) database.close()
      })
  )

/**
 * Creates a file with the stores' tables and a table of the host, and opens the host's connection.
 */
const prepared = Effect.gen(function* () {
  const filename = yield* newFile
  const context = yield* Layer.build(servicesOver(Layer.fresh(layer({ filename }))))
  const host = yield* openDatabase(filename)
  host.exec("CREATE TABLE own (name TEXT)")
  return { context, filename, host }
})

/** Writes a row of the host, a job and a version, all with the same name. */
const writeAll = (host: DatabaseSync, name: string) =>
  Effect.gen(function* () {
    host.exec("BEGIN")
    host.prepare("INSERT INTO own VALUES (?)").run(name)
    const job = yield* within(host)(submitUrl(name))
    const { preset } = yield* within(host)(addVersion(name, name))
    assert.isTrue(host.isTransaction, "the transaction is the host's to end")
    assert.isFalse(yield* isThere(job.id))
    assert.isTrue(yield* within(host)(isThere(job.id)))
    // A worker that claims before the commit finds no work, and does not wait.
    return { job, preset }
  })

const countAll = (host: DatabaseSync, name: string) =>
  Object.values(
    host
      .prepare(`SELECT (SELECT count(*) FROM own WHERE name = $name),
        (SELECT count(*) FROM verbatim_idempotency_keys WHERE key = $name),
        (SELECT count(*) FROM verbatim_jobs JOIN verbatim_idempotency_keys
          ON job_id = verbatim_jobs.id WHERE key = $name),
        (SELECT count(*) FROM verbatim_work JOIN verbatim_idempotency_keys USING (job_id)
          WHERE key = $name),
        (SELECT count(*) FROM verbatim_preset_keys WHERE key = $name),
        (SELECT count(*) FROM verbatim_preset_versions JOIN verbatim_presets
          ON verbatim_presets.id = preset_id
          WHERE slug = $name)`)
      .get({ name }) ?? {}
  )

/** Returns the error of a call that must fail. */
const refusalOf = (host: DatabaseSync) =>
  Effect.map(Effect.exit(within(host)(submitUrl())), (exit) =>
    Exit.isFailure(exit)
      ? (Cause.squash(exit.cause) as HostTransactionError).message
      : "it was let in"
  )

describe("a host's transaction with node:sqlite", () => {
  it.live("commits or rolls back a job and a preset together with the host's own row", () =>
    Effect.gen(function* () {
      const { context, host } = yield* prepared
      yield* Effect.gen(function* () {
        const undone = yield* writeAll(host, "talk")
        host.exec("ROLLBACK")
        assert.deepStrictEqual(countAll(host, "talk"), [0, 0, 0, 0, 0, 0])
        const kept = yield* writeAll(host, "talk")
        host.exec("COMMIT")
        assert.deepStrictEqual(countAll(host, "talk"), [1, 1, 1, 1, 1, 1])
        assert.notStrictEqual(kept.job.id, undone.job.id)
        assert.isTrue(yield* isThere(kept.job.id))
        assert.strictEqual((yield* submitUrl("talk")).id, kept.job.id)
      }).pipe(Effect.provide(context))
    })
  )

  it.live("blocks other writers until the transaction has ended", () =>
    Effect.gen(function* () {
      const { context, host } = yield* prepared
      yield* Effect.gen(function* () {
        const first = yield* writeAll(host, "first")
        // Another connection waits here until the host releases its lock.
        const other = yield* Effect.forkChild(submitUrl("second"))
        const claiming = yield* Effect.forkChild(claimIds(leaseToken(1)))
        yield* Effect.yieldNow
        assert.deepStrictEqual(countAll(host, "second"), [0, 0, 0, 0, 0, 0])
        host.exec("ROLLBACK")
        yield* Fiber.join(other)
        assert.notInclude(yield* Fiber.join(claiming), first.job.id)
        assert.deepStrictEqual(countAll(host, "second"), [0, 1, 1, 1, 0, 0])
        assert.deepStrictEqual(countAll(host, "first"), [0, 0, 0, 0, 0, 0])
      }).pipe(Effect.provide(context))
    })
  )

  it.live("runs its calls one after the other, each with its own outcome", () =>
    Effect.gen(function* () {
      const { context, host } = yield* prepared
      yield* Effect.gen(function* () {
        host.exec("BEGIN")
        const failing = Effect.andThen(submitUrl("no"), Effect.fail("no" as const))
        const exits = yield* Effect.forEach(
          [failing, submitUrl("yes"), failing, addVersion("yes", "yes")].map((call) =>
            Effect.asVoid<unknown, unknown, Jobs | Presets | Submissions>(call)
          ),
          (call) => Effect.exit(within(host)(call)),
          { concurrency: "unbounded" }
        )
        host.prepare("INSERT INTO own VALUES (?)").run("yes")
        host.exec("COMMIT")
        assert.deepStrictEqual(exits.map(Exit.isSuccess), [false, true, false, true])
        assert.deepStrictEqual(countAll(host, "no"), [0, 0, 0, 0, 0, 0])
        assert.deepStrictEqual(countAll(host, "yes"), [1, 1, 1, 1, 1, 1])
      }).pipe(Effect.provide(context))
    })
  )

  it.live("does not move a label that was protected after the transaction's snapshot", () =>
    Effect.gen(function* () {
      const { context, host } = yield* prepared
      yield* Effect.gen(function* () {
        const presets = yield* Presets
        const { preset } = yield* addVersion("notes", "notes")
        const { creatorUserId: userId, slug, workspaceId } = preset
        const principal = { kind: "management" as const, workspaceId, userId }
        const move = presets.moveLabel({
          ...{ principal, slug, label: "production" },
          wanted: Effect.succeed(1)
        })
        // This read takes the transaction's snapshot.
        host.exec("BEGIN")
        assert.deepStrictEqual(countAll(host, "other"), [0, 0, 0, 0, 0, 0])
        yield* presets.protectLabel({ by: { kind: "operator", workspaceId }, label: "production" })
        const locked = yield* Effect.flip(within(host)(move))
        assert.strictEqual(locked._tag, "PresetStoreError")
        host.exec("ROLLBACK")
        assert.deepStrictEqual(yield* presets.labels({ principal, slug }), [])
        host.exec("BEGIN")
        const refusal = yield* Effect.flip(within(host)(move))
        assert.strictEqual(refusal._tag, "LabelProtected")
        host.exec("ROLLBACK")
      }).pipe(Effect.provide(context))
    })
  )

  it.live("is refused, with the reason, if its connection cannot be used", () =>
    Effect.gen(function* () {
      const { context, filename, host } = yield* prepared
      const elsewhere = yield* openDatabase(":memory:")
      elsewhere.exec("BEGIN")
      const unchecked = yield* openDatabase(filename, { enableForeignKeyConstraints: false })
      unchecked.exec("BEGIN")
      yield* Effect.gen(function* () {
        assert.include(yield* refusalOf(host), "not in a transaction")
        assert.include(yield* refusalOf(elsewhere), "different database")
        assert.include(yield* refusalOf(unchecked), "foreign keys")
        host.close()
        assert.include(yield* refusalOf(host), "closed")
      }).pipe(Effect.provide(context))
    })
  )

  it.live("makes running calls fail when it ends, and writes nothing afterwards", () =>
    Effect.gen(function* () {
      const { context, host } = yield* prepared
      yield* Effect.gen(function* () {
        const mayContinue = yield* Deferred.make<void>()
        host.exec("BEGIN")
        const call = yield* Effect.forkChild(
          within(host)(Effect.andThen(Deferred.await(mayContinue), submitUrl("late")))
        )
        yield* Effect.repeat(Effect.yieldNow, { times: 100 })
        host.exec("COMMIT")
        yield* Deferred.succeed(mayContinue, undefined)
        const error = yield* Effect.flip(Fiber.join(call))
        assert.include((error as HostTransactionError).message, "ended before this call did")
        assert.deepStrictEqual(countAll(host, "late"), [0, 0, 0, 0, 0, 0])
      }).pipe(Effect.provide(context))
    })
  )

  it.effect("leaves an uploaded file to garbage collection if it is rolled back", () =>
    Effect.gen(function* () {
      const { context, host } = yield* prepared
      yield* Effect.gen(function* () {
        const media = yield* FakeMedia
        host.exec("BEGIN")
        yield* within(host)(submitUrl())
        assert.lengthOf(yield* media.stored, 0)
        yield* within(host)(submitFile())
        host.exec("ROLLBACK")
        assert.lengthOf(yield* media.stored, 1, "nobody knew of the end")
        host.exec("BEGIN")
        yield* within(host)(submitFile())
        host.exec("COMMIT")
        yield* TestClock.adjust(Duration.hours(25))
        yield* MediaCollection.collect
        assert.lengthOf(yield* media.stored, 1, "that of the job")
      }).pipe(Effect.provide(context))
    })
  )
})

describe("the example on the transactions page, with SQLite", () => {
  it.live("waits for the current writer, and then commits or rolls back", () =>
    Effect.gen(function* () {
      const { context, host } = yield* prepared
      yield* Effect.gen(function* () {
        const services = yield* Effect.context<Jobs | Presets | Submissions | HostTransaction>()
        const run = (name: string, isKept: boolean) =>
          NodeSqlite.transact(host, async () => {
            host.prepare("INSERT INTO own VALUES (?)").run(name)
            const job = await Effect.runPromiseWith(services)(within(host)(submitUrl(name)))
            return isKept ? job : Promise.reject(new Error("no"))
          })
        const ordinary = yield* Effect.forkChild(submitUrl("ordinary"))
        yield* Effect.promise(() => run("kept", true))
        yield* Effect.promise(() => run("undone", false).catch(() => undefined))
        yield* Fiber.join(ordinary)
        assert.deepStrictEqual(countAll(host, "ordinary"), [0, 1, 1, 1, 0, 0])
        assert.deepStrictEqual(countAll(host, "kept"), [1, 1, 1, 1, 0, 0])
        assert.deepStrictEqual(countAll(host, "undone"), [0, 0, 0, 0, 0, 0])
      }).pipe(Effect.provide(context))
    })
  )
})

describe("an Effect host that shares its client with the stores", () => {
  it.live("writes jobs and presets in its own transactions", () =>
    Effect.gen(function* () {
      const filename = yield* newFile
      mkdirSync(dirname(filename))
      const context = yield* Layer.build(
        servicesOver(
          Layer.merge(stores(), hostTransactions).pipe(
            Layer.provideMerge(SqliteClient.layer({ filename }))
          )
        )
      )
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const undone = yield* Effect.flip(
          sql.withTransaction(Effect.flatMap(submitUrl(), ({ id }) => Effect.fail({ id })))
        )
        assert.isFalse("id" in undone && (yield* isThere(undone.id)))
        const kept = yield* sql.withTransaction(submitUrl())
        assert.isTrue(yield* isThere(kept.id))
      }).pipe(Effect.provide(context))
    })
  )
})
