/** What a version makes of the signs of workers that are older than it. */
import { assert } from "@effect/vitest"
import { WorkerRegistry } from "@verbatim/core/ports"
import { leaseToken, withWorkspace } from "@verbatim/testkit/samples"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The sign of a worker that knows of no notices and no outages. */
export const readsOldSigns = withWorkspace(function* () {
  const sql = yield* SqlClient.SqlClient
  const running = { Fetch: 1, Transcribe: 2, Summarize: 3, Deliver: 4 }
  const id = leaseToken(1)
  const text = JSON.stringify(running)
  yield* sql`INSERT INTO verbatim_workers (id, name, running, started_at, seen_at)
    VALUES (${id}, 'old', ${text}, 1, 1)`
  const { workers } = yield* Effect.flatMap(WorkerRegistry, ({ survey }) => survey)
  assert.deepStrictEqual(
    workers.map((worker) => [worker.running, worker.outages]),
    [[{ ...running, Announce: 0, Notify: 0 }, []]]
  )
})
