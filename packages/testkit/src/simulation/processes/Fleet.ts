/**
 * The processes of a run: they start, crash, stand still, are stopped and started again, and share
 * nothing except what is outside of them.
 */
import { Hook } from "@verbatim/core/notice"
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
import * as Life from "../world/Life.ts"
import type { Role } from "../world/Plan.ts"
import type { World } from "../world/World.ts"
import { compose, type Front, type Policies, type Ports } from "./Composition.ts"

/** A place for a process: it lives there again and again. */
export interface Slot {
  readonly name: string
  readonly role: Role
  lives: number
  life: Life.Life | null
  /** What it offers to callers, once it is up. */
  front: Context.Context<Front> | null
  scope: Scope.Closeable | null
}

/** What is outside of all processes. */
export interface Surroundings {
  readonly stores: Context.Context<Stores>
  readonly files: Media.Files
  readonly hosted: Media.Hosted
  readonly policies: Policies
  readonly onReceipt: Receivers.OnReceipt
  /** The hooks that processes lack, except the first that works. */
  readonly othersLack: ReadonlyArray<Hook>
}

/** The processes of a run. */
export interface Fleet {
  readonly slots: ReadonlyArray<Slot>
  readonly start: (slot: Slot) => void
  /** Asks a process to stop, as a deployment does, and kills it when it takes too long. */
  readonly stop: (slot: Slot) => void
  /** Ends all of them for good. */
  readonly retire: () => void
  /** Everything goes on, and what is down comes up at once. */
  readonly heal: () => void
}

/** The time an operator grants a process between asking it to stop and killing it. */
const stopMillis = 15_000

const restartMaxMillis = 20_000

/** Processes for the roles of a plan, none of them started. */
export const make = (
  world: World,
  roles: ReadonlyArray<Role>,
  surroundings: Surroundings
): Fleet => {
  const { faults, outside, timeline } = world
  const chance = world.dice("fleet")
  const running: Engines.Running = new Map()
  const lives = new Map<Actor, Life.Life>()
  const slots = roles.map(
    (role, index): Slot => ({
      name: `${role}-${index + 1}`,
      role,
      lives: 0,
      life: null,
      front: null,
      scope: null
    })
  )

  /** The first that works has all of them. */
  const hooksOf = ({ name }: Slot) => {
    const isFirst = slots.find(({ role }) => role === "worker" || role === "both")?.name === name
    return Hook.literals.filter((hook) => isFirst || !surroundings.othersLack.includes(hook))
  }

  const portsOf = (life: Life.Life): Context.Context<Ports> => {
    const { files, hosted, onReceipt, stores } = surroundings
    return Context.mergeAll(
      life.context,
      Network.reach(world, { life, stores }),
      Engines.make(world, { life, running }),
      Context.make(MediaStore, Media.store(world, { files, life })),
      Context.make(MediaFetcher, Media.hosts(world, { hosted, life })),
      Context.make(WebhookSender, Receivers.make(world, { life, onReceipt })),
      life.hooks.length === 0
        ? Context.empty()
        : Context.make(JobListener, Listeners.make(world, life))
    )
  }

  let isRetired = false
  const restart = (slot: Slot) => {
    if (isRetired) return
    const delay = faults.isCalm() ? 0 : chance.between(100, restartMaxMillis)
    timeline.after(outside, delay, () => start(slot))
  }

  const start = (slot: Slot) => {
    if (slot.life !== null || isRetired) return
    slot.lives += 1
    const life = Life.begin(world, {
      name: `${slot.name}.${slot.lives}`,
      role: slot.role,
      hooks: hooksOf(slot),
      onCrash: () => {
        if (slot.life !== life) return
        leave(slot)
        restart(slot)
      }
    })
    const scope = Scope.makeUnsafe()
    Object.assign(slot, { life, scope })
    lives.set(life.actor, life)
    const { stores: before = Layer.empty } = surroundings.policies
    const ports = Layer.succeedContext(portsOf(life))
    const layer = compose({ name: life.actor.name, role: slot.role }, surroundings.policies).pipe(
      Layer.provide(Layer.provideMerge(before, ports))
    )
    timeline.enqueue(life.actor, () => {
      const fiber = Effect.runForkWith(life.context)(Layer.buildWithScope(layer, scope))
      fiber.addObserver((exit) => {
        if (Exit.isSuccess(exit)) {
          if (slot.role === "http" || slot.role === "both") slot.front = exit.value
        } else world.facts.push({ _tag: "Defect", by: life.actor.name, what: String(exit.cause) })
      })
    })
    if (faults.strikes("process crashes again and again", life.actor.name)) {
      timeline.after(outside, chance.below(3_000), () => life.crash("soon after its start"))
    }
  }

  const leave = (slot: Slot) => {
    if (slot.life !== null) lives.delete(slot.life.actor)
    Object.assign(slot, { life: null, front: null, scope: null })
  }

  const stop = (slot: Slot) => {
    const { life, scope } = slot
    if (life === null || scope === null) return
    slot.front = null
    world.trace.add(life.actor.name, "is asked to stop")
    timeline.enqueue(life.actor, () => {
      life.drainsSince = timeline.now()
      const closing = Effect.runForkWith(life.context)(Scope.close(scope, Exit.void))
      closing.addObserver(() => life.crash("it has stopped"))
    })
    timeline.after(outside, stopMillis, () => life.crash("it took too long to stop"))
  }

  world.onStep = (owner) => {
    const life = lives.get(owner)
    if (life === undefined) return
    if (faults.strikes("process crashes", owner.name)) life.crash("between two steps")
  }

  return {
    slots,
    start,
    stop,
    retire: () => {
      isRetired = true
      for (const { life } of slots) life?.crash("the run is over")
    },
    heal: () => {
      for (const slot of slots) {
        if (slot.life === null) start(slot)
        else if (slot.life.actor.life === "Paused") {
          slot.life.resumedAt = timeline.now()
          timeline.resume(slot.life.actor)
        }
      }
    }
  }
}
