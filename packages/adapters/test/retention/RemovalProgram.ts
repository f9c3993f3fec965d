/**
 * The removal of old jobs in a process of its own, which is killed at a boundary: just before or
 * just after the n-th thing that it does to a store.
 */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { MediaRetention } from "@verbatim/core/job"
import { JobStore, MediaStore, RetentionStore } from "@verbatim/core/ports"
import { Expiries, MediaIdentity } from "@verbatim/core/services"
import { ExpiryCollection } from "@verbatim/core/worker"
import { Duration, Effect, Layer } from "effect"
import { storesAt } from "./OldStore.ts"

const [place, folder, killAt] = JSON.parse(process.argv[2] ?? "[]")

let boundaries = 0

const pass = Effect.sync(() => {
  boundaries += 1
  if (boundaries === killAt) process.kill(process.pid, "SIGKILL")
})

/** Two boundaries around a write. */
const around =
  <Args extends ReadonlyArray<unknown>, A, E>(write: (...args: Args) => Effect.Effect<A, E>) =>
  (...args: Args) =>
    Effect.andThen(pass, Effect.tap(write(...args), pass))

/** The end of a round is the end of the process. */
const end = Effect.sync(() => process.exit(0))

const fragile = Layer.mergeAll(
  Layer.effect(
    JobStore,
    Effect.map(JobStore, (store) => ({ ...store, commit: around(store.commit) }))
  ),
  Layer.effect(
    MediaStore,
    Effect.map(MediaStore, (store) => ({ ...store, remove: around(store.remove) }))
  ),
  Layer.effect(
    RetentionStore,
    Effect.map(RetentionStore, (store) => ({
      ...store,
      note: around(store.note),
      remove: around(store.remove),
      takeTurn: around(store.takeTurn),
      passTurn: (turn: Parameters<typeof store.passTurn>[0]) =>
        Effect.andThen(store.passTurn(turn), end)
    }))
  )
)

const program = ExpiryCollection.layer.pipe(
  Layer.provide(Expiries.layer),
  Layer.provide(MediaIdentity.layer),
  Layer.provide(Layer.provideMerge(fragile, storesAt(place, folder))),
  Layer.provide(NodeCrypto.layerSecureRandom),
  Layer.provide(Layer.succeed(MediaRetention, { isKept: true, failedFor: Duration.days(7) }))
)

await Effect.runPromise(Layer.launch(program))
