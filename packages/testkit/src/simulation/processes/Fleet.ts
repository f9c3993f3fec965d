/**
 * The processes in a run. They start, crash, pause, stop and start again. They share only the
 * stores and the outside world.
 */

import {
  JobListener,
  MediaFetcher,
  MediaStore,
  type Stores,
  WebhookSender
} from "@verbatim/core/ports"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import type { Actor } from "../clock/Timeline.ts"
import * as Engines from "../ports/Engines.ts"
import * as Listeners from "../ports/Listeners.ts"
import * as Media from "../ports/Media.ts"
import * as Receivers from "../ports/Receivers.ts"
import * as Network from "../ports/Stores.ts"
import * as Lifetime from "../world/Lifetime.ts"
import { freeze } from "../world/Lifetime.ts"
import type { Role } from "../world/Plan.ts"
import type { World } from "../world/World.ts"
import { compose, type Front, type Policies, type Ports } from "./Composition.ts"

/** A slot that runs one process after another. */
interface Slot {
  readonly name: string
  readonly role: Role
  startCount: number
  lifetime: Lifetime.Lifetime | null
  /** The services that the process offers callers once it has started. */
  front: Context.Context<Front> | null
  scope: Scope.Closeable | null
}

/** State shared by the processes in a run. */
export interface Surroundings {
  readonly stores: Context.Context<Stores>
  readonly files: Media.Files
  readonly hosted: Media.Hosted
  readonly policies: Policies
  readonly onReceipt: Receivers.OnReceipt
  /** Whether only the first worker has a listener. */
  readonly isFirstListenerOnly: boolean
}

/** The processes in a run, and ways to control them. */
export interface Fleet {
  readonly slots: ReadonlyArray<Slot>
  readonly start: (slot: Slot) => void
  /** Stops a process as a deployment does, and kills it if this takes too long. */
  readonly stop: (slot: Slot) => void
  /** Ends all processes permanently. */
  readonly retire: () => void
  /** Resumes paused processes, and immediately restarts dead ones. */
  readonly heal: () => void
}

/** Time that a process has to stop before it is killed. */
const stopMillis = 15_000

const restartMaxMillis = 20_000

const makeSlot = (role: Role, index: number): Slot => ({
  name: `${role}-${index + 1}`,
  role,
  startCount: 0,
  lifetime: null,
  front: null,
  scope: null
})

/** Creates the simulated ports of one process. */
const portsOf = (
  world: World,
  { files, hosted, onReceipt, stores }: Surroundings,
  lifetime: Lifetime.Lifetime
): Context.Context<Ports> =>
  Context.mergeAll(
    lifetime.context,
    Network.reach(world, { lifetime, stores }),
    Engines.make(world, lifetime),
    Context.make(MediaStore, Media.store(world, { files, lifetime })),
    Context.make(MediaFetcher, Media.hosts(world, { hosted, lifetime })),
    Context.make(WebhookSender, Receivers.make(world, { lifetime, onReceipt })),
    lifetime.listens ? Context.make(JobListener, Listeners.make(world, lifetime)) : Context.empty()
  )

interface Started {
  readonly slot: Slot
  readonly lifetime: Lifetime.Lifetime
  readonly scope: Scope.Closeable
}

/** Builds a process's services. They accept calls unless the process only runs a worker. */
const build = (world: World, surroundings: Surroundings, { lifetime, scope, slot }: Started) => {
  const { policies } = surroundings
  const { name } = lifetime.actor
  const ports = Layer.succeedContext(portsOf(world, surroundings, lifetime))
  const layer = compose({ name, role: slot.role }, policies).pipe(
    Layer.provide(Layer.provideMerge(policies.stores ?? Layer.empty, ports))
  )
  world.timeline.enqueue(lifetime.actor, () => {
    const fiber = Effect.runForkWith(lifetime.context)(Layer.buildWithScope(layer, scope))
    fiber.addObserver((exit) => {
      if (!Exit.isSuccess(exit))
        world.facts.push({ _tag: "Defect", by: name, what: String(exit.cause) })
      else if (slot.role === "http" || slot.role === "both") slot.front = exit.value
    })
  })
}

/** Stops the process in a slot, and kills it if this takes too long. */
const stop = ({ outside, timeline, trace }: World, slot: Slot) => {
  const { lifetime, scope } = slot
  if (lifetime === null || scope === null) return
  slot.front = null
  trace.add(lifetime.actor.name, "is asked to stop")
  timeline.enqueue(lifetime.actor, () => {
    lifetime.drainsSince = timeline.now()
    const closing = Effect.runForkWith(lifetime.context)(Scope.close(scope, Exit.void))
    closing.addObserver(() => lifetime.crash("it has stopped"))
  })
  timeline.after(outside, stopMillis, () => lifetime.crash("it took too long to stop"))
}

