/** Runs work and the removal of old jobs, for several tests. */
import { Effect, Exit, Layer, Scope } from "effect"
import type { Principal } from "#src/domain/workspace/ApiKey"
import type { WorkspaceChange } from "#src/domain/workspace/WorkspaceChange"
import type { JobStore } from "#src/ports/JobStore"
import { Expiries } from "#src/services/retention/Expiries"
import { Workspaces } from "#src/services/workspaces/Workspaces"
import * as ExpiryCollection from "#src/worker/ExpiryCollection"
import { pass } from "../../world/caller.ts"
import { worker } from "../../world/world.ts"

/**
 * Runs a worker until all pending work is done, and stops it: without a worker, the test clock
 * skips days faster.
 */
export const work = Effect.gen(function* () {
  const scope = yield* Scope.make()
  yield* Layer.buildWithScope(Layer.fresh(worker), scope)
  yield* pass(4)
  yield* Scope.close(scope, Exit.void)
})

export const retain = ({ workspaceId }: Principal, change: WorkspaceChange) =>
  Effect.flatMap(Workspaces, (workspaces) => workspaces.change(workspaceId, change))

const collection = ExpiryCollection.layer.pipe(Layer.provide(Layer.fresh(Expiries.layer)))

/** Removes old jobs until the scope is closed. */
export const collecting = Layer.build(collection)

/** Removes old jobs through another job store until the scope is closed. */
export const collectingOver = (store: Layer.Layer<JobStore, never, JobStore>) =>
  Layer.fresh(Layer.provide(collection, store))
