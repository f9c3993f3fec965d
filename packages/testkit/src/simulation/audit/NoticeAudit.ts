/**
 * Audits notices. Each job has one notice, which is sent after everything else has ended, in at
 * most three calls, by processes with a listener. A notice stored as delivered was received.
 */
import {
  type Claim,
  type Fact,
  type FactOf,
  factsAbout,
  factsOf,
  toViolations,
  type Violation
} from "../record/Facts.ts"
import { findHasty } from "./DeliveryAudit.ts"

const callMax = 3

/**
 * Maximum time between a deletion and a later call. A lease may have been renewed just before the
 * deletion.
 */
const leaseMillis = 30_000

type Call = FactOf<"Called">

const auditNotice = (calls: ReadonlyArray<Call>): ReadonlyArray<Claim> => {
  const attempts = calls.map(({ attempt }) => attempt)
  const early = calls.find(({ isOver }) => !isOver)
  return [
    [
      "a listener is called at most three times for a notice",
      calls.length > callMax ? `it was called ${calls.length} times` : undefined
    ],
    [
      "a listener is called once for an attempt",
      new Set(attempts).size < attempts.length ? `attempts ${attempts.join(", ")}` : undefined
    ],
    ["calls are at least 60 seconds apart", findHasty("call", calls)],
    [
      "a listener is called after all other work has ended",
      early === undefined ? undefined : `attempt ${early.attempt} came early`
    ]
  ]
}

/** Checks the final state of a requested notice. */
const auditEnd = (
  facts: ReadonlyArray<Fact>,
  { id, notice }: FactOf<"Noticed">
): ReadonlyArray<Violation> => {
  const isFaultless = facts.some(({ _tag }) => _tag === "Faultless")
  const heard = factsOf(facts, "Heard").filter(({ noticeId }) => noticeId === notice?.id)
  const isNotified = notice?.state === "Completed"
  return toViolations(`notice of ${id}`, [
    ["every job with a listener has a notice", notice === null ? "it has none" : undefined],
    [
      "a notice ends as delivered or failed",
      notice === null || isNotified || notice.state === "Failed"
        ? undefined
        : `it is ${notice.state}`
    ],
    [
      "a notice stored as delivered was received by a listener",
      isNotified && heard.length === 0 ? `no listener received ${notice.id}` : undefined
    ],
    [
      "a notice fails after three attempts",
      notice?.state === "Failed" && notice.attempt !== callMax
        ? `it failed after ${notice.attempt}`
        : undefined
    ],
    [
      "every notice is delivered if there are no faults",
      isFaultless && notice !== null && !isNotified ? `it is ${notice.state}` : undefined
    ]
  ])
}

/**
 * Time after the end of the faults, in which delayed commits take effect and abandoned leases
 * expire.
 */
const calmMillis = 60_000

/**
 * Finds listener calls that were repeated although an earlier call had returned. This is correct
 * only if the process ended before it wrote the result, or if faults kept it from the store.
 */
const auditRepeats = (
  facts: ReadonlyArray<Fact>,
  calls: ReadonlyArray<Call>
): ReadonlyArray<Violation> => {
  const [storm] = factsOf(facts, "StormEnded")
  const calmAt = storm === undefined ? 0 : storm.at + calmMillis
  const lifetimes = factsOf(facts, "Surveyed").flatMap(({ spans }) => spans)
  const hasEnded = (process: string, from: number, until: number) =>
    lifetimes.some(({ endedAt, name }) => name === process && isWithin(endedAt, from, until))
  return factsOf(facts, "Heard").flatMap(({ at, attempt, by, noticeId }) => {
    const next = calls.find((call) => call.noticeId === noticeId && call.attempt > attempt)
    if (next === undefined || at < calmAt || hasEnded(by, at, next.at)) return []
    return toViolations(noticeId, [
      [
        "a listener that returned is called again only if its process ended or lost the store",
        `${by} lives, and call ${next.attempt} came after call ${attempt} had returned`
      ]
    ])
  })
}

const isWithin = (at: number | null, from: number, until: number): boolean =>
  at !== null && from <= at && at <= until

/**
 * Checks that a job has no more notices than its retries explain, and no call long after its
 * deletion.
 */
const auditCount = (facts: ReadonlyArray<Fact>, id: string): ReadonlyArray<Claim> => {
  const calls = factsAbout(facts, "Called", id)
  const followUps = [...factsAbout(facts, "Retry", id), ...factsAbout(facts, "LateFollowUp", id)]
  const ids = new Set(calls.map(({ noticeId }) => noticeId)).size
  const goneAt = factsAbout(facts, "Removed", id).find(({ isAnswered }) => isAnswered)?.endedAt
  const late = calls.find(
    ({ at, wasFrozen }) => !wasFrozen && at > (goneAt ?? Number.POSITIVE_INFINITY) + leaseMillis
  )
  return [
    ["all calls for a notice have its id", ids > 1 + followUps.length ? `${ids} ids` : undefined],
    [
      "no call comes later than a lease after its job was deleted",
      late === undefined ? undefined : `attempt ${late.attempt} did`
    ]
  ]
}

export const auditNotices = (facts: ReadonlyArray<Fact>): ReadonlyArray<Violation> => {
  const calls = factsOf(facts, "Called")
  const notices = Map.groupBy(calls, ({ noticeId }) => noticeId)
  const jobs = new Set(calls.map(({ id }) => id))
  return [
    ...[...notices].flatMap(([id, made]) => toViolations(id, auditNotice(made))),
    ...auditRepeats(facts, calls),
    ...[...jobs].flatMap((id) => toViolations(id, auditCount(facts, id))),
    ...factsOf(facts, "Noticed").flatMap((noticed) => auditEnd(facts, noticed))
  ]
}
