/** Runs the concurrency check on Postgres, and tests that its faults really lock rows. */
import { assert, it } from "@effect/vitest"
import { layer } from "@verbatim/adapters/postgres"
import { type Row, Troubles } from "@verbatim/testkit/concurrency"
import {
  insertJob,
  jobId,
  makeTwoVersions,
  makeUploadJob,
  withWorkspace
} from "@verbatim/testkit/samples"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { staysLinear } from "../concurrency/LinearityCheck.ts"
import { onPostgres } from "../concurrency/Members.ts"
import { postgresFaults } from "../concurrency/PostgresFaults.ts"
import { newSchema, oneClient } from "./TemporarySchema.ts"

staysLinear(onPostgres)

/** A new schema with the check's faults, and another session. */
const withFaults = Layer.unwrap(
  Effect.map(newSchema, ({ schema, url }) => {
    const proxy = { calm: () => undefined, storm: () => undefined }
    const faults = postgresFaults({ url: Redacted.value(url), schema, proxy })
    return Layer.merge(oneClient({ url, schema }), faults).pipe(
      Layer.provideMerge(layer({ url, schema }))
    )
  })
)

const rows = {
  job: { id: jobId(1), table: "verbatim_jobs" },
  work: { id: jobId(1), table: "verbatim_work" },
  preset: { id: "support", table: "verbatim_presets" }
} as const

it.live("locks the rows of jobs, work and presets against all other sessions", () =>
  withWorkspace(function* () {
    const sql = yield* SqlClient.SqlClient
    const { hold } = yield* Troubles
    yield* insertJob(makeUploadJob(1))
    yield* makeTwoVersions
    for (const [of, { id, table }] of Object.entries(rows)) {
      const free = sql`SELECT 1 FROM ${sql(table)} FOR UPDATE SKIP LOCKED`
      assert.lengthOf(yield* free, 1, of)
      assert.lengthOf(yield* hold({ of: of as Row["of"], id }, free), 0, of)
    }
  }).pipe(Effect.provide(withFaults))
)
