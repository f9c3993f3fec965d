/**
 * Tests claims from a crowded queue. Such a claim takes two statements, and other transactions can
 * commit in between.
 */
import { assert, describe, it } from "@effect/vitest"
import { JobStore } from "@verbatim/core/ports"
import * as Transcription from "@verbatim/core/transcription"
import {
  commitOf,
  foundFirst,
  insertJob,
  instant,
  leaseToken,
  makePendingJob,
  makeUploadJob,
  media,
  onTranscription,
  upTo
} from "@verbatim/testkit/samples"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { makeClaim } from "#src/postgres/statements/ClaimStatement"
import { onServer } from "./TemporarySchema.ts"

/** More rows than a claim reads at once, so that it visits the workspaces one by one. */
const long = 140

type Sent = Effect.Effect<unknown, unknown>

/** Wraps a client so that a test can change the statements of a claim. */
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

describe("a claim on Postgres that visits the workspaces one by one", () => {
  it.live("hands out a job only once, even if its work changes between the statements", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const jobs = yield* JobStore
      yield* foundFirst
      const job = makePendingJob(1, { kind: "Fetch", dueAt: instant })
      yield* insertJob(job)
      yield* Effect.forEach(upTo(long), (number) => insertJob(makeUploadJob(10 + number)))
      const fetched = Transcription.Event.cases.MediaStored.make({ media: media(1), at: instant })
      const stored = jobs.commit(commitOf(job, { events: [onTranscription(fetched)] }))
      const between = withStatements(sql, (sent, number) =>
        number === 1 ? Effect.tap(sent, Effect.orDie(stored)) : sent
      )
      const { rows } = yield* makeClaim(between)(request)
      const ids = rows.map(({ job_id }) => job_id)
      assert.include(ids, job.id)
      assert.strictEqual(new Set(ids).size, ids.length)
    }).pipe(Effect.provide(onServer))
  )

  it.live("fails if it loses the response to the second statement", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* foundFirst
      yield* insertJob(makePendingJob(1, { kind: "Fetch", dueAt: instant }))
      yield* Effect.forEach(upTo(long), (number) => insertJob(makeUploadJob(10 + number)))
      const failing = withStatements(sql, (sent, number) =>
        number === 1 ? sent : Effect.andThen(sent, sql`SELECT 1 / 0`)
      )
      const claimed = yield* Effect.exit(makeClaim(failing)(request))
      assert.strictEqual(claimed._tag, "Failure")
      const [leased] = yield* sql<{ readonly kinds: number }>`
        SELECT count(DISTINCT kind)::int AS kinds FROM verbatim_work WHERE token = ${request.token}`
      assert.strictEqual(leased?.kinds, 2)
    }).pipe(Effect.provide(onServer))
  )
})
