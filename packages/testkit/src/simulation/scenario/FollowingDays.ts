/**
 * Simulates the days after a run. Requests are retried while their keys are valid, old jobs are
 * deleted, unneeded media is collected, and keys expire.
 */

import * as Memory from "@verbatim/adapters/memory"
import { JobStore } from "@verbatim/core/ports"
import { Clock, Context, DateTime, Duration, Effect, Fiber, Layer } from "effect"
import type { FaultName } from "../faults/Faults.ts"
import * as Fleet from "../processes/Fleet.ts"
import { otherDatabase } from "../record/Facts.ts"
import * as ClientCall from "../workload/ClientCall.ts"
import type { Clients } from "../workload/Clients.ts"
import { send } from "../workload/Requests.ts"
import type { World } from "../world/World.ts"
import { type Collected, collect, collectAll } from "./FinalState.ts"
import { type RetentionWeeks, runRetentionWeeks } from "./RetentionWeeks.ts"

/**
 * Time after which requests are retried: keys are valid for 24 hours, and clocks are off by minutes
 * at most.
 */
const before = Duration.hours(23)

/** A failed job's media is kept for seven days. */
const between = Duration.days(7)
const after = Duration.hours(1)

/** Number of requests that are retried. Each retry costs as much as a job. */
const repeatMax = 1

/** Simulates the days after a run, with a new process. */
export const runFollowingDays = Effect.fnUntraced(function* (world: World, given: RetentionWeeks) {
  const { clients, surroundings } = given
  const fleet = Fleet.make(world, ["http"], surroundings)
  const next: Clients = { ...clients, call: ClientCall.make(world, () => fleet) }
  const keyed = [...clients.requests.values()].filter(({ job }) => job.key !== null)
  const [key] = clients.keys
  const old = yield* Effect.forkChild(runRetentionWeeks(world, { ...given, clients: next }))
  const again = Effect.fnUntraced(function* (isOther: boolean) {
    for (const request of keyed.slice(0, repeatMax)) {
      if (key !== undefined) yield* send(next, request, { key, isOther })
    }
  })
  for (const slot of fleet.slots) fleet.start(slot)
  yield* Effect.sleep(before)
  yield* again(false)
  yield* again(true)
  const { isMediaKept: isKept } = given.retention
  yield* Effect.sleep(after)
  yield* Effect.sleep(after)
  yield* startOthers(world, { ...surroundings, isKept })
  yield* Effect.sleep(between)
  yield* Fiber.join(old)
  yield* collectAll(world, { ...surroundings, isKept })
  yield* Effect.sleep(after)
  yield* again(false)
  fleet.retire()
})

/**
 * Starts a process with another database, which must not collect the media. The database is older
 * than every job, so its age alone does not prevent a collection.
 */
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

/** Starts processes with other databases if the seed has this fault. */
const startOthers = Effect.fnUntraced(function* (world: World, given: Collected) {
  const strikes = (name: FaultName) => world.faults.strikes(name, otherDatabase)
  if (strikes("an empty database has the media"))
    yield* start(world, { ...given, marker: undefined })
  if (!strikes("a copied database has the media")) return
  const { databaseIdentity } = Context.get(given.stores, JobStore)
  const mark = yield* Effect.provideService(databaseIdentity, Clock.Clock, world.storeClock)
  const marker = mark.marker._tag === "Some" ? mark.marker.value : undefined
  if (marker !== undefined) yield* start(world, { ...given, marker })
})
