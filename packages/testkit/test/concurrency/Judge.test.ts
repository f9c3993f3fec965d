/**
 * Tests which histories the judge accepts, and its messages for histories with one wrong answer.
 */
import { assert, describe, it } from "@effect/vitest"
import { applyCommit, type Job, JobEvent } from "@verbatim/core/job"
import { Result, Schema } from "effect"
import type { Recorded, RecordOf } from "#src/concurrency/calls/CallRecord"
import { acceptable, eventOf, jobFrom, jobShapes } from "#src/concurrency/calls/JobSpec"
import { judge } from "#src/concurrency/judge/Judge"
import {
  born,
  claimed,
  committed,
  day,
  found,
  held,
  inserted,
  job,
  keyed,
  keyRecord,
  lapsed,
  ledger,
  renewed,
  running
} from "./JobRecords.ts"
import { answered, atEnd, refused, unanswered } from "./Records.ts"

/**
 * Histories from correct stores, by title, and from broken stores, by a part of the judge's
 * message.
 */
interface Histories {
  readonly sound: Readonly<Record<string, ReadonlyArray<Recorded>>>
  readonly broken: Readonly<Record<string, ReadonlyArray<ReadonlyArray<Recorded>>>>
}

/** Registers a test for each history. */
const areJudged = (name: string, { broken, sound }: Histories): void => {
  describe(name, () => {
    for (const [what, records] of Object.entries(sound)) {
      it(`accepts ${what}`, () => {
        const { undecided, violations } = judge(records)
        assert.deepStrictEqual(violations, [])
        assert.strictEqual(undecided, 0)
      })
    }
    for (const [sentence, histories] of Object.entries(broken)) {
      it(`reports "${sentence}"`, () => {
        for (const records of histories) {
          const [first = ""] = judge(records).violations
          assert.match(first, new RegExp(sentence, "s"))
        }
      })
    }
  })
}

/** Histories with claims that lost their responses. */
const lostClaims = (count: number): ReadonlyArray<Recorded> =>
  Array.from({ length: count }, (_, index) => unanswered(claimed(100 + index, [3, 4])))

const working = [inserted, claimed(20, [10, 11]), committed(20, [12, 13])]

/** Records a commit that lost its response. */
const lostCommit = [inserted, claimed(20, [10, 11]), unanswered(committed(20, [12, 13]))]

const released = answered("release", {
  input: { leases: [{ job, token: 20 }] },
  answer: null,
  when: [12, 13]
})

/** The outcome of a claim that found nothing. */
const answeredNothing = { is: "answered", answer: { nowMillis: 0, jobs: [] } } as const

