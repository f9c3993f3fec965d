/**
 * Databases that have no business with the media of a run, and are started over it: an empty one,
 * and a copy that knows none of its jobs. Both look for media to collect.
 */
import * as Memory from "@verbatim/adapters/memory"
import { JobStore } from "@verbatim/core/ports"
import { Clock, Context, DateTime, Effect, Layer } from "effect"
import type { FaultName } from "../faults/FaultCatalogue.ts"
import { otherDatabase } from "../record/Facts.ts"
import type { World } from "../world/World.ts"
import { type Collected, collect } from "./Closing.ts"

/** Starts one, which is older than every job: its age alone must not be what holds it back. */
const start = Effect.fnUntraced(function* (
  world: World,
  { marker, ...given }: Collected & { readonly marker: string | undefined }
) {
  const layer = Layer.provideMerge(Memory.stores, Memory.MemoryDatabase.layer)
  const stores = yield* Layer.build(Layer.fresh(layer))
  Object.assign(Context.get(stores, Memory.MemoryDatabase).media, {
    createdAt: DateTime.makeUnsafe(0),
    marker,
    isCopied: marker !== undefined
  })
  yield* collect(world, { ...given, stores, name: otherDatabase })
}, Effect.scoped)

/** Starts those that a seed wants. */
export const startOthers = Effect.fnUntraced(function* (world: World, given: Collected) {
  const strikes = (name: FaultName) => world.faults.strikes(name, otherDatabase)
  if (strikes("an empty database has the media"))
    yield* start(world, { ...given, marker: undefined })
  if (!strikes("a copied database has the media")) return
  const { mediaMark } = Context.get(given.stores, JobStore)
  const mark = yield* Effect.provideService(mediaMark, Clock.Clock, world.storeClock)
  const marker = mark.marker._tag === "Some" ? mark.marker.value : undefined
  if (marker !== undefined) yield* start(world, { ...given, marker })
})
