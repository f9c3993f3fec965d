/** Plants faults into adapters and policies. Each must break a guarantee. */
import { assert, describe, it } from "@effect/vitest"
import { type Changes, JobStore } from "@verbatim/core/ports"
import { Context, Effect, Layer, Option } from "effect"
import { upTo } from "#src/samples/Ids"
import { type Options, type Outcome, run, shrink } from "#src/simulation/Simulation"
import { replacing } from "../faults/Fault.ts"

interface Plant {
  readonly fault: string
  /** Guarantees that the fault can break. At least one must be reported. */
  readonly breaks: ReadonlyArray<string>
  readonly options: Partial<Options>
}

type Stretch = Option.Option.Value<Changes["feed"]>

/** Sends the last entry of each stretch again, before the next one. */
const repeatLast = replacing(JobStore, ({ changes }) => {
  let last: Stretch["entries"] = []
  const repeat = (stretch: Stretch): Stretch => {
    const entries = [...last, ...stretch.entries]
    last = stretch.entries.slice(-1)
    return { ...stretch, entries }
  }
  return {
    changes: (query) =>
      Effect.map(changes(query), ({ feed, jobs }) => ({ jobs, feed: Option.map(feed, repeat) }))
  }
})

const plants: ReadonlyArray<Plant> = [
  {
    fault: "a job is shown to every workspace",
    breaks: ["no workspace sees another's job"],
    options: {
      adapters: replacing(JobStore, (_, { jobs }) => ({
        find: (_workspaceId, id) => Effect.sync(() => Option.fromUndefinedOr(jobs.get(id)?.job))
      }))
    }
  },
  {
    fault: "a subscriber receives its last commit again",
    breaks: ["a subscriber receives every commit once, in order"],
    options: { adapters: repeatLast }
  },
  {
    fault: "a job loses its notice when it is stored",
    breaks: ["every job with a listener has a notice"],
    options: {
      adapters: replacing(JobStore, ({ insert }) => ({
        insert: (creation) => {
          const { notice: _, ...job } = creation.job
          return insert({ ...creation, job })
        }
      }))
    }
  }
]

/** Maximum number of seeds to try. About one seed in four shows the rarest fault. */
const seedMax = 60

/** Time limit for a test. A run takes half a second, and ten times as long on a busy machine. */
const timeoutMillis = 300_000

const findPlant = (name: string): Plant =>
  plants.find(({ fault }) => fault === name) ?? assert.fail("there is no such plant")

/** Returns the first run that finds a planted fault. */
const findIn = ({ breaks, options }: Plant): Outcome | undefined => {
  for (const seed of upTo(seedMax)) {
    const outcome = run({ ...options, seed })
    if (outcome.violations.some(({ rule }) => breaks.includes(rule))) return outcome
  }
  return undefined
}

describe("The simulation finds the violation when", () => {
  for (const plant of plants) {
    it(
      plant.fault,
      () => {
        const outcome = findIn(plant)
        assert.isDefined(outcome, `no seed up to ${seedMax} finds it`)
        assert.isAbove(outcome?.trace.length ?? 0, 0)
      },
      timeoutMillis
    )
  }
})

class Foreign extends Context.Service<Foreign, object>()("test/Foreign") {}

it.effect("A faulty adapter does not pass on its caller's services", () =>
  Effect.gen(function* () {
    const services = yield* Layer.build(replacing(JobStore, () => ({})))
    assert.isTrue(Option.isSome(Context.getOption(services, JobStore)))
    assert.isTrue(Option.isNone(Context.getOption(services, Foreign)))
  }).pipe(Effect.provideService(Foreign, {}))
)

describe("Shrinking a run", () => {
  it(
    "drops all faults of the simulation if the violation occurs without them",
    () => {
      const plant = findPlant("a job is shown to every workspace")
      const isFoundIn = (seed: number, faults?: []) =>
        run({ ...plant.options, seed, ...(faults && { faults }) }).violations.some(({ rule }) =>
          plant.breaks.includes(rule)
        )
      const seed = upTo(seedMax).find((each) => isFoundIn(each, []) && isFoundIn(each))
      const options = { ...plant.options, seed: seed ?? assert.fail("no seed finds it") }
      const failed = run(options)
      assert.isNotEmpty(failed.faults)
      assert.deepStrictEqual(shrink(options, failed).faults, [])
    },
    timeoutMillis
  )
})
