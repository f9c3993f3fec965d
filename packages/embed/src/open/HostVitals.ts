/** How an embedded Verbatim is doing, for `/health` below its prefix. */
import { Transcriber, WorkspaceStore } from "@verbatim/core/ports"
import { MediaIdentity } from "@verbatim/core/services"
import { Worker } from "@verbatim/core/worker"
import { WorkspaceId } from "@verbatim/core/workspace"
import { Health } from "@verbatim/http"
import { Duration, Effect, Layer, Option } from "effect"

/** A store that takes longer to answer counts as down. */
const storeTimeout = Duration.seconds(2)

/** A workspace that does not exist: the cheapest question that reaches the tables. */
const nobody = WorkspaceId.make("00000000-0000-0000-0000-000000000000")

const ask = <A, B>(part: Option.Option<A>, question: (part: A) => Effect.Effect<B>) =>
  Option.match(part, {
    onNone: () => Effect.succeedNone,
    onSome: (present) => Effect.asSome(question(present))
  })

/** Reports the store and the media, and the engine and the worker where there are any. */
export const layer: Layer.Layer<Health, never, MediaIdentity | WorkspaceStore> = Layer.effect(
  Health,
  Effect.gen(function* () {
    const store = yield* WorkspaceStore
    const identity = yield* MediaIdentity
    const transcriber = yield* Effect.serviceOption(Transcriber)
    const worker = yield* Effect.serviceOption(Worker)
    return Health.of({
      report: Effect.all(
        {
          isStoreUp: store
            .account(nobody)
            .pipe(
              Effect.timeout(storeTimeout),
              Effect.match({ onSuccess: () => true, onFailure: () => false })
            ),
          media: identity.verify,
          readiness: ask(transcriber, ({ readiness }) => readiness),
          activity: ask(worker, ({ activity }) => activity)
        },
        { concurrency: "unbounded" }
      )
    })
  })
)
