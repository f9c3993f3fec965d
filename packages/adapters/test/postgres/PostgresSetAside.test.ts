/** Corrections that are set aside, on a server. */
import { assert, describe, it } from "@effect/vitest"
import { JobStore } from "@verbatim/core/ports"
import { withWorkspace, workspaceId } from "@verbatim/testkit/samples"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import {
  insertCorrected,
  readsWholeBesideRemovals,
  sweepOnce,
  sweepsBesideRemovals,
  sweepsExpired,
  sweepsExpiredAndRemoved,
  sweepsRemoved,
  sweepsTogether
} from "../sql/SetAsideCases.ts"
import { statementsOf } from "../sql/StatementLife.ts"
import { onServer } from "./TemporarySchema.ts"

/** Sweeps a job with so many corrections that Postgres would rather read all than look some up. */
const readsWhatItDeletes = withWorkspace(function* () {
  const sql = yield* SqlClient.SqlClient
  const jobs = yield* JobStore
  const { id } = yield* insertCorrected(1)
  yield* sql`INSERT INTO verbatim_correction_changes (job_id, version, segment)
    SELECT job_id, version, number FROM verbatim_correction_versions, generate_series(2000, 20000)
      AS number
    WHERE job_id = ${id}`
  yield* sql`ANALYZE`
  yield* jobs.remove(workspaceId(1), id)
  const statements = yield* statementsOf(sweepOnce)
  const deletions = statements.filter(([text]) => text.startsWith("DELETE"))
  assert.isAbove(deletions.length, 0)
  for (const [text, params] of deletions) {
    const plan = yield* sql.unsafe<Record<string, string>>(`EXPLAIN ${text}`, params)
    const lines = plan.map((row) => row["QUERY PLAN"] ?? "")
    assert.deepStrictEqual(
      lines.filter((line) => line.includes("Seq Scan")),
      [],
      `${text}\n${lines.join("\n")}`
    )
  }
})

describe("corrections that are many, on Postgres", () => {
  it.live("go with a job that is removed, some at a time", () =>
    Effect.provide(sweepsRemoved, onServer)
  )

  it.live("go with old jobs, and with transcripts that expire", () =>
    Effect.provide(sweepsExpired, onServer)
  )

  it.live("go with a job whose transcript had expired before", () =>
    Effect.provide(sweepsExpiredAndRemoved, onServer)
  )

  it.live("are swept beside removals", () => Effect.provide(sweepsBesideRemovals, onServer))

  it.live("are read as far as a step deletes them, however many are left", () =>
    Effect.provide(readsWhatItDeletes, onServer)
  )

  it.live("are told whole to whoever reads while they go, or not at all", () =>
    Effect.provide(readsWholeBesideRemovals, onServer)
  )

  it.live("are swept by two at once", () => Effect.provide(sweepsTogether, onServer))
})
