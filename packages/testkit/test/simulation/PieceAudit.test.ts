/** Tests the audit of recordings recognised in pieces. */
import { assert, describe, it } from "@effect/vitest"
import { auditInterruptions } from "#src/simulation/audit/JobAudit"
import { auditPieces } from "#src/simulation/audit/PieceAudit"
import type { Fact, FactOf } from "#src/simulation/record/Facts"
import { run } from "#src/simulation/Simulation"
import { failedWith } from "./JobFacts.ts"

const created = (id: string, workspaceId = "w"): Fact => ({ _tag: "Created", id, workspaceId })

const recording: FactOf<"PiecesBegan">["recording"] = {
  marker: "m1",
  durationMillis: 40_000,
  isSilent: false,
  isLethal: false,
  hearing: "pieces"
}

/** An attempt at a job begins, and then its engine. The recording has two pieces. */
const begin = (
  attempt: number,
  given: { readonly id?: string; readonly by?: string; readonly language?: string } = {}
): readonly [Fact, Fact] => {
  const { by = "p", id = "a", language = null } = given
  return [
    { _tag: "AttemptBegan", id, attempt },
    { _tag: "PiecesBegan", id, by, attempt, recording, language }
  ]
}

const hear = (attempt: number, index: number, atOnce = 1): Fact => ({
  _tag: "PieceHeard",
  attempt,
  index,
  language: "en",
  sentences: 1,
  atOnce
})

const store = (
  index: number,
  given: {
    readonly id?: string
    readonly attempt?: number
    readonly isReused?: boolean
    readonly workspaceId?: string
  } = {}
): Fact => {
  const { attempt = 1, id = "a", isReused = false, workspaceId = "w" } = given
  return { _tag: "PieceStored", id, attempt, workspaceId, index, isReused }
}

const count = (index: number, readyFrom: number, readyTo: number) => ({
  plan: "plan",
  count: 2,
  index,
  readyFrom,
  readyTo
})

const said = ["0 15000 speaker_0 p0s0 any", "30000 35000 speaker_0 p1s0 any"]

const read = (
  counted: FactOf<"PiecesRead">["counted"] = [count(0, 0, 1), count(1, 1, 2)],
  lines: ReadonlyArray<string> = said
): ReadonlyArray<Fact> => [
  { _tag: "Transcribed", id: "a", attempt: 1 },
  {
    _tag: "PiecesRead",
    id: "a",
    counted,
    transcript: { language: "en", said: lines.join("\n") }
  }
]

const heard = [created("a"), ...begin(1), hear(1, 0), store(0), hear(1, 1), store(1)]

const rulesOf = (facts: ReadonlyArray<Fact>) => auditPieces(facts).map(({ rule }) => rule)

const again = "a piece is recognised again only if its result was lost"
const unneeded = "a piece that the workspace has stored is not recognised again"
const reuse = "a result is reused only in its workspace, for equal audio and settings"
const slots = "a process recognises only as many pieces at once as it has slots"
const once = "the history of a job has each piece once, readable in order"
const undisturbed = "the transcript of a job does not depend on interruptions"

/** Guarantees, each with facts that violate it. */
const broken: ReadonlyArray<readonly [string, ReadonlyArray<Fact>]> = [
  [slots, [...begin(1), hear(1, 0, 2)]],
  [again, [...begin(1), hear(1, 0), hear(1, 0), store(0)]],
  [again, [...begin(1), hear(1, 0), store(0), ...begin(2, { by: "q" }), hear(2, 0)]],
  [again, [...begin(1), hear(1, 0), hear(1, 1)]],
  [unneeded, [...heard, created("b"), ...begin(2, { id: "b" }), hear(2, 0)]],
  [reuse, [created("a"), ...begin(1), store(0, { isReused: true })]],
  [reuse, [created("a"), ...begin(1), store(0)]],
  [
    reuse,
    [
      ...heard,
      ...begin(2, { id: "b", language: "fr" }),
      store(0, { id: "b", attempt: 2, isReused: true })
    ]
  ],
  [
    reuse,
    [
      ...heard,
      ...begin(2, { id: "b" }),
      store(0, { id: "b", attempt: 2, workspaceId: "v", isReused: true })
    ]
  ],
  [once, [...heard, ...read([count(0, 0, 1)])]],
  [once, [...heard, ...read([count(0, 0, 1), count(0, 1, 1), count(1, 1, 2)])]],
  [once, [...heard, ...read([count(0, 0, 2), count(1, 1, 2)])]],
  [undisturbed, [...heard, ...read(undefined, said.toReversed())]],
  [undisturbed, [...heard, ...read(undefined, said.slice(1))]]
]

