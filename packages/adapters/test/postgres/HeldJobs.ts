/**
 * Creates jobs that one worker holds, begins their first attempts, and waits for blocked
 * statements.
 */
import type { Job } from "@verbatim/core/job"
import { attemptStarted, claimJobs, insertJob, leaseToken } from "@verbatim/testkit/samples"
import { Effect, Schedule } from "effect"
import type { SqlClient } from "effect/sql"
import { atOnce } from "../sql/TwoClients.ts"

export const token = leaseToken(1)

/** The change that begins a job's first attempt. */
export const begun = { events: [attemptStarted()], token }

/** Inserts jobs, and claims all of them for one worker. */
export const holdJobs = Effect.fnUntraced(function* (jobs: ReadonlyArray<Job>) {
  yield* Effect.forEach(jobs, insertJob, atOnce)
  yield* claimJobs(token, { kinds: ["Transcribe"] })
})

/** Waits until the given number of statements wait for locks of this connection. */
export const untilWaiting = (sql: SqlClient.SqlClient, count: number) =>
  Effect.repeat(
    sql`SELECT pid FROM pg_locks
      WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`,
    { until: (rows) => rows.length === count, schedule: Schedule.spaced("10 millis") }
  )
