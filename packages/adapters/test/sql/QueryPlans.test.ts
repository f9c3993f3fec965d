/**
 * No statement that runs in a loop, or for one job or preset, looks through a table: its cost does
 * not grow with the jobs that are finished. SQLite tells how it would run each of them.
 */

import { assert, describe, it } from "@effect/vitest"
import { layer as stores } from "@verbatim/adapters/sql"
import { SqliteClient } from "@verbatim/adapters/sqlite"
import { IdempotencyKey } from "@verbatim/core/domain/idempotency/IdempotencyKey"
import { JobStore } from "@verbatim/core/ports/JobStore"
import { PresetStore } from "@verbatim/core/ports/PresetStore"
import { WorkQueue } from "@verbatim/core/ports/WorkQueue"
import { WorkspaceStore } from "@verbatim/core/ports/WorkspaceStore"
import {
  apiKeyId,
  jobId,
  keyHash,
  leaseToken,
  presetId,
  workspaceId
} from "@verbatim/testkit/samples/Ids"
import { produced, started } from "@verbatim/testkit/samples/SampleEvent"
import { commitOf, creation, uploaded } from "@verbatim/testkit/samples/SampleJob"
import {
  designating,
  draft,
  foundPreset,
  revised,
  whole
} from "@verbatim/testkit/samples/SamplePreset"
import { apiKey, credit, founded, instant } from "@verbatim/testkit/samples/SampleWorkspace"
import { full, roomOf } from "@verbatim/testkit/samples/Stored"
import { DateTime, Effect, Layer, Option } from "effect"
import { SqlClient, Statement } from "effect/sql"
import { TestClock } from "effect/testing"

/** Everything that happens to one job, from its creation to its end. */
const wholeLife = Effect.gen(function* () {
  const jobs = yield* JobStore
  const queue = yield* WorkQueue
  const job = uploaded(1)
  const token = leaseToken(1)
  const lease = { jobId: job.id, token }
  const kinds = ["Fetch", "Transcribe", "Summarize", "Deliver"] as const
  yield* TestClock.setTime(DateTime.toEpochMillis(instant))
  yield* jobs.insert(creation(job))
  yield* queue.claim({
    token,
    ...roomOf({ kinds, limit: 10, lanes: full(["https://hooks.example.com"]) })
  })
  const begun = commitOf(job, { events: [started()], token, isLeaseKept: true })
  yield* jobs.commit(begun)
  yield* queue.renew([lease])
  const transcript = { durationMillis: 1, language: "en", segments: [] }
  yield* jobs.commit(
    commitOf(begun.next, { events: [produced()], token, transcript, chargeMillis: 1 })
  )
  yield* queue.release([lease])
  yield* jobs.find(job.workspaceId, job.id)
  yield* jobs.transcript(job.id)
  yield* jobs.history(job.id)
  yield* jobs.present([job.id, jobId(2)])
})

/** What a caller does with its jobs, and a request that comes again. */
const calls = Effect.gen(function* () {
  const jobs = yield* JobStore
  const job = uploaded(3)
  const key = IdempotencyKey.make("order-3")
  const record = { key, fingerprint: "f", jobId: job.id, at: instant }
  yield* jobs.insert(creation(job, record))
  yield* jobs.insert(creation(job, record))
  yield* jobs.idempotency(job.workspaceId, key)
  for (const status of [Option.none(), Option.some("IN_QUEUE" as const)]) {
    for (const after of [Option.none(), Option.some(job.id)]) {
      yield* jobs.list({ workspaceId: job.workspaceId, status, after, limit: 2 })
    }
  }
  yield* jobs.remove(job.workspaceId, job.id)
})

/** The two ways of a commit without a lease. */
const unleased = Effect.gen(function* () {
  const jobs = yield* JobStore
  const job = uploaded(2)
  yield* jobs.insert(creation(job))
  const begun = commitOf(job, { events: [started()] })
  yield* jobs.commit(begun)
  yield* jobs.commit(commitOf(begun.next, { events: [produced()] }))
})

const requests = Effect.gen(function* () {
  const presets = yield* PresetStore
  const workspaces = yield* WorkspaceStore
  yield* founded
  const { version } = yield* presets.append(draft(1))
  const { preset } = yield* presets.append(draft(2))
  yield* revised(preset, designating(version))
  yield* foundPreset()
  yield* presets.list(workspaceId(1), whole)
  yield* presets.versions(presetId(1), whole)
  yield* presets.version(presetId(1), 1)
  yield* presets.designations(presetId(1), { offset: 1, limit: 1 })
  yield* presets.designatedAt(presetId(1), instant)
  yield* workspaces.account(workspaceId(1))
  yield* workspaces.findKey(keyHash(1))
  yield* workspaces.addKey(apiKey(2))
  yield* workspaces.revokeKey(apiKeyId(2), instant)
  yield* workspaces.credit(credit(2, 1))
  yield* workspaces.ledger(workspaceId(1))
})

