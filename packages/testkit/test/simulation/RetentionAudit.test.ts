/** Tests which histories the retention audit accepts, and which violations it finds. */
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

const early = "no part of a job is deleted early"
const late = "everything that has expired is deleted within two hours"
const half = "no job is partly deleted"
const reported = "requests about deleted content get the right answer"

const found = (facts: ReadonlyArray<Fact>): ReadonlyArray<string> => [
  ...new Set(auditRetention([ruled, ...facts]).map(({ rule }) => rule))
]

const cases: ReadonlyArray<readonly [string, ReadonlyArray<Fact>, ReadonlyArray<string>]> = [
  [
    "a timely deletion",
    [worked(0), took(day, "media"), fileGone(day), took(2 * day, "transcript")],
    []
  ],
  ["a deletion an hour early", [worked(0), took(4 * day - 3_600_000, "job")], [early]],
  ["media deleted early", [worked(0), took(day / 2, "media"), fileGone(day / 2)], [early]],
  ["deleted media that its job had not released", [worked(0), fileGone(2 * day)], [early]],
  [
    "media deleted during a redelivery",
    [worked(0), took(day, "media"), worked(day + 1, false), fileGone(day + 2)],
    []
  ],
  ["media deleted when its job succeeds", [worked(0), fileGone(5, "worker-1.1")], []],
  ["a deletion during a retry", [worked(0), worked(day, false), took(5 * day, "job")], [early]],
  [
    "a request at the same time as the deletion, but after it",
    [worked(0), took(day, "media"), worked(day, false)],
    []
  ],
  [
    "a deletion at the same time as a request, but after it",
    [worked(0), worked(day, false), took(day, "media")],
    [early]
  ],
  [
    "a deletion too soon after the last work",
    [worked(0), worked(day), took(4 * day, "job")],
    [early]
  ],
  ["content kept in time", [worked(0), left(day)], []],
  ["media kept too long", [worked(0), left(1.5 * day)], [late]],
  ["a transcript kept too long", [worked(0), left(3 * day, { files: 0 })], [late]],
  ["a summary kept too long", [worked(0), left(3 * day, { ...closed, quotes: 1 })], [early, late]],
  ["a job kept too long", [worked(0), took(2 * day, "transcript"), left(5 * day, closed)], [late]],
  ["a job with pending work", [worked(0), worked(day, false), left(9 * day)], []],
  ["a closed job with text", [worked(0), took(2 * day, "transcript"), left(2 * day)], [half, late]],
  [
    "rows of a deleted job",
    [worked(0), took(4 * day, "job"), left(4 * day, { ...gone, rows: 1, files: 0 })],
    [half]
  ],
  ["media of a deleted job", [worked(0), took(4 * day, "job"), left(4 * day, gone)], [half]],
  ["a lost transcript", [worked(0), left(day, closed)], [early]],
  [
    "a read that finds deleted content",
    [
      worked(0),
      took(4 * day, "job"),
      { _tag: "LateLook", id, beganAt: 5 * day, endedAt: 5 * day, seen: "removed" }
    ],
    [reported]
  ],
  [
    "a read that misses existing content",
    [worked(0), { _tag: "LateLook", id, beganAt: day, endedAt: day, seen: "not found" }],
    [reported]
  ],
  [
    "an unjustified answer to a request for deleted content",
    [worked(0), { _tag: "LateFollowUp", id, beganAt: day, endedAt: day, answer: "JobStoreError" }],
    [reported]
  ],
  [
    "a ledger that loses a charge",
    [
      { _tag: "LedgerRead", balanceMillis: 7, amounts: [9, -2] },
      { _tag: "LedgerKept", amounts: [9] }
    ],
    ["the ledger is kept"]
  ],
  [
    "a ledger with an extra charge",
    [
      { _tag: "LedgerRead", balanceMillis: 7, amounts: [9, -2] },
      { _tag: "LedgerKept", amounts: [9, -2, -1] }
    ],
    []
  ]
]

describe("auditRetention", () => {
  for (const [what, facts, expected] of cases) {
    it(`${expected.length === 0 ? "accepts" : "finds"} ${what}`, () => {
      assert.deepStrictEqual([...found(facts)].sort(), [...expected].sort())
    })
  }

  it("accepts everything if there is no retention rule", () => {
    assert.deepStrictEqual(auditRetention([worked(0), took(0, "job")]), [])
  })
})
