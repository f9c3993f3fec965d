/**
 * Runs the real core on simulated ports. Processes die, stores fail and clients leave. The seed
 * decides everything, so a seed always gives the same run.
 */
import * as Memory from "@verbatim/adapters/memory"
import type { Stores } from "@verbatim/core/ports"
import { Effect, Exit, type Layer } from "effect"
import { audit } from "./audit/Auditor.ts"
import type { FaultName } from "./faults/FaultCatalogue.ts"
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
  /** The trace's hash, which is the same for every run of a seed with the same code. */
  readonly hash: string
  /** The faults that were enabled. */
  readonly faults: ReadonlyArray<FaultName>
  readonly struck: ReadonlyMap<FaultName, number>
  readonly trace: ReadonlyArray<Entry>
  /** The simulated time from the run's start to the last job's end. */
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
