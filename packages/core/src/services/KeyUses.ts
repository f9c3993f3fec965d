/**
 * When keys were last used, told to the store now and then and in the background: no request waits
 * for it, and none fails with it.
 */
import { Clock, Context, DateTime, Duration, Effect, FiberSet, Layer, Semaphore } from "effect"
import { type ApiKeyId, usePrecision } from "../domain/workspace/ApiKey.ts"
import { OperatorKeyStore } from "../ports/OperatorKeyStore.ts"
import { WorkspaceStore } from "../ports/WorkspaceStore.ts"

/** Keys remembered as told. With more of them some are told again before the time has passed. */
const rememberedMax = 100_000

/** Uses told at the same time: a server that was just started has many to tell. */
const atOnceMax = 2

export class KeyUses extends Context.Service<
  KeyUses,
  {
    /** Notes that a key of a workspace is used now. */
    readonly note: (id: ApiKeyId) => Effect.Effect<void>
    /** Notes that an operator key is used now. */
    readonly noteOperator: (id: ApiKeyId) => Effect.Effect<void>
  }
>()("@verbatim/core/services/KeyUses") {
  static readonly layer: Layer.Layer<KeyUses, never, OperatorKeyStore | WorkspaceStore> =
    Layer.effect(
      KeyUses,
      Effect.gen(function* () {
        const workspaces = yield* WorkspaceStore
        const operators = yield* OperatorKeyStore
        const run = yield* FiberSet.makeRuntime<never>()
        const places = yield* Semaphore.make(atOnceMax)
        const precisionMillis = Duration.toMillis(usePrecision)
        const told = new Map<ApiKeyId, number>()

        const tell = (store: Store, id: ApiKeyId, millis: number) =>
          store.noteUse(id, DateTime.makeUnsafe(millis)).pipe(
            // The next use tells it again.
            Effect.catch(() => Effect.sync(() => told.delete(id))),
            places.withPermit
          )

        const noteIn = (store: Store) => (id: ApiKeyId) =>
          Effect.withFiber((fiber) => {
            const millis = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
            const last = told.get(id)
            if (last !== undefined && millis - last < precisionMillis) return Effect.void
            if (told.size >= rememberedMax) told.clear()
            told.set(id, millis)
            run(tell(store, id, millis))
            return Effect.void
          })

        return KeyUses.of({ note: noteIn(workspaces), noteOperator: noteIn(operators) })
      })
    )
}

type Store = Pick<WorkspaceStore["Service"], "noteUse">
