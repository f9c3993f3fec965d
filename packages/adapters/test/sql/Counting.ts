/** Collects the metrics of a database in a separate registry, while tests use the database. */
import { JobStore, type Stores, WorkspaceStore } from "@verbatim/core/ports"
import { countedSeries, withRegistry } from "@verbatim/testkit/fakes"
import { findPreset, workspaceId } from "@verbatim/testkit/samples"
import { Effect, type Layer } from "effect"
import { everything } from "./StatementLife.ts"

/** Sends the kinds of batched requests that the other operations do not send. */
const questions = Effect.gen(function* () {
  const jobs = yield* JobStore
  const workspaces = yield* WorkspaceStore
  yield* jobs.now
  yield* findPreset()
  yield* workspaces.webhookSecrets(workspaceId(1))
})

/** Returns the metrics that have changed, as `name label-value`. */
export const movedSeries = <E>(stores: Layer.Layer<Stores, E>) =>
  withRegistry(
    Effect.gen(function* () {
      yield* Effect.provide(Effect.andThen(everything, questions), stores)
      const all = yield* countedSeries
      return all
        .filter(({ name, value }) => name.startsWith("verbatim_sql_") && value > 0)
        .map(({ labels, name }) => `${name} ${Object.values(labels).join()}`)
        .sort()
    })
  )

/** Lists all metrics of a database. */
export const expectedSeries = (database: string, batches: ReadonlyArray<string>) =>
  [
    `verbatim_sql_session_wait_seconds ${database}`,
    `verbatim_sql_statements_total ${database}`,
    ...batches.map((batch) => `verbatim_sql_batch_size ${batch}`)
  ].sort()
