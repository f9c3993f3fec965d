/**
 * Claims of one process, with what it remembers from one to the next, and changes of its leases.
 */
import { WorkKind } from "@verbatim/core/attempt"
import { Effect, type Scope } from "effect"
import type { SqlClient } from "effect/sql"
import { type Turns, wantedKinds } from "../../sql/work/Claim.ts"
import type { FoundLease, Searches, WorkStatements } from "../../sql/work/WorkStatements.ts"
import * as ClaimStatement from "./ClaimStatement.ts"
import * as OldestWork from "./OldestWork.ts"

/** Looks beside its claims, as long as the scope. */
export const makeSearches = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient
): Effect.fn.Return<Searches, never, Scope.Scope> {
  const turns: Turns = new Map()
  const { bounds, look } = yield* OldestWork.make(sql)
  const memory = { turns, bounds, isCrowded: false }
  return {
    claim: (request) =>
      Effect.andThen(
        look(wantedKinds(request).map(([kind]) => kind)),
        ClaimStatement.claim(sql, request, memory)
      ),
    bounds: Effect.as(look(WorkKind.literals), bounds)
  }
})

/**
 * Changes the held leases that nobody has locked; returns these, and the locked ones. It is one
 * statement, which waits for no lock: a locked row would otherwise cost all of them.
 */
export const changeLeases: WorkStatements["changeLeases"] = (sql, leases, changes) =>
  sql<FoundLease>`
    WITH lease AS MATERIALIZED (
      SELECT "jobId" AS job_id, token, progress
      FROM jsonb_to_recordset(${JSON.stringify(leases)}::jsonb)
        AS lease ("jobId" TEXT, token TEXT, progress BIGINT)),
    held AS MATERIALIZED (
      SELECT lease.* FROM lease CROSS JOIN LATERAL (
        SELECT FROM verbatim_work WHERE verbatim_work.job_id = lease.job_id
          AND verbatim_work.token = lease.token
        FOR UPDATE SKIP LOCKED) AS locked),
    changed AS (
      UPDATE verbatim_work SET ${changes} FROM held
      WHERE verbatim_work.job_id = held.job_id AND verbatim_work.token = held.token
        AND verbatim_work.job_id = ANY (ARRAY(SELECT job_id FROM held))
      RETURNING verbatim_work.job_id)
    SELECT job_id, TRUE AS is_changed FROM changed
    UNION ALL
    SELECT lease.job_id, FALSE FROM lease CROSS JOIN LATERAL (
      SELECT FROM verbatim_work WHERE verbatim_work.job_id = lease.job_id
        AND verbatim_work.token = lease.token) AS seen
    WHERE lease.job_id NOT IN (SELECT job_id FROM held)`