/** Resumes a paused process. */
const wake = ({ timeline }: World, lifetime: Lifetime.Lifetime) => {
  if (lifetime.actor.status !== "Paused") return
  lifetime.resumedAt = timeline.now()
  timeline.resume(lifetime.actor)
}

/** Creates the processes for a plan's roles, without starting them. */
export const make = (
  world: World,
  roles: ReadonlyArray<Role>,
  surroundings: Surroundings
): Fleet => {
  const { faults, outside, timeline } = world
  const chance = world.dice("fleet")
  const lifetimes = new Map<Actor, Lifetime.Lifetime>()
  const slots = roles.map(makeSlot)

  const firstWorker = slots.find(({ role }) => role === "worker" || role === "both")

  let isRetired = false
  const restart = (slot: Slot) => {
    if (isRetired) return
    const delay = faults.isCalm() ? 0 : chance.between(100, restartMaxMillis)
    timeline.after(outside, delay, () => start(slot))
  }

  const start = (slot: Slot) => {
    if (slot.lifetime !== null || isRetired) return
    slot.startCount += 1
    const lifetime: Lifetime.Lifetime = Lifetime.begin(world, {
      name: `${slot.name}.${slot.startCount}`,
      role: slot.role,
      listens: !surroundings.isFirstListenerOnly || slot === firstWorker,
      onCrash: () => {
        if (slot.lifetime !== lifetime) return
        lifetimes.delete(lifetime.actor)
        Object.assign(slot, { lifetime: null, front: null, scope: null })
        restart(slot)
      }
    })
    const scope = Scope.makeUnsafe()
    Object.assign(slot, { lifetime, scope })
    build(world, surroundings, { slot, lifetime, scope })
    lifetimes.set(lifetime.actor, lifetime)
    if (faults.strikes("process crashes again and again", lifetime.actor.name)) {
      timeline.after(outside, chance.below(3_000), () => lifetime.crash("soon after its start"))
    }
  }

  world.onStep = (owner) => {
    const lifetime = lifetimes.get(owner)
    if (lifetime === undefined) return
    if (faults.strikes("process crashes", owner.name)) lifetime.crash("between two steps")
  }

  return {
    slots,
    start,
    stop: (slot) => stop(world, slot),
    retire: () => {
      isRetired = true
      for (const { lifetime } of slots) lifetime?.crash("the run is over")
    },
    heal: () => {
      for (const slot of slots) {
        if (slot.lifetime === null) start(slot)
        else wake(world, slot.lifetime)
      }
    }
  }
}

// Faults that affect whole processes or the stores: pauses, stops, jumping clocks, and outages.

/** Milliseconds between two opportunities for a fault to strike a process. */
const gustMillis = 10_000

const outageMaxMillis = 50_000
const jumpMaxMillis = 60_000

/**
 * The smallest and largest clock difference between two database servers, and the minimum time
 * between failovers. A worker cannot detect a difference that is smaller than a claim's round trip.
 */
const stepMinMillis = 6_000
const stepMaxMillis = 90_000
const stepPauseMillis = 120_000

/** Starts faults in processes and stores. These faults end when all faults end. */
export const startFaults = (world: World, fleet: Fleet): void => {
  const { faults, outside, timeline } = world
  const chance = world.dice("weather")
  let steppedAt = Number.NEGATIVE_INFINITY

  const strike = (slot: Slot) => {
    const { lifetime } = slot
    if (lifetime === null) return
    const { name } = lifetime.actor
    if (faults.strikes("process pauses", name)) freeze(world, lifetime, chance.between(500, 10_000))
    if (faults.strikes("process pauses beyond its leases", name)) {
      freeze(world, lifetime, chance.between(30_000, 90_000))
    }
    if (faults.strikes("clock jumps", name)) {
      lifetime.skew.wallMillis += chance.between(-jumpMaxMillis, jumpMaxMillis)
    }
    if (faults.strikes("process is stopped", name)) fleet.stop(slot)
  }

  /** Fails over to another database server. */
  const step = () => {
    const millis = chance.between(stepMinMillis, stepMaxMillis) * chance.pick([-1, 1])
    steppedAt = timeline.now()
    world.storeSkew.wallMillis += millis
    if (millis > 0) world.storeForwardAt = steppedAt
    world.trace.add("store", `has its clock set by ${millis} ms`)
  }

  const gust = () => {
    if (faults.isCalm()) return
    if (timeline.now() > world.outageUntil && chance.chance(0.1)) {
      if (faults.strikes("store is out", "store")) {
        world.outageUntil = timeline.now() + chance.between(1_000, outageMaxMillis)
      }
    }
    if (timeline.now() > steppedAt + stepPauseMillis) {
      if (faults.strikes("store's clock steps", "store")) step()
    }
    for (const slot of fleet.slots) {
      timeline.after(outside, chance.below(gustMillis), () => strike(slot))
    }
    timeline.after(outside, gustMillis, gust)
  }
  gust()
}
