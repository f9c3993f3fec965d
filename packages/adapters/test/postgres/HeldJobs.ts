/** Creates jobs held by one worker, begins first attempts, and waits for blocked statements. */
import type { Job } from "@verbatim/core/job"
import { attemptStarted, claimJobs, insertJob, leaseToken } from "@verbatim/testkit/samples"
import { Effect, Schedule } from "effect"
import type { SqlClient } from "effect/sql"
import { atOnce } from "../sql/TwoClients.ts"

export const token = leaseToken(1)

/** The commit that begins a job's first attempt. */
export const begun = { events: [attemptStarted()], token }

/** Inserts jobs that wait for an engine, and claims these jobs for the worker. */
export const holdJobs = Effect.fnUntraced(function* (jobs: ReadonlyArray<Job>) {
  yield* Effect.forEach(jobs, insertJob, atOnce)
  yield* claimJobs(token, { kinds: ["Transcribe"] })
})

/** Waits until the given number of statements are waiting for this connection's locks. */
export const untilWaiting = (sql: SqlClient.SqlClient, count: number) =>
  Effect.repeat(
    sql`SELECT pid FROM pg_locks
      WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`,
    { until: (rows) => rows.length === count, schedule: Schedule.spaced("10 millis") }
  )
