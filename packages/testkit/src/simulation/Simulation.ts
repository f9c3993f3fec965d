/**
 * Runs the real core on simulated ports, while processes die, stores fail and clients leave. A seed
 * decides everything, so it always gives the same run.
 */
import * as Memory from "@verbatim/adapters/memory"
import type { Stores } from "@verbatim/core/ports"
import { Effect, Exit, type Layer } from "effect"
import { audit } from "./audit/Auditor.ts"
import type { FaultName } from "./faults/Faults.ts"
import type { Policies } from "./processes/Composition.ts"
import type { Violation } from "./record/Facts.ts"
import type { Entry } from "./record/Trace.ts"
import { runScenario } from "./scenario/Scenario.ts"
import * as World from "./world/World.ts"

/** Options for one run of the simulation. */
export interface Options {
  readonly seed: number
  /** The faults that may occur. Default: all faults in the catalogue. */
  readonly faults?: ReadonlyArray<FaultName>
  /** The stores, which are built for each run. Default: the in-memory adapter. */
  readonly adapters?: Layer.Layer<Stores, unknown>
  readonly policies?: Policies
}

/** The result of one run of the simulation. */
export interface Outcome {
  readonly seed: number
  /** The broken guarantees. Empty if every guarantee held. */
  readonly violations: ReadonlyArray<Violation>
  /** The hash of the trace. With the same code, a seed always has the same hash. */
  readonly hash: string
  /** The faults that were enabled. */
  readonly faults: ReadonlyArray<FaultName>
  readonly struck: ReadonlyMap<FaultName, number>
  readonly trace: ReadonlyArray<Entry>
  /** The simulated time from the start of the run to the end of its last job. */
  readonly simulatedMillis: number
  readonly steps: number
  readonly jobs: number
}

/** Runs one seed to its end, without real time or real randomness. */
export const run = ({ adapters = Memory.layer, faults, policies = {}, seed }: Options): Outcome => {
  const world = World.make(seed, faults)
  const { timeline } = world
  let exit: Exit.Exit<number, unknown> | undefined
  timeline.enqueue(world.outside, () => {
    const fiber = Effect.runForkWith(world.outsideContext)(
      Effect.scoped(runScenario(world, { adapters, policies }))
    )
    fiber.addObserver((ended) => {
      exit = ended
    })
  })
  const stop = timeline.run(() => exit !== undefined)
  if (exit !== undefined && Exit.isFailure(exit)) {
    world.facts.push({ _tag: "Defect", by: "world", what: String(exit.cause) })
  }
  world.facts.push({ _tag: "Ended", at: timeline.now(), stop })
  const violations = audit(world.facts)
  for (const { rule, what } of violations) world.trace.add("auditor", `${rule}: ${what}`)
  return {
    seed,
    violations,
    hash: world.trace.hash(),
    faults: world.faults.active,
    struck: world.faults.counts,
    trace: world.trace.entries(),
    simulatedMillis: exit !== undefined && Exit.isSuccess(exit) ? exit.value : timeline.now(),
    steps: timeline.steps(),
    jobs: world.facts.filter(({ _tag }) => _tag === "Accepted").length
  }
}

// Shrinks a failed run. If a single fault breaks the same guarantee, only that fault is kept.
// Otherwise, faults are dropped as long as the guarantee still breaks.

/** Returns whether two runs broke at least one common guarantee. */
const isSame = (a: Outcome, b: Outcome): boolean =>
  a.violations.some(({ rule }) => b.violations.some((other) => other.rule === rule))

/** Returns the list without some of the faults. */
const without = (
  faults: ReadonlyArray<FaultName>,
  dropped: ReadonlyArray<FaultName>
): ReadonlyArray<FaultName> => faults.filter((name) => !dropped.includes(name))

/** Returns how many faults to drop at once: half of the faults, then a quarter, and finally one. */
const sizesFrom = (count: number): ReadonlyArray<number> => {
  const half = Math.ceil(count / 2)
  return half <= 1 ? [1] : [half, ...sizesFrom(half)]
}

/**
 * Drops faults from a failed run until no more can be dropped. Each fault has its own random
 * stream, so the remaining faults strike as before.
 */
export const shrink = (options: Options, failed: Outcome): Outcome => {
  // It is possible that no fault is needed, or that one is enough but the others hide its effect.
  for (const faults of [[], ...failed.faults.map((name) => [name])]) {
    const small = run({ ...options, faults })
    if (isSame(failed, small)) return small
  }
  let best = failed
  const drop = (size: number) => {
    for (let start = 0; start < best.faults.length; ) {
      const dropped = best.faults.slice(start, start + size)
      const outcome = run({ ...options, faults: without(best.faults, dropped) })
      if (isSame(failed, outcome)) best = outcome
      else start += size
    }
  }
  // Without one fault, others can become unnecessary, so this is repeated.
  for (let count = Number.POSITIVE_INFINITY; best.faults.length < count; ) {
    count = best.faults.length
    for (const size of sizesFrom(count)) drop(size)
  }
  return best
}