const sound: Histories["sound"] = {
  "operations in sequence": [...working, found(running, [14, 15]), ledger()],
  "two commits based on one revision, only one of which is written": [
    ...working,
    refused(committed(20, [12, 14], { id: 31 })),
    found(running, [15, 16])
  ],
  "a read that overlaps a commit": [...working, found(born, [12, 14]), found(running, [12, 14])],
  "a lost response to a commit that was written": [...lostCommit, found(running, [90, 91])],
  "a lost response to a commit that was not written": [...lostCommit, found(born, [90, 91])],
  "a claim that took the work after its caller left": [
    unanswered(claimed(21, [-20, -10])),
    inserted,
    claimed(20, [10, 11]),
    lapsed([12, 13]),
    refused(committed(20, [14, 16])),
    found(born, [17, 18])
  ],
  "a lost claim that took the work long before another process's call": [
    claimed(31, [31_000, 31_005]),
    unanswered(claimed(21, [585, 597])),
    ...[inserted, claimed(20, [3, 4]), lapsed([583, 601])],
    renewed(20, false, [583, 634])
  ],
  "two lost claims that took the work": [
    ...lostClaims(2),
    inserted,
    claimed(20, [10, 11]),
    lapsed([12, 13]),
    refused(committed(20, [14, 15])),
    lapsed([16, 17]),
    claimed(21, [18, 19]),
    lapsed([20, 21]),
    refused(committed(21, [22, 23])),
    found(born, [24, 25])
  ],
  "a lost claim that took the work after its lease expired": [
    inserted,
    claimed(20, [3, 4]),
    unanswered(claimed(21, [28_980, 28_990])),
    renewed(20, false, [31_000, 31_001])
  ],
  "renewals answered `busy` while the row was locked": [
    ...[inserted, claimed(20, [10, 11])],
    held([20, 30]),
    renewed(20, "busy", [29, 31]),
    unanswered(committed(20, [40, 41])),
    renewed(20, "busy", [50, 51])
  ],
  "a renewal answered `busy` while a claim locked the row without taking the work": [
    ...[inserted, claimed(20, [10, 11]), held([20, 30])],
    { ...claimed(22, [25, 40]), outcome: answeredNothing },
    renewed(20, "busy", [35, 36])
  ],
  "a renewal answered `busy` while a lost claim took the work": [
    ...[inserted, claimed(20, [10, 11]), lapsed([12, 13])],
    unanswered(claimed(21, [20, 21])),
    renewed(20, "busy", [2_030, 2_031]),
    renewed(20, false, [2_040, 2_041])
  ],
  "a claim after the lease was released": [
    inserted,
    claimed(20, [10, 11]),
    released,
    claimed(21, [12, 14]),
    renewed(20, false, [15, 16])
  ],
  "a lost request that wrote nothing": [
    unanswered(keyed(job, [1, 2], day)),
    found(null, [50, 51]),
    keyRecord(null, [52, 53])
  ],
  "a lost request that was written late, between two reads": [
    unanswered(keyed(job, [1, 2], day)),
    found(null, [50, 51]),
    keyRecord(job, [52, 53])
  ],
  "a lost request whose job was deleted": [
    unanswered(keyed(job, [1, 2], day)),
    answered("remove", { input: { job }, answer: null, when: [3, 60] }),
    unanswered(answered("remove", { input: { job }, answer: null, when: [4, 5] })),
    keyRecord(job, [50, 51]),
    ...atEnd(found(null, [70, 71]), keyRecord(job, [72, 73]))
  ],
  "a lost request whose key was reused after a day": [
    unanswered(keyed(job, [1, 2], day)),
    keyed(2, [3, 4], 2 * day),
    ...atEnd(found(born, [50, 51]), keyRecord(2, [52, 53], 2 * day))
  ],
  "a key reused after a day": [
    keyed(2, [1, 2], day),
    keyed(3, [3, 4], day + 5, 2),
    keyed(4, [5, 6], 2 * day)
  ]
}

