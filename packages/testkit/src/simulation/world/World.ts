/**
 * State that all parts of a run share: time, randomness, faults, the trace, and the context for
 * each actor's fibers. No part uses a real clock or real randomness.
 */

import { Clock, Context, Effect, Logger, Random, References, Scheduler } from "effect"
import { Digest, Mac, SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import { type Dice, dice } from "../clock/Seed.ts"
import * as SimulatedClock from "../clock/SimulatedClock.ts"
import * as Timeline from "../clock/Timeline.ts"
import type { FaultName } from "../faults/Faults.ts"
import * as Faults from "../faults/Faults.ts"
import * as AttemptLog from "../record/AttemptLog.ts"
import type { Fact, Span } from "../record/Facts.ts"
import * as Trace from "../record/Trace.ts"
import type { Hearings } from "./Speech.ts"

/** A call that has not been answered yet, and the actor that made it. */
export interface Flight {
  readonly owner: Timeline.Actor
  readonly what: string
  readonly since: number
}

/** The platform services of every actor. */
export type Platform = Digest.Digest | Mac.Mac | SecureRandom.SecureRandom

/** State shared by all parts of a run. */
export interface World {
  readonly seed: number
  readonly timeline: Timeline.Timeline
  readonly trace: Trace.Trace
  readonly faults: Faults.Faults
  readonly facts: Array<Fact>
  readonly attempts: AttemptLog.AttemptLog
  readonly hearings: Hearings
  /** The attempt that sent each commit to a store. */
  readonly commitAttempts: WeakMap<object, number>
  /** The number of each attempt, keyed by the log annotations of its fibers. */
  readonly attemptNumbers: WeakMap<object, number>
  readonly flights: Set<Flight>
  /** All workers that have run so far, with their start and end times. */
  readonly spans: Array<Span>
  readonly network: Dice
  /** The end of the current outage of all stores. */
  outageUntil: number
  /** The error in the stores' clock, and when the clock was last set forward. */
  readonly storeSkew: SimulatedClock.Skew
  storeForwardAt: number
  /** The stores' clock. Its steps do not affect monotonic clocks and timers. */
  readonly storeClock: Clock.Clock
  /** The actor for the network, the stores, the receivers and the clients. It never dies. */
  readonly outside: Timeline.Actor
  readonly outsideContext: Context.Context<Platform>
  readonly dice: (name: string) => Dice
  readonly contextOf: (
    owner: Timeline.Actor,
    skew: SimulatedClock.Skew
  ) => Context.Context<Platform>
  /** Called before each step of an actor. */
  onStep: (owner: Timeline.Actor) => void
}

/** The message for a defect in an engine. */
export const engineDeath = "the simulated engine died"

/** The message for a defect in a listener. */
export const listenerDeath = "the simulated listener died"

/** A synchronous hash, which is not secure but differs for each token. */
const digest: Digest.Digest["Service"] = {
  digest: (_, bytes) =>
    Effect.sync(() => {
      const text = Array.from(bytes, (byte) => byte.toString(16)).join()
      return dice(bytes.length, text).bytes(32)
    }),
  digestHex: (algorithm, bytes) => Effect.map(digest.digest(algorithm, bytes), Hex.encode)
}

/** No workspace in a run has a webhook secret, so signing is never used. */
const mac: Mac.Mac["Service"] = {
  generateKey: () => Effect.die("a simulated process makes no keys"),
  sign: () => Effect.die("a simulated process signs nothing"),
  verify: () => Effect.die("a simulated process verifies nothing")
}

/** Creates the state of the world at the start of a seed's run. */
export const make = (seed: number, allowed: ReadonlyArray<FaultName> | undefined): World => {
  const outside = Timeline.actor("world")
  const onStep = (owner: Timeline.Actor, turn: number) => {
    trace.mix(turn)
    world.onStep(owner)
  }
  const timeline = Timeline.make(dice(seed, "schedule"), onStep)
  const trace = Trace.make(timeline.now)
  const storeSkew = SimulatedClock.exact()
  const facts: Array<Fact> = []

  const contextOf = (owner: Timeline.Actor, skew: SimulatedClock.Skew) => {
    const chance = dice(seed, `chance of ${owner.name}`)
    const logger = Logger.make<unknown, void>(({ cause, message }) => {
      const what = `${String(message)} ${String(cause)}`
      // Defects from simulated faults are not logged, because they are expected.
      const isOurs = what.includes(engineDeath) || what.includes(listenerDeath)
      if (!isOurs) facts.push({ _tag: "Defect", by: owner.name, what })
    })
    return Context.empty().pipe(
      Context.add(Scheduler.Scheduler, SimulatedClock.makeScheduler(timeline, owner, chance)),
      Context.add(Clock.Clock, SimulatedClock.make(timeline, owner, skew)),
      Context.add(Random.Random, {
        nextDoubleUnsafe: chance.next,
        nextIntUnsafe: () => chance.below(Number.MAX_SAFE_INTEGER)
      }),
      Context.add(References.MinimumLogLevel, "Error"),
      Context.add(References.TracerEnabled, false),
      Context.add(References.CurrentLoggers, new Set([logger])),
      Context.add(SecureRandom.SecureRandom, SecureRandom.make(chance.bytes)),
      Context.add(Digest.Digest, digest),
      Context.add(Mac.Mac, mac)
    )
  }

  const world: World = {
    seed,
    timeline,
    trace,
    faults: Faults.make(seed, { allowed, trace }),
    facts,
    attempts: AttemptLog.make(facts, timeline.now),
    hearings: { mistakes: new Map(), attemptCount: 0 },
    commitAttempts: new WeakMap(),
    attemptNumbers: new WeakMap(),
    flights: new Set(),
    spans: [],
    network: dice(seed, "network"),
    outageUntil: 0,
    storeSkew,
    storeForwardAt: Number.NEGATIVE_INFINITY,
    storeClock: SimulatedClock.make(timeline, outside, storeSkew),
    outside,
    outsideContext: contextOf(outside, SimulatedClock.exact()),
    dice: (name) => dice(seed, name),
    contextOf,
    onStep: () => {}
  }
  return world
}

/**
 * Returns the number of the attempt that runs this effect. Workers annotate the log lines of each
 * attempt separately, so all fibers of an attempt share one object of annotations.
 */
export const currentAttempt = ({ attemptNumbers, hearings }: World): Effect.Effect<number> =>
  Effect.map(References.CurrentLogAnnotations, (annotations) => {
    const known = attemptNumbers.get(annotations)
    if (known !== undefined) return known
    hearings.attemptCount += 1
    attemptNumbers.set(annotations, hearings.attemptCount)
    return hearings.attemptCount
  })
