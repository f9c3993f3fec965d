/** What the auditor says about jobs that were given up because their processes died. */
import { assert, describe, it } from "@effect/vitest"
import { auditInterruptions } from "#src/simulation/audit/InterruptionAudit"
import type { Fact } from "#src/simulation/record/Facts"
import { run } from "#src/simulation/Simulation"

const interrupted = (id: string, ...wasAlone: ReadonlyArray<boolean>): ReadonlyArray<Fact> =>
  wasAlone.map((each) => ({ _tag: "Interrupted", id, wasAlone: each }))

const looked = (id: string, error: string): Fact => ({
  _tag: "Looked",
  id,
  seen: {
    status: "FAILED",
    transcription: "FAILED",
    webhook: null,
    summary: null,
    text: null,
    error
  },
  beganAt: 0,
  endedAt: 1
})

const givenUp = "The work was interrupted too often"

describe("The auditor of interruptions", () => {
  it("sees a job that is given up for what happened beside others, or to another one", () => {
    for (const facts of [
      [looked("a", givenUp)],
      [...interrupted("a", false, false, false), looked("a", givenUp)],
      [...interrupted("a", true, true, false), looked("a", givenUp)],
      [...interrupted("b", true, true, true), looked("a", givenUp), looked("a", givenUp)]
    ]) {
      assert.lengthOf(auditInterruptions(facts), 1)
    }
  })

  it("has nothing against one that was interrupted alone three times, or failed otherwise", () => {
    assert.deepStrictEqual(
      auditInterruptions([
        ...interrupted("a", false, true, true, true),
        looked("a", givenUp),
        looked("b", "Transcription failed")
      ]),
      []
    )
  })

  it("counts an attempt whose beginning the network delivered twice", () => {
    const { marks, violations } = run({
      seed: 249,
      faults: ["media kills its process", "store is called twice"]
    })
    assert.strictEqual(marks.get("a job ended because its work was interrupted too often"), 1)
    assert.deepStrictEqual(violations, [])
  })
})