const broken: Histories["broken"] = {
  "was reported written, but its history lacks it": [
    [
      ...working,
      committed(19, [12, 13], { id: 31 }),
      answered("history", {
        input: { job },
        answer: ["1 1735787045678 null x", "2 1735787045708 20 x"],
        when: [20, 21]
      })
    ]
  ],
  "fit no order of its operations": [
    [...working, committed(20, [12, 13], { id: 31 })],
    [inserted, committed(20, [12, 13])],
    [...working, found(born, [14, 15])],
    [...working, found(null, [14, 15])],
    [
      inserted,
      ...lostClaims(24),
      ...Array.from({ length: 8 }, (_, index) => lapsed([5 + index, 5.5 + index])),
      found(running, [40, 41])
    ]
  ],
  "a claim returned job 1, which was not available \\(token 20 held it\\)": [
    [inserted, claimed(20, [10, 11]), claimed(21, [12, 13])]
  ],
  "a claim returned job 1": [[...working, claimed(21, [12, 20], born)]],
  "a renewal was answered wrongly about job 1 \\(no token held it\\)": [
    [
      inserted,
      claimed(20, [10, 11]),
      committed(20, [12, 13], { isLeaseKept: false }),
      renewed(20, true, [14, 15])
    ],
    [
      ...[inserted, claimed(20, [10, 11]), committed(20, [12, 13], { isLeaseKept: false })],
      held([14, 16]),
      renewed(20, "busy", [15, 16])
    ]
  ],
  "a renewal was answered wrongly about job 1 \\(token 20 held it\\)": [
    [inserted, claimed(20, [10, 11]), renewed(20, false, [12, 13])]
  ],
  "a renewal was answered wrongly about job 1 \\(token 20 held it\\); nor with lost claims": [
    [
      inserted,
      unanswered(claimed(21, [3, 5])),
      claimed(20, [20_000, 20_001]),
      lapsed([60_000, 60_001]),
      renewed(20, false, [60_010, 60_011])
    ]
  ],
  "a renewal was answered busy about job 1, whose row was not locked": [
    [
      ...[inserted, claimed(20, [10, 11]), held([12, 13])],
      { ...claimed(22, [14, 40]), outcome: answeredNothing },
      renewed(20, "busy", [15, 16])
    ],
    [inserted, claimed(20, [10, 11]), ...lostClaims(3), renewed(20, "busy", [20, 21])]
  ],
  "a row could not be held": [[inserted, unanswered(held([3, 4]))]],
  "job 1 was charged wrongly: nothing, not 5": [
    [inserted, claimed(20, [10, 11]), committed(20, [12, 13], { chargeMillis: 5 }), ledger()]
  ],
  "job 1 was charged wrongly: 5,5, not 5": [
    [inserted, claimed(20, [10, 11]), committed(20, [12, 13], { chargeMillis: 5 }), ledger(5, 5)]
  ],
  "job 1 was charged wrongly: 5, not null": [
    [
      inserted,
      claimed(20, [10, 11]),
      refused(committed(19, [12, 13], { chargeMillis: 5 })),
      ledger(5)
    ]
  ],
  "the lines of the ledger sum to -5, the balance is 0": [
    [{ ...ledger(5), outcome: { is: "answered", answer: { amounts: [5], balanceMillis: 0 } } }]
  ],
  "job 1 has pending work that no claim finds": [
    [
      inserted,
      {
        ...claimed(20, [10, 11]),
        outcome: answeredNothing,
        by: "end"
      },
      ledger()
    ]
  ],
  "about key k fit no order": [
    [keyed(2, [1, 2], day), keyed(3, [3, 4], day + 5)],
    [keyed(2, [1, 2], day), keyed(3, [3, 4], day + 5, 9)],
    [keyed(2, [1, 2], day), keyRecord(null, [3, 4])],
    [
      unanswered(keyed(job, [1, 2], day)),
      keyed(2, [3, 4], day),
      ...atEnd(found(born, [50, 51]), keyRecord(2, [52, 53]))
    ]
  ],
  "about key k fit no order.*#1 .*, and #50 saw it done": [
    [unanswered(keyed(job, [1, 2], day)), found(born, [50, 51]), keyRecord(null, [52, 53])]
  ],
  "about job 1 fit no order.*#1 .*, and #50 saw it done": [
    [unanswered(keyed(job, [1, 2], day)), keyRecord(job, [50, 51]), found(null, [52, 53])]
  ],
  "about job 1 fit no order": [
    [unanswered(keyed(job, [1, 2], day)), ...atEnd(found(null, [50, 51]), keyRecord(job, [52, 53]))]
  ],
  ...Object.fromEntries(
    (["Contended", "KeyTaken", "Unreadable"] as const).flatMap((reason) =>
      [inserted, committed(20, [12, 13]), claimed(20, [10, 11]), found(born, [14, 15])].map(
        (record) => [
          record.call === "insert" && reason === "Contended"
            ? "insert was refused as contended, but no other call wrote"
            : `${record.call} may never be refused with ${reason}`,
          [[refused(record as RecordOf<"find">, reason)]]
        ]
      )
    )
  )
}

areJudged("The judge of jobs and keys", { sound, broken })

describe("An event that the check chooses", () => {
  it("can be written to a store", () => {
    const met = new Set<string>()
    const follow = (before: Job): void => {
      for (const name of acceptable(before)) {
        const known = `${name.machine}.${name.event}`
        if (met.has(known)) continue
        met.add(known)
        const event = eventOf(before, { ...name, number: 7, isFarOff: false })
        assert.isTrue(Schema.is(JobEvent)(event), known)
        follow(Result.getOrThrow(applyCommit(before, [event])))
      }
    }
    for (const shape of jobShapes) follow(jobFrom(job, shape))
    assert.include([...met], "Transcription.TranscriptProduced")
    assert.include([...met], "Notice.ListenerReturned")
  })
})