type Compiled = readonly [sql: string, params: ReadonlyArray<unknown>]

/** Runs an effect and returns the statements that it ran. */
const statementsOf = Effect.fnUntraced(function* <E, R>(effect: Effect.Effect<void, E, R>) {
  const seen = new Map<string, Compiled>()
  const record: Statement.Transformer = (statement) =>
    Effect.sync(() => {
      const compiled = statement.compile()
      seen.set(compiled[0], compiled)
      return statement
    })
  yield* Effect.provideService(effect, Statement.CurrentTransformer, record)
  return [...seen.values()]
})

const planOf = Effect.fnUntraced(function* ([statement, params]: Compiled) {
  const sql = yield* SqlClient.SqlClient
  const explained = sql.unsafe<{ detail: string }>(`EXPLAIN QUERY PLAN ${statement}`, params)
  return (yield* explained).map(({ detail }) => detail)
})

/** What a plan reads to its end: tables, but neither lists of parameters nor results of a part. */
const scanned = (plan: ReadonlyArray<string>): ReadonlyArray<string> =>
  plan.filter((step) => /^SCAN (?!(?:json_each|due|one_kind|CONSTANT ROW)\b)/.test(step))

const database = Layer.provideMerge(stores, SqliteClient.layer({ filename: ":memory:" }))

describe("SQL statements", () => {
  it.effect("find every row by an index", () =>
    Effect.gen(function* () {
      // A store sweeps once a minute: a test clock that leaps to the samples' year would run each.
      const context = yield* TestClock.withLive(Layer.build(database))
      const statements = yield* Effect.provideContext(
        statementsOf(
          Effect.andThen(Effect.andThen(Effect.andThen(requests, wholeLife), unleased), calls)
        ),
        context
      )
      assert.isAtLeast(statements.length, 25)
      for (const statement of statements) {
        const plan = yield* Effect.provideContext(planOf(statement), context)
        // Founding asks whether there is any workspace: it reads one row.
        if (/LIMIT 1$/.test(statement[0])) continue
        assert.deepStrictEqual(scanned(plan), [], statement[0])
      }
    }).pipe(Effect.scoped)
  )

  it.live("of a list of presets read them in its order", () =>
    Effect.gen(function* () {
      const presets = yield* PresetStore
      const list = presets.list(workspaceId(1), { offset: 2, limit: 1 })
      const plans = yield* Effect.forEach(yield* statementsOf(Effect.asVoid(list)), planOf)
      assert.deepStrictEqual(plans, [
        ["SEARCH presets USING INDEX presets_by_update (workspace_id=?)"],
        ["SEARCH presets USING COVERING INDEX presets_by_update (workspace_id=?)"]
      ])
    }).pipe(Effect.provide(database))
  )

  it.live("of a list of jobs read one page in its order", () =>
    Effect.gen(function* () {
      const statements = (yield* statementsOf(calls)).filter(([text]) => /ORDER BY id/.test(text))
      assert.lengthOf(statements, 4)
      for (const statement of statements) {
        const [search, ...rest] = yield* planOf(statement)
        assert.match(search ?? "", /^SEARCH jobs USING INDEX jobs_by_(?:workspace|status) /)
        assert.deepStrictEqual(rest, [], statement[0])
      }
    }).pipe(Effect.provide(database))
  )

  it.live("of a preset's history read its own rows, in their order", () =>
    Effect.gen(function* () {
      const presets = yield* PresetStore
      const reads = Effect.gen(function* () {
        yield* presets.versions(presetId(1), whole)
        yield* presets.designations(presetId(1), whole)
        yield* presets.designatedAt(presetId(1), instant)
      })
      const plans = yield* Effect.forEach(yield* statementsOf(reads), planOf)
      assert.strictEqual(plans.length, 3)
      const sorts = plans.flat().filter((step) => step.includes("TEMP B-TREE"))
      assert.deepStrictEqual(sorts, [])
    }).pipe(Effect.provide(database))
  )

  it.live("of a claim read work in the order in which it is due", () =>
    Effect.gen(function* () {
      const queue = yield* WorkQueue
      const claim = queue.claim({
        token: leaseToken(1),
        ...roomOf({ kinds: ["Transcribe"], limit: 1 })
      })
      const [statement] = yield* statementsOf(Effect.asVoid(claim))
      assert.isDefined(statement)
      const plan = statement === undefined ? [] : yield* planOf(statement)
      const reads = plan.filter((step) => step.includes("work_by_due"))
      assert.deepStrictEqual(reads, ["SEARCH work USING INDEX work_by_due (kind=? AND due_at<?)"])
    }).pipe(Effect.provide(database))
  )
})
