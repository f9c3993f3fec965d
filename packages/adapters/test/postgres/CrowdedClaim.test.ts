/** A claim that meets a crowd asks twice, and a commit may come between the two. */
import { assert, describe, it } from "@effect/vitest"
import { JobId } from "@verbatim/core/attempt"
import { JobStore, WorkQueue } from "@verbatim/core/ports"
import * as Transcription from "@verbatim/core/transcription"
import {
  commitOf,
  foundFirst,
  insertJob,
  instant,
  leaseToken,
  makeOwingJob,
  makeUploadJob,
  media,
  onTranscription,
  upTo
} from "@verbatim/testkit/samples"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { claim } from "#src/postgres/statements/ClaimStatement"
import { onServer } from "./TemporarySchema.ts"

/** More than a claim looks at, so that it walks round. */
const long = 140

type Sent = Effect.Effect<unknown, unknown>

/** Replaces the statements of a claim. */
const withStatements = (
  sql: SqlClient.SqlClient,
  change: (sent: Sent, number: number) => Sent
): SqlClient.SqlClient => {
  let number = 0
  return new Proxy(sql, {
    apply: (target, self, given: ReadonlyArray<unknown>) => {
      const made = Reflect.apply(target, self, given)
      if (!String(given[0]).includes("SELECT millis AS now_millis")) return made
      number += 1
      return change(made, number)
    }
  })
}

const request = {
  token: leaseToken(1),
  kinds: { Fetch: 4, Transcribe: long + 1 },
  held: {},
  lanes: { max: 4, taken: {} }
}

const newMemory = () => ({ turns: new Map(), bounds: new Map(), isCrowded: false })

describe("A claim of Postgres that goes round", () => {
  it.live("gives out a job once that changes its kind between its statements", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const jobs = yield* JobStore
      yield* foundFirst
      const job = makeOwingJob(1, { kind: "Fetch", dueAt: instant })
      yield* insertJob(job)
      yield* Effect.forEach(upTo(long), (number) => insertJob(makeUploadJob(10 + number)))
      const fetched = Transcription.Event.cases.MediaStored.make({ media: media(1), at: instant })
      const stored = jobs.commit(commitOf(job, { events: [onTranscription(fetched)] }))
      const between = withStatements(sql, (sent, number) =>
        number === 1 ? Effect.tap(sent, Effect.orDie(stored)) : sent
      )
      const { rows } = yield* claim(between, request, newMemory())
      const ids = rows.map(({ job_id }) => job_id)
      assert.include(ids, job.id)
      assert.strictEqual(new Set(ids).size, ids.length)
    }).pipe(Effect.provide(onServer))
  )

  it.live("does so later under an old snapshot, and takes the same", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const queue = yield* WorkQueue
      yield* foundFirst
      yield* Effect.forEach(upTo(long), (number) => insertJob(makeUploadJob(10 + number)))
      const few = { ...request, kinds: { Transcribe: 3 } }
      const taken: Array<ReadonlyArray<string>> = []
      let statements = 0
      const counted = withStatements(sql, (sent) => {
        statements += 1
        return sent
      })
      for (const bounds of [new Map(), new Map([["Transcribe" as const, 0]])]) {
        const { hasMore, rows } = yield* claim(counted, few, { ...newMemory(), bounds })
        assert.isTrue(hasMore)
        const ids = rows.map(({ job_id }) => JobId.make(job_id))
        yield* queue.release(ids.map((jobId) => ({ jobId, token: few.token })))
        taken.push([statements, ...ids].map(String))
        statements = 0
      }
      const [without, within] = taken
      assert.deepStrictEqual([without?.[0], within?.[0]], ["2", "1"])
      assert.deepStrictEqual(within?.slice(1), without?.slice(1))
    }).pipe(Effect.provide(onServer))
  )

  it.live("fails when the answer of its second statement is lost: it may have leased more", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* foundFirst
      yield* insertJob(makeOwingJob(1, { kind: "Fetch", dueAt: instant }))
      yield* Effect.forEach(upTo(long), (number) => insertJob(makeUploadJob(10 + number)))
      const failing = withStatements(sql, (sent, number) =>
        number === 1 ? sent : Effect.andThen(sent, sql`SELECT 1 / 0`)
      )
      const claimed = yield* Effect.exit(claim(failing, request, newMemory()))
      assert.strictEqual(claimed._tag, "Failure")
      const [leased] = yield* sql<{ readonly kinds: number }>`
        SELECT count(DISTINCT kind)::int AS kinds FROM verbatim_work WHERE token = ${request.token}`
      assert.strictEqual(leased?.kinds, 2)
    }).pipe(Effect.provide(onServer))
  )
})
