/**
 * One lifetime of a process, from its start to its crash or stop. After a crash, its fibers never
 * run again and its calls get no answers.
 */
import type { Context } from "effect"
import type * as SimulatedClock from "../clock/SimulatedClock.ts"
import * as Timeline from "../clock/Timeline.ts"
import type { Span } from "../record/Facts.ts"
import type { Role } from "./Plan.ts"
import type { Platform, World } from "./World.ts"

/** The state of one process from its start to its end. */
export interface Lifetime {
  readonly actor: Timeline.Actor
  readonly role: Role
  readonly skew: SimulatedClock.Skew
  readonly context: Context.Context<Platform>
  /** The running attempts' ordinals, keyed by job id. */
  readonly underway: Map<string, number>
  /** Whether the process has a listener. */
  readonly listens: boolean
  /** The attempts that the process's engine is running, of which two can be at the same job. */
  readonly hearing: Set<{ readonly jobId: string }>
  /** When the process last resumed after a pause. */
  resumedAt: number
  /** When the process began to stop; infinity until then. */
  drainsSince: number
  /** Whether the process has read the stores' clock. */
  hasLooked: boolean
  /**
   * Until this time, the process cannot notice that the stores' clock was set forward just before
   * the process first read it.
   */
  misledUntil: number
  /** Ends the lifetime immediately. */
  readonly crash: (why: string) => void
}

const skewMaxMillis = 120_000

/** Maximum delay of a timer. */
const latenessMaxMillis = 4_000

/** Begins a lifetime. `name` identifies the process and the lifetime. */
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

/**
 * The largest error in the stores' clock that a worker cannot detect, because a claim takes a round
 * trip.
 */
const agreementMillis = 10_000

/** Maximum delay before a task's next attempt in core, which is 90 seconds after a lost webhook. */
const delayMaxMillis = 90_000

/** Records a process's first reading of the stores' clock, compared with its own clock. */
export const lookAtClock = ({ storeForwardAt, storeSkew }: World, lifetime: Lifetime): void => {
  if (lifetime.hasLooked) return
  lifetime.hasLooked = true
  const apart = Math.abs(lifetime.skew.wallMillis - storeSkew.wallMillis)
  if (apart <= agreementMillis) lifetime.misledUntil = storeForwardAt + delayMaxMillis
}

/**
 * Records a claim after the process began to stop, a bug that dbos-transact-py had (#742, #804 and
 * #546). A claim at the exact time of the stop, or of the end of a pause, still counts as earlier.
 */
export const claimBy = (world: World, { actor, drainsSince, resumedAt }: Lifetime): void => {
  const at = world.timeline.now()
  if (at <= Math.max(drainsSince, resumedAt)) return
  world.facts.push({ _tag: "ClaimedLate", by: actor.name, afterMillis: at - drainsSince })
}

/** Pauses a lifetime for long enough that its leases can expire. */
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
