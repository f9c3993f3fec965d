/**
 * The removal of old jobs in a process of its own, which is killed at a point: just before or just
 * after the n-th file that it removes, its n-th commit, or the n-th time that it removes rows.
 */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { MediaRetention } from "@verbatim/core/job"
import { JobStore, MediaStore, RetentionStore } from "@verbatim/core/ports"
import { Expiries, MediaIdentity } from "@verbatim/core/services"
import { ExpiryCollection } from "@verbatim/core/worker"
import { Duration, Effect, Layer } from "effect"
import { storesAt } from "./OldStore.ts"

const [place, folder, kill] = JSON.parse(process.argv[2] ?? "[]")

/** How often each of these points was passed. */
const passed = new Map<string, number>()

const pass = (point: string) =>
  Effect.sync(() => {
    const count = (passed.get(point) ?? 0) + 1
    passed.set(point, count)
    if (point === kill?.point && count === kill.nth) process.kill(process.pid, "SIGKILL")
  })

/** A point before a write, and one after it. */
const around =
  <Args extends ReadonlyArray<unknown>, A, E>(
    what: string,
    write: (...args: Args) => Effect.Effect<A, E>
  ) =>
  (...args: Args) =>
    Effect.andThen(pass(`before ${what}`), Effect.tap(write(...args), pass(`after ${what}`)))

/** The end of a round is the end of the process. */
const end = Effect.sync(() => process.exit(0))

const fragile = Layer.mergeAll(
  Layer.effect(
    JobStore,
    Effect.map(JobStore, (store) => ({ ...store, commit: around("commit", store.commit) }))
  ),
  Layer.effect(
    MediaStore,
    Effect.map(MediaStore, (store) => ({ ...store, remove: around("file", store.remove) }))
  ),
  Layer.effect(
    RetentionStore,
    Effect.map(RetentionStore, (store) => ({
      ...store,
      remove: around("rows", store.remove),
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
  Layer.provide(Layer.succeed(ExpiryCollection.SteadyTime, Duration.zero)),
  Layer.provide(Layer.succeed(MediaRetention, { isKept: true, failedFor: Duration.days(7) }))
)

await Effect.runPromise(Layer.launch(program))
