/** The order of the feed on a server, where transactions that began early commit late. */
import { assert, describe, it } from "@effect/vitest"
import { layer, PostgresClient } from "@verbatim/adapters/postgres"
import { layer as stores } from "@verbatim/adapters/sql"
import { placeBefore } from "@verbatim/core/job"
import { JobStore } from "@verbatim/core/ports"
import {
  attemptStarted,
  commitJob,
  foundFirst,
  insertJob,
  makeUploadJob,
  transcriptProduced,
  workspaceId
} from "@verbatim/testkit/samples"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { newSchema } from "./TemporarySchema.ts"

const look = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { changes } = yield* JobStore
  const [feed] = yield* sql<{ readonly mark: string }>`SELECT mark FROM verbatim_job_feed`
  const after = Option.some(placeBefore(feed?.mark ?? "", 1))
  const query = { workspaceIds: [workspaceId(1)], after, limit: 100, withProgress: false }
  const found = yield* changes({ jobs: [], feed: Option.some(query) })
  return (yield* Effect.fromOption(found.feed)).entries.map(({ place }) => place.revision)
})

/** A transaction that somebody else leaves open on the same server may hold commits back. */
const lookFor = Effect.fnUntraced(function* (count: number) {
  let revisions = yield* look
  for (let looks = 0; looks < 50_000 && revisions.length < count; looks += 1) {
    yield* Effect.yieldNow
    revisions = yield* look
  }
  return revisions
})

describe("the feed of a server", () => {
  it.live("tells the commits of a job in their order, however long a host's transaction is", () =>
    Effect.gen(function* () {
      const config = yield* newSchema
      const worker = yield* Layer.build(Layer.fresh(layer(config)))
      const client = PostgresClient.layer({ ...config, connectionsMax: 2 })
      const host = yield* Layer.build(Layer.fresh(Layer.provideMerge(stores(), client)))
      const steps = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const job = yield* insertJob(makeUploadJob(1))
        yield* sql.withTransaction(
          Effect.gen(function* () {
            // From here on the transaction has its number.
            yield* sql`UPDATE verbatim_workspaces SET name = 'of the host'
              WHERE id = ${workspaceId(1)}`
            const began = commitJob(job, { events: [attemptStarted()] })
            const begun = yield* Effect.provide(began, worker)
            yield* commitJob(begun, { events: [transcriptProduced()] })
          })
        )
        assert.deepStrictEqual(yield* lookFor(3), [1, 2, 3])
      })
      yield* Effect.provide(Effect.andThen(foundFirst, steps), host)
    })
  )
})
