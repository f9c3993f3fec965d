/** Tests several pools on one database, in one process and in several. */
import { assert, describe, it } from "@effect/vitest"
import { layer } from "@verbatim/adapters/postgres"
import { JobStore, PresetStore } from "@verbatim/core/ports"
import {
  attemptStarted,
  claimIds,
  claimJobs,
  commitJob,
  creation,
  jobId,
  leaseToken,
  makeDraft,
  makeUploadJob,
  upTo,
  withWorkspace
} from "@verbatim/testkit/samples"
import { Duration, Effect, Fiber, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { staysLinear } from "../concurrency/LinearityCheck.ts"
import { onPostgres } from "../concurrency/Members.ts"
import { testTwo } from "../sql/TwoClients.ts"
import { newSchema, oneClient, onServer, twoPools } from "./TemporarySchema.ts"

const insert = (number: number) =>
  Effect.flatMap(JobStore, (jobs) => jobs.insert(creation(makeUploadJob(number))))

describe("a Postgres database", () => {
  testTwo("pools", twoPools)

  it.live("lets a worker claim while another commits work", () =>
    Effect.gen(function* () {
      yield* Effect.forEach(upTo(2), insert)
      const sql = yield* SqlClient.SqlClient
      const ids = yield* sql.withTransaction(
        Effect.andThen(
          sql`SELECT 1 FROM verbatim_jobs WHERE id = ${jobId(1)} FOR UPDATE`,
          claimIds(leaseToken(1))
        )
      )
      assert.deepStrictEqual(ids, [jobId(2)])
      assert.deepStrictEqual(yield* claimIds(leaseToken(2)), [jobId(1)])
    }).pipe(Effect.provide(onServer))
  )

  it.live("hands out a job in its new state if a commit happens during the claim", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* insert(1)
      // Each claim first reads the clock. In this test, that read waits for an advisory lock.
      yield* sql`CREATE OR REPLACE FUNCTION clock_timestamp() RETURNS timestamptz LANGUAGE sql
        AS 'SELECT pg_advisory_xact_lock_shared(7);
          SELECT to_timestamp(millis / 1000.0) FROM clock'`
      yield* sql`SELECT pg_advisory_lock(7)`
      const claim = yield* Effect.forkChild(claimJobs(leaseToken(1)))
      yield* sql`SELECT 1 / count(*) FROM pg_locks WHERE objid = 7 AND NOT granted`.pipe(
        Effect.retry(Schedule.spaced("10 millis"))
      )
      const next = yield* commitJob(makeUploadJob(1), { events: [attemptStarted()] })
      yield* sql`SELECT pg_advisory_unlock(7)`
      assert.deepStrictEqual(yield* Fiber.join(claim), [next])
    }).pipe(Effect.provide(onServer))
  )

  it.live("refuses a new version as contended if the preset stays locked too long", () =>
    Effect.gen(function* () {
      const config = yield* newSchema
      const hurried = layer({ ...config, statementTimeout: Duration.millis(500) })
      yield* withWorkspace(function* () {
        const presets = yield* PresetStore
        yield* presets.append(makeDraft(1))
        const sql = yield* SqlClient.SqlClient
        const { reason } = yield* sql.withTransaction(
          Effect.andThen(
            sql`SELECT 1 FROM verbatim_presets FOR UPDATE`,
            Effect.flip(presets.append(makeDraft(2)))
          )
        )
        assert.strictEqual(reason._tag, "Contended")
        const { version } = yield* presets.append(makeDraft(3))
        assert.strictEqual(version.version, 2)
      }).pipe(Effect.provide(Layer.merge(hurried, oneClient(config))))
    })
  )
})

staysLinear(onPostgres)