describe("auditPieces", () => {
  it("accepts pieces that are recognised, stored and read once", () => {
    assert.deepStrictEqual(auditPieces([...heard, ...read()]), [])
  })

  it("accepts a piece that is recognised again after its result was lost", () => {
    const lost = [...begin(1), hear(1, 0), ...begin(2, { by: "q" }), hear(2, 0)]
    assert.deepStrictEqual(auditPieces([created("a"), ...lost, store(0, { attempt: 2 })]), [])
  })

  it("accepts a piece that is recognised by a process that has lost its lease", () => {
    const late = [...begin(1), ...begin(2, { by: "q" }), hear(2, 0), store(0, { attempt: 2 })]
    assert.deepStrictEqual(auditPieces([...late, hear(1, 0)]), [])
  })

  it("distinguishes attempts that overlap in one process", () => {
    const [began, engineBegan] = begin(1)
    const [beganAgain, engineBeganAgain] = begin(2)
    const late = [created("a"), began, beganAgain, engineBeganAgain, engineBegan, hear(2, 0)]
    const stored = [...late, store(0, { attempt: 2 })]
    // The first attempt has lost its lease, and the second one has not.
    assert.deepStrictEqual(auditPieces([...stored, hear(1, 0)]), [])
    assert.include(rulesOf([...stored, hear(2, 0)]), again)
    const early = [created("a"), ...begin(1), hear(1, 0), store(0), ...begin(2)]
    assert.include(rulesOf([...early, hear(2, 0), store(1, { attempt: 2 })]), again)
  })

  it("accepts results reused in a workspace, or made again elsewhere or after deletion", () => {
    const reused = [...begin(2, { id: "b" }), store(0, { id: "b", attempt: 2, isReused: true })]
    const elsewhere = [created("c", "v"), ...begin(3, { id: "c" }), hear(3, 0)]
    const gone: ReadonlyArray<Fact> = [{ _tag: "PiecesGone", id: "a" }]
    assert.deepStrictEqual(auditPieces([...heard, created("b"), ...reused]), [])
    assert.deepStrictEqual(auditPieces([...heard, ...elsewhere]), [])
    const renewed = [...heard, ...gone, created("d"), ...begin(4, { id: "d" }), hear(4, 0)]
    assert.deepStrictEqual(auditPieces(renewed), [])
  })

  it("reports each broken guarantee", () => {
    for (const [rule, facts] of broken) assert.include(rulesOf(facts), rule)
  })
})

describe("auditInterruptions", () => {
  it("counts only the interruptions since the last piece was stored", () => {
    const interrupted: Fact = { _tag: "Interrupted", id: "a", wasAlone: true }
    const looked = failedWith("a", "The work was interrupted too often")
    const progress = [interrupted, interrupted, store(0), interrupted, interrupted]
    assert.lengthOf(auditInterruptions([...progress, looked]), 1)
    assert.deepStrictEqual(auditInterruptions([...progress, interrupted, looked]), [])
  })
})

describe("The simulation", () => {
  it("keeps every guarantee if a read of stored pieces is never answered", () => {
    assert.deepStrictEqual(run({ seed: 39, faults: ["store hangs"] }).violations, [])
  })
})
