/**
 * The days after a run: requests are repeated under their keys while these still stand, old jobs
 * go, unneeded media is collected, and the keys become free.
 */
import { Duration, Effect, Fiber } from "effect"
import * as Fleet from "../processes/Fleet.ts"
import * as Asking from "../workload/Asking.ts"
import type { Clients } from "../workload/Clients.ts"
import { send } from "../workload/Requests.ts"
import type { World } from "../world/World.ts"
import { collectAll } from "./Closing.ts"
import { startOthers } from "./OtherDatabases.ts"
import { type Weeks, weeks } from "./Weeks.ts"

/** A key stands for 24 hours; clocks are minutes off at most. */
const before = Duration.hours(23)

/** The media of a failed job stays for seven days. */
const between = Duration.days(7)
const after = Duration.hours(1)

/** How many requests are repeated. Each costs as much as a job. */
const repeatMax = 1

/** Plays these days, with a new process. */
export const dayAfter = Effect.fnUntraced(function* (world: World, given: Weeks) {
  const { clients, surroundings } = given
  const fleet = Fleet.make(world, ["http"], surroundings)
  const next: Clients = { ...clients, ask: Asking.make(world, () => fleet) }
  const keyed = [...clients.requests.values()].filter(({ job }) => job.key !== null)
  const [key] = clients.keys
  const old = yield* Effect.forkChild(weeks(world, { ...given, clients: next }))
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
