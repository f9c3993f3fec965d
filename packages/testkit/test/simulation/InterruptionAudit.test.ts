/** Tests the audit of jobs after their processes died. */

import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { auditInterruptions } from "#src/simulation/audit/JobAudit"
import { dice } from "#src/simulation/clock/Seed"
import { actor } from "#src/simulation/clock/Timeline"
import { transcribe } from "#src/simulation/ports/SpeechEngine"
import { make } from "#src/simulation/record/AttemptLog"
import type { Fact } from "#src/simulation/record/Facts"
import { run } from "#src/simulation/Simulation"
import * as Lifetime from "#src/simulation/world/Lifetime"
import * as Recording from "#src/simulation/world/Recording"
import * as World from "#src/simulation/world/World"
import { failedWith } from "./JobFacts.ts"

const interrupted = (id: string, ...wasAlone: ReadonlyArray<boolean>): ReadonlyArray<Fact> =>
  wasAlone.map((each) => ({ _tag: "Interrupted", id, wasAlone: each }))

/** Records the attempts of the processes `p` and `q` at the job `a`. */
const record = (instants: ReadonlyArray<number> = []) => {
  const facts: Array<Fact> = []
  const left = [...instants]
  const { committed, progressed, ranTogether } = make(facts, () => left.shift() ?? 0)
  const lifetimes = { p: actor("p"), q: actor("q") }
  const commit = (kind: "begun" | "ended" | "given back") => (by: "p" | "q") =>
    committed("a", {
      by: lifetimes[by],
      isBegun: kind === "begun",
      isGivenBack: kind === "given back",
      isAlone: true
    })
  return {
    facts,
    begin: commit("begun"),
    end: commit("ended"),
    giveBack: commit("given back"),
    store: (index: number) => progressed("a", { plan: "plan", index }),
    join: (by: "p" | "q") => ranTogether(lifetimes[by], ["a", "b"])
  }
}

/** Runs attempts on the engine of the process `p`, at the suspect `a` and at other jobs. */
const engineOfP = () => {
  const world = World.make(1, [])
  const { actor: q } = Lifetime.begin(world, { name: "q", role: "worker", onCrash: () => {} })
  const lifetime = Lifetime.begin(world, { name: "p", role: "worker", onCrash: () => {} })
  for (const by of [q, lifetime.actor]) {
    world.attempts.committed("a", { by, isBegun: true, isGivenBack: false, isAlone: true })
  }
  const bytes = Recording.toBytes({
    marker: "m1",
    durationMillis: 1_000,
    isSilent: false,
    isLethal: false,
    hearing: "whole"
  })
  const settings = { initialPrompt: null, isDiarized: false, isVadFiltered: false, language: null }
  /** Starts an attempt that the engine works on until it is interrupted. */
  const start = (jobId: string) =>
    transcribe({
      world,
      lifetime,
      chance: dice(1, "engine"),
      strikes: () => false,
      takes: () => Effect.never,
      pieceCount: 0
    })({
      audio: { path: `/simulated/${jobId}/${bytes.join("-")}`, sampleCount: 16_000 },
      ...settings
    }).pipe(Effect.forkChild({ startImmediately: true }))
  return { facts: world.facts, start }
}

const givenUp = "The work was interrupted too often"

describe("auditInterruptions", () => {
  it("reports a job that failed before three interruptions while it ran alone", () => {
    for (const facts of [
      [failedWith("a", givenUp)],
      [...interrupted("a", false, false, false), failedWith("a", givenUp)],
      [...interrupted("a", true, true, false), failedWith("a", givenUp)],
      [...interrupted("b", true, true, true), failedWith("a", givenUp), failedWith("a", givenUp)]
    ]) {
      assert.lengthOf(auditInterruptions(facts), 1)
    }
  })

  it("accepts a job that failed after three interruptions alone, or for other reasons", () => {
    assert.deepStrictEqual(
      auditInterruptions([
        ...interrupted("a", false, true, true, true),
        failedWith("a", givenUp),
        failedWith("b", "Transcription failed")
      ]),
      []
    )
  })

  it("counts an attempt only once if the network delivered its start twice", () => {
    const faults = ["media kills its process", "store is called twice"] as const
    assert.deepStrictEqual(run({ seed: 249, faults }).violations, [])
  })

  it("reports an interrupted job that runs with other jobs", () => {
    const { begin, end, facts, giveBack, join } = record()
    begin("p")
    end("q")
    begin("q")
    giveBack("q")
    begin("q")
    join("q")
    begin("p")
    assert.deepStrictEqual(facts, [
      ...interrupted("a", true),
      { _tag: "SuspectNextToOthers", id: "a", by: "q" },
      ...interrupted("a", false)
    ])
    assert.lengthOf(auditInterruptions(facts), 1)
  })

  it.effect("reports a job whose earlier attempt ended while a later one still runs", () =>
    Effect.gen(function* () {
      const { facts, start } = engineOfP()
      const earlier = yield* start("a")
      yield* start("a")
      yield* Fiber.interrupt(earlier)
      assert.deepStrictEqual(facts, interrupted("a", true))
      yield* start("b")
      assert.deepStrictEqual(facts.slice(1), [{ _tag: "SuspectNextToOthers", id: "a", by: "p" }])
    })
  )

  it("accepts a suspect next to others after progress, an ended attempt or ten minutes", () => {
    const healed = record()
    healed.begin("p")
    healed.end("q")
    healed.begin("q")
    healed.end("q")
    healed.begin("q")
    healed.join("q")
    const further = record()
    further.begin("p")
    further.end("q")
    further.begin("q")
    further.store(1)
    further.giveBack("q")
    further.begin("q")
    further.join("q")
    const long = record([0, 0, 600_000])
    long.begin("p")
    long.end("q")
    long.begin("q")
    long.join("q")
    // A process may still run a job that another process has taken over.
    long.join("p")
    for (const { facts } of [healed, further, long])
      assert.deepStrictEqual(facts, interrupted("a", true))
  })
})
