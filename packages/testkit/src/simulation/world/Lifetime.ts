/**
 * One life of a process, from its start to its crash or stop. A crash cuts it off: its fibers never
 * run again, its calls are never answered, and no finalizer runs.
 */
import type { Context } from "effect"
import type * as SimulatedClock from "../clock/SimulatedClock.ts"
import * as Timeline from "../clock/Timeline.ts"
import type { Span } from "../record/Facts.ts"
import type { Role } from "./Plan.ts"
import type { Platform, World } from "./World.ts"

/** A life of a process. */
export interface Lifetime {
  readonly actor: Timeline.Actor
  readonly role: Role
  readonly skew: SimulatedClock.Skew
  readonly context: Context.Context<Platform>
  /** Attempts that it has begun and not ended: job id → ordinal. */
  readonly underway: Map<string, number>
  /** Whether it has a listener. */
  readonly listens: boolean
  /** What its engine works on: ids of jobs. */
  readonly hearing: Set<string>
  /** When it last went on after a pause. */
  resumedAt: number
  /** When it began to stop; infinite before. */
  drainsSince: number
  /** Whether it has seen the clock of the stores. */
  hasLooked: boolean
  /** Until then it cannot know that this clock was set forward just before its first look. */
  misledUntil: number
  /** Ends it at once. */
  readonly crash: (why: string) => void
}

const skewMaxMillis = 120_000

/** A timer is never later than this. */
const latenessMaxMillis = 4_000

/** Begins a life. `name` says which process it is, and which of its lives. */
export const begin = (
  world: World,
  {
    listens = false,
    name,
    onCrash,
    role
  }: {
    readonly name: string
    readonly role: Role
    readonly listens?: boolean
    readonly onCrash: () => void
  }
): Lifetime => {
  const actor = Timeline.actor(name)
  const chance = world.dice(`clock of ${name}`)
  const isOff = world.faults.strikes("clock is off", name)
  const skew: SimulatedClock.Skew = {
    wallMillis: isOff ? chance.between(-skewMaxMillis, skewMaxMillis) : 0,
    originMillis: chance.below(1_000_000),
    lateness: (millis) =>
      world.faults.strikes("timers are late", name)
        ? Math.min(chance.next() * millis + chance.below(1_000), latenessMaxMillis)
        : 0
  }
  const span: { -readonly [Name in keyof Span]: Span[Name] } = {
    name,
    beganAt: world.timeline.now(),
    endedAt: null
  }
  const lifetime: Lifetime = {
    actor,
    role,
    skew,
    context: world.contextOf(actor, skew),
    listens,
    underway: new Map(),
    hearing: new Set(),
    resumedAt: Number.NEGATIVE_INFINITY,
    drainsSince: Number.POSITIVE_INFINITY,
    hasLooked: false,
    misledUntil: Number.NEGATIVE_INFINITY,
    crash: (why) => {
      if (actor.status === "Dead") return
      actor.status = "Dead"
      actor.held.length = 0
      span.endedAt = world.timeline.now()
      world.trace.add(name, `dies (${why})`)
      onCrash()
    }
  }
  if (role === "worker" || role === "both") world.spans.push(span)
  world.trace.add(name, "starts")
  return lifetime
}

/** A worker's own clock reveals no smaller error than this, which includes a claim's round trip. */
const agreementMillis = 10_000

/** Nothing waits for longer by a fixed delay. */
const delayMaxMillis = 90_000

/** It sees the clock of the stores, next to its own, for the first time. */
export const lookAtClock = ({ storeForwardAt, storeSkew }: World, lifetime: Lifetime): void => {
  if (lifetime.hasLooked) return
  lifetime.hasLooked = true
  const apart = Math.abs(lifetime.skew.wallMillis - storeSkew.wallMillis)
  if (apart <= agreementMillis) lifetime.misledUntil = storeForwardAt + delayMaxMillis
}

/**
 * It claims. A draining process that claimed again: dbos-transact-py #742, #804 and #546. A claim
 * in the very instant in which it begins to stop, or resumes after a pause, was made before.
 */
export const claimBy = (world: World, { actor, drainsSince, resumedAt }: Lifetime): void => {
  const at = world.timeline.now()
  if (at <= Math.max(drainsSince, resumedAt)) return
  world.facts.push({ _tag: "ClaimedLate", by: actor.name, afterMillis: at - drainsSince })
}

/** Lets a life stand still for a while. Its leases lapse meanwhile. */
export const freeze = (world: World, lifetime: Lifetime, millis: number): void => {
  const { outside, timeline, trace } = world
  const { actor } = lifetime
  if (actor.status !== "Running") return
  trace.add(actor.name, `stands still for ${millis} ms`)
  timeline.pause(actor)
  timeline.after(outside, millis, () => {
    if (actor.status !== "Paused") return
    lifetime.resumedAt = timeline.now()
    trace.add(actor.name, "goes on")
    timeline.resume(actor)
  })
}
