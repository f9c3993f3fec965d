/** Lines of a ledger that other processes write concurrently. */
import { assert, describe, it } from "@effect/vitest"
import { layer } from "@verbatim/adapters/postgres"
import { WorkspaceStore } from "@verbatim/core/ports"
import { credit, instant, withWorkspace, workspaceId } from "@verbatim/testkit/samples"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { newSchema, oneClient } from "./TemporarySchema.ts"

/** The stores in a new schema, and another session. */
const onServer = Layer.unwrap(
  Effect.map(newSchema, (config) => Layer.merge(layer(config), oneClient(config)))
)

/** Books without the store, and lets others do something before it is written. */
const bookAround = <A, E, R>(millis: number, meanwhile: Effect.Effect<A, E, R>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.withTransaction(
      Effect.andThen(
        sql`INSERT INTO verbatim_ledger (workspace_id, credit_id, millis, at)
          VALUES (${workspaceId(1)}, ${`late ${millis}`}, ${millis},
            ${DateTime.toEpochMillis(instant)})`,
        meanwhile
      )
    )
  )

const page = (before: number | null, limit: number) =>
  Effect.flatMap(WorkspaceStore, (store) =>
    store.ledger({ workspaceId: workspaceId(1), before, limit })
  )

describe("A line that is written after one with a higher place", () => {
  it.live("is on a later page once, or there when the ledger is read anew", () =>
    withWorkspace(function* () {
      const store = yield* WorkspaceStore
      const first = yield* bookAround(1, Effect.andThen(store.credit(credit(2, 2)), page(null, 1)))
      assert.deepStrictEqual(
        first.map(({ millis }) => millis),
        [2]
      )
      const amounts = (before: number | null, limit: number) =>
        Effect.map(page(before, limit), (lines) => lines.map(({ millis }) => millis))
      const [last] = first
      assert.deepStrictEqual(yield* amounts(last?.place ?? null, 2), [1, 36_000_000])
      const second = yield* bookAround(3, Effect.andThen(store.credit(credit(4, 4)), page(null, 2)))
      assert.deepStrictEqual(
        second.map(({ millis }) => millis),
        [4, 2]
      )
      // It lies between two lines of a page that was read already.
      assert.deepStrictEqual(yield* amounts(second.at(-1)?.place ?? null, 9), [1, 36_000_000])
      assert.deepStrictEqual(yield* amounts(null, 9), [4, 3, 2, 1, 36_000_000])
    }).pipe(Effect.provide(onServer))
  )
})
