/** The audit of old jobs: what it finds, and what it accepts. */
import { assert, describe, it } from "@effect/vitest"
import { auditRetention } from "#src/simulation/audit/RetentionAudit"
import type { Fact, FactOf } from "#src/simulation/record/Facts"

const day = 86_400_000
const id = "a job"

const ruled: Fact = { _tag: "Ruled", at: 0, mediaDays: 1, transcriptDays: 2, jobDays: 4 }

const worked = (at: number, isOver = true): Fact => ({ _tag: "Worked", id, at, isOver })

const took = (at: number, what: FactOf<"Took">["what"]): Fact => ({ _tag: "Took", id, what, at })

const fileGone = (at: number, by = "keeper-1.1"): Fact => ({ _tag: "FileGone", id, by, at })

const left = (at: number, some: Partial<FactOf<"Left">> = {}): Fact => ({
  _tag: "Left",
  id,
  at,
  isThere: true,
  isTranscribed: true,
  hasTranscript: true,
  quotes: 1,
  rows: 3,
  files: 1,
  ...some
})

const gone = { isThere: false, isTranscribed: false, hasTranscript: false, quotes: 0, rows: 0 }
const closed = { hasTranscript: false, quotes: 0, files: 0 }

const early = "nothing of a job goes before its time"
const late = "what is over goes within two hours"
const half = "no job goes by half"
const told = "whoever asks for what is gone is told so"

const found = (facts: ReadonlyArray<Fact>): ReadonlyArray<string> => [
  ...new Set(auditRetention([ruled, ...facts]).map(({ rule }) => rule))
]

const cases: ReadonlyArray<readonly [string, ReadonlyArray<Fact>, ReadonlyArray<string>]> = [
  [
    "what goes in time",
    [worked(0), took(day, "media"), fileGone(day), took(2 * day, "transcript")],
    []
  ],
  ["what goes an hour early", [worked(0), took(4 * day - 3_600_000, "job")], [early]],
  ["media that goes early", [worked(0), took(day / 2, "media"), fileGone(day / 2)], [early]],
  ["media that nobody gave up", [worked(0), fileGone(2 * day)], [early]],
  [
    "media that goes while a webhook is sent again",
    [worked(0), took(day, "media"), worked(day + 1, false), fileGone(day + 2)],
    []
  ],
  ["media that goes with its job's success", [worked(0), fileGone(5, "worker-1.1")], []],
  ["what goes while it runs again", [worked(0), worked(day, false), took(5 * day, "job")], [early]],
  [
    "what is wanted again at the instant at which it went, afterwards",
    [worked(0), took(day, "media"), worked(day, false)],
    []
  ],
  [
    "what goes at the instant at which it was wanted again, afterwards",
    [worked(0), worked(day, false), took(day, "media")],
    [early]
  ],
  ["what goes too soon after that", [worked(0), worked(day), took(4 * day, "job")], [early]],
  ["what is still there in time", [worked(0), left(day)], []],
  ["media that stays", [worked(0), left(1.5 * day)], [late]],
  ["a transcript that stays", [worked(0), left(3 * day, { files: 0 })], [late]],
  ["a summary that stays", [worked(0), left(3 * day, { ...closed, quotes: 1 })], [early, late]],
  ["a job that stays", [worked(0), took(2 * day, "transcript"), left(5 * day, closed)], [late]],
  ["a job that works", [worked(0), worked(day, false), left(9 * day)], []],
  ["a closed job with text", [worked(0), took(2 * day, "transcript"), left(2 * day)], [half, late]],
  [
    "rows without their job",
    [worked(0), took(4 * day, "job"), left(4 * day, { ...gone, rows: 1, files: 0 })],
    [half]
  ],
  ["media without its job", [worked(0), took(4 * day, "job"), left(4 * day, gone)], [half]],
  ["a transcript that vanishes", [worked(0), left(day, closed)], [early]],
  [
    "a look that finds what is gone",
    [
      worked(0),
      took(4 * day, "job"),
      { _tag: "LateLook", id, beganAt: 5 * day, endedAt: 5 * day, seen: "removed" }
    ],
    [told]
  ],
  [
    "a look that misses what is there",
    [worked(0), { _tag: "LateLook", id, beganAt: day, endedAt: day, seen: "not found" }],
    [told]
  ],
  [
    "an answer that tells nothing",
    [worked(0), { _tag: "LateFollowUp", id, beganAt: day, endedAt: day, answer: "JobStoreError" }],
    [told]
  ],
  [
    "a ledger that loses a charge",
    [
      { _tag: "LedgerRead", balanceMillis: 7, amounts: [9, -2] },
      { _tag: "LedgerKept", amounts: [9] }
    ],
    ["the ledger stays"]
  ],
  [
    "a ledger that gets one more",
    [
      { _tag: "LedgerRead", balanceMillis: 7, amounts: [9, -2] },
      { _tag: "LedgerKept", amounts: [9, -2, -1] }
    ],
    []
  ]
]

describe("The auditor of old jobs", () => {
  for (const [what, facts, expected] of cases) {
    it(`${expected.length === 0 ? "accepts" : "finds"} ${what}`, () => {
      assert.deepStrictEqual([...found(facts)].sort(), [...expected].sort())
    })
  }

  it("says nothing where there is no rule", () => {
    assert.deepStrictEqual(auditRetention([worked(0), took(0, "job")]), [])
  })
})
