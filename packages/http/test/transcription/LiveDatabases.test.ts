/** What listeners are told over real HTTP where the jobs are in a database. */
import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { PostgresClient, layer as postgres } from "@verbatim/adapters/postgres"
import { layer as sqlite } from "@verbatim/adapters/sqlite"
import { JobId } from "@verbatim/core/attempt"
import { JobStore, type Stores } from "@verbatim/core/ports"
import {
  attemptStarted,
  commitJob,
  transcript,
  transcriptProduced
} from "@verbatim/testkit/samples"
import { Effect, Layer, Option, Redacted, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { Deployment, keys, layer } from "../Deployment.ts"
import { type Block, type Heard, listen } from "../Listening.ts"

const key = keys.inference

interface Database {
  readonly stores: Layer.Layer<Stores>
  /** What an operator does after a backup was restored. */
  readonly rename: Effect.Effect<void>
}

/** A file of its own, removed at the end. */
const newFile: Effect.Effect<Database, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "verbatim-live-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  ),
  (folder) => {
    const filename = join(folder, "verbatim.db")
    const rename = Effect.sync(() => {
      using database = new DatabaseSync(filename, { timeout: 5_000 })
      database.exec("UPDATE verbatim_job_feed SET mark = lower(hex(randomblob(16)))")
    })
    return { stores: Layer.orDie(sqlite({ filename })), rename }
  }
)

/** A database of its own on the server of this run. */
const newDatabase: Effect.Effect<Database, never, Scope.Scope> = Effect.gen(function* () {
  const server = yield* Effect.promise(async () => (await fetch(inject("postgres"))).text())
  const name = `live_${randomUUID().replaceAll("-", "")}`
  yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE DATABASE ${sql(name)}`).pipe(
    Effect.provide(PostgresClient.layer({ url: Redacted.make(server), connectionsMax: 1 })),
    Effect.orDie
  )
  const url = new URL(server)
  url.pathname = `/${name}`
  const one = PostgresClient.layer({ url: Redacted.make(url.href), connectionsMax: 1 })
  const rename = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE verbatim_job_history SET ordinal = NULL
        WHERE ordinal >= pg_current_xact_id()::text::bigint`
    yield* sql`UPDATE verbatim_job_feed SET mark = replace(gen_random_uuid()::text, '-', '')`
  }).pipe(Effect.provide(one), Effect.orDie)
  return { stores: Layer.orDie(postgres({ url: Redacted.make(url.href) })), rename }
})

/** Hands in a recording, and finds the job. */
const submit = Effect.gen(function* () {
  const { call } = yield* Deployment
  const form = new FormData()
  form.append("file", new File([new Uint8Array(8)], "a.wav"))
  const { text } = yield* call("/v1/transcribe", { key, body: form })
  const id = JobId.make(JSON.parse(text).id)
  const present = yield* (yield* JobStore).present([id])
  return yield* Effect.fromOption(Option.flatten(Option.fromUndefinedOr(present.get(id))))
})

const take = (heard: Heard, count: number) =>
  Effect.forEach(Array.from({ length: count }), () => heard.next)

const dataOf = (block: Block | undefined): unknown => block?.data

describe.each<readonly [name: string, database: Effect.Effect<Database, never, Scope.Scope>]>([
  ["SQLite", newFile],
  ["Postgres", newDatabase]
])("Listening to %s", (_, database) => {
  const deployed = <A, E>(
    test: (rename: Effect.Effect<void>) => Effect.Effect<A, E, Deployment | JobStore | Scope.Scope>
  ) =>
    Effect.gen(function* () {
      const { rename, stores } = yield* database
      const deployment = Layer.provide(layer({ stores }), NodeServices.layer)
      return yield* Effect.provide(test(rename), deployment)
    }).pipe(Effect.scoped)

  it.live("tells a job and its workspace what the history shows, from any place on", () =>
    deployed(() =>
      Effect.gen(function* () {
        const { call } = yield* Deployment
        const all = yield* listen("/v1/transcriptions/events", { key })
        const job = yield* submit
        const path = `/v1/transcriptions/${job.id}/events`
        const one = yield* listen(path, { key })
        const first = yield* take(one, 1)
        const started = yield* commitJob(job, { events: [attemptStarted()] })
        yield* commitJob(started, { events: [transcriptProduced()], transcript })
        const told = [...first, ...(yield* take(one, 4))]
        assert.deepStrictEqual(
          told.map((block) => block?.id),
          ["1.0", "2.0", "3.0", "3.end", undefined]
        )
        const history = yield* call(`/v1/transcriptions/${job.id}/history`, { key })
        const events = JSON.parse(history.text).events.map((event: object) => ({
          id: job.id,
          ...event
        }))
        assert.deepStrictEqual(told.slice(0, 3).map(dataOf), events)
        const ofAll = yield* take(all, 3)
        assert.deepStrictEqual(ofAll.map(dataOf), events)
        for (const [index, block] of ofAll.slice(0, 2).entries()) {
          const headers = { "last-event-id": block?.id ?? "" }
          const again = yield* listen("/v1/transcriptions/events", { key, headers })
          assert.deepStrictEqual(
            yield* take(again, 2 - index),
            ofAll.slice(index + 1),
            `behind ${block?.id}`
          )
        }
        const rest = yield* listen(path, { key, headers: { "last-event-id": "2.0" } })
        assert.deepStrictEqual(yield* take(rest, 3), told.slice(2))
      })
    )
  )

  it.live("says of every place that it means nothing, once the feed has a new name", () =>
    deployed((rename) =>
      Effect.gen(function* () {
        const all = yield* listen("/v1/transcriptions/events", { key })
        yield* submit
        const place = (yield* all.next)?.id ?? ""
        yield* all.leave
        yield* rename
        const again = yield* listen("/v1/transcriptions/events", {
          key,
          headers: { "last-event-id": place }
        })
        assert.strictEqual((yield* again.next)?.event, "reset")
        const job = yield* submit
        assert.propertyVal(yield* Effect.map(again.next, dataOf), "id", job.id)
      })
    )
  )
})
