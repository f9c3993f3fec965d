/**
 * Audits retention: nothing is deleted early or while work is pending, expired data is soon deleted
 * as a whole, and charges stay in the ledger.
 */
import { type Fact, type FactOf, factsOf, type Violation } from "../record/Facts.ts"

const dayMillis = 86_400_000

/** Tolerance for clock changes, and for recording the end of a job minutes late. */
const toleranceMillis = 900_000

/** Maximum delay of a deletion. */
const lateMillis = 7_200_000

type Kind = "job" | "media" | "transcript"

/**
 * Returns the effective retention periods in days: deleting a job also deletes its transcript, and
 * deleting a transcript also deletes the media.
 */
const daysOf = (rule: FactOf<"Ruled">): Readonly<Record<Kind, number>> => {
  const job = rule.jobDays ?? Number.POSITIVE_INFINITY
  const transcript = Math.min(rule.transcriptDays ?? Number.POSITIVE_INFINITY, job)
  return { job, transcript, media: Math.min(rule.mediaDays ?? transcript, transcript) }
}

interface Judged {
  readonly facts: ReadonlyArray<Fact>
  readonly days: Readonly<Record<Kind, number>>
  /**
   * Returns the last work on a job before a fact. Compares the order of facts, because two facts
   * can have the same timestamp.
   */
  readonly lastWork: (fact: Fact, id: string) => FactOf<"Worked"> | undefined
}

const makeLastWork = (facts: ReadonlyArray<Fact>): Judged["lastWork"] => {
  const places = new Map(facts.map((fact, place) => [fact, place]))
  const placeOf = (fact: Fact) => places.get(fact) ?? Number.NaN
  const works = Map.groupBy(factsOf(facts, "Worked"), ({ id }) => id)
  return (fact, id) => works.get(id)?.findLast((work) => placeOf(work) < placeOf(fact))
}

const early = "no part of a job is deleted early"
const late = "everything that has expired is deleted within two hours"
const half = "no job is partly deleted"

const auditRetained = ({ days, facts, lastWork }: Judged): ReadonlyArray<Violation> => {
  const took = factsOf(facts, "Took")
  const takings = took.flatMap((taking) => {
    const { at, id, what } = taking
    const work = lastWork(taking, id)
    const say = (why: string) => [{ rule: early, what: `the ${what} of ${id} went ${why}` }]
    if (work?.isOver !== true) return say("while something was under way")
    const hours = Math.round((at - work.at) / 3_600_000)
    return at - work.at < days[what] * dayMillis - toleranceMillis ? say(`after ${hours} h`) : []
  })
  // After a job has released its media, no work needs it, not even a redelivery.
  const files = factsOf(facts, "FileGone").flatMap(({ at, by, id }) =>
    by.startsWith("keeper") &&
    !took.some((each) => each.id === id && each.what === "media" && each.at <= at)
      ? [{ rule: early, what: `the media of ${id} was deleted before the job released it` }]
      : []
  )
  return [...takings, ...files]
}

const auditLeft = ({ days, facts, lastWork }: Judged): ReadonlyArray<Violation> => {
  const took = factsOf(facts, "Took")
  const wasTaken = (id: string, what: "job" | "transcript", at: number) =>
    took.some((each) => each.id === id && each.what === what && each.at <= at)
  return factsOf(facts, "Left").flatMap((left) => {
    const { at, files, hasTranscript, id, isThere, isTranscribed, quotes, rows } = left
    const violations: Array<Violation> = []
    const say = (rule: string, what: string) => violations.push({ rule, what: `${id}: ${what}` })
    const work = lastWork(left, id)
    const age = work?.isOver === true ? at - work.at : 0
    const isLate = (what: Kind) => age > days[what] * dayMillis + lateMillis
    if (!isThere && rows > 0) say(half, `it is gone, and ${rows} rows of it are left`)
    if (!isThere && files > 0 && wasTaken(id, "job", at)) say(half, "it is gone, its media is not")
    if (!isThere) return violations
    const isClosed = wasTaken(id, "transcript", at)
    if (isClosed && (hasTranscript || quotes > 0)) say(half, `${quotes} texts of it are left`)
    if (isClosed && files > 0) say(half, "its transcript is gone, its media is not")
    if (!isClosed && isTranscribed && !hasTranscript) say(early, "its transcript has vanished")
    if (isLate("job")) say(late, "the job is still there")
    if (isLate("transcript") && (hasTranscript || quotes > 0)) say(late, "its text is still there")
    if (isLate("media") && files > 0) say(late, "its media is still there")
    return violations
  })
}

/**
 * The answers that a redelivery or retry may get after the run, when faults no longer affect
 * callers.
 */
const followUpAnswers = [
  "redeliver",
  "retry",
  "CallbackMissing",
  "MediaExpired",
  "NotFailed",
  "RedeliveredLately",
  "RequestNotFound",
  "ResultsRemoved",
  "WebhookPending"
]

const auditAnswers = ({ facts }: Judged): ReadonlyArray<Violation> => {
  const rule = "requests about deleted content get the right answer"
  const took = factsOf(facts, "Took")
  const removals = new Set(factsOf(facts, "Removed").map(({ id }) => id))
  const missed = new Set(
    factsOf(facts, "Looked").flatMap(({ id, seen }) => (seen === "NotFound" ? [id] : []))
  )
  const looks = factsOf(facts, "LateLook").flatMap(({ beganAt, endedAt, id, seen }) => {
    const goneAt = took.find((each) => each.id === id && each.what === "job")?.at
    const closedAt = took.find((each) => each.id === id && each.what === "transcript")?.at
    const isAbsent = removals.has(id) || missed.has(id)
    const what = `a look at ${id} shows ${seen}`
    const isWrong =
      seen === "both" ||
      (seen === "not found" && !isAbsent && (goneAt === undefined || goneAt > endedAt)) ||
      (seen !== "not found" && goneAt !== undefined && goneAt < beganAt) ||
      (seen === "output" && closedAt !== undefined && closedAt < beganAt) ||
      (seen === "removed" && (closedAt === undefined || closedAt > endedAt))
    return isWrong ? [{ rule, what }] : []
  })
  return [
    ...looks,
    ...factsOf(facts, "LateFollowUp").flatMap(({ answer, id }) =>
      followUpAnswers.includes(answer)
        ? []
        : [{ rule, what: `a request about ${id} was answered ${answer}` }]
    )
  ]
}

const auditLedgers = ({ facts }: Judged): ReadonlyArray<Violation> => {
  const [first] = factsOf(facts, "LedgerRead")
  const before = first?.amounts ?? []
  return factsOf(facts, "LedgerKept").flatMap(({ amounts }) =>
    before.every((amount, index) => amounts[index] === amount)
      ? []
      : [{ rule: "the ledger is kept", what: `${before.join()} became ${amounts.join()}` }]
  )
}

export const auditRetention = (facts: ReadonlyArray<Fact>): ReadonlyArray<Violation> => {
  const [rule] = factsOf(facts, "Ruled")
  if (rule === undefined) return []
  const judged = { facts, days: daysOf(rule), lastWork: makeLastWork(facts) }
  return [auditRetained, auditLeft, auditAnswers, auditLedgers].flatMap((each) => each(judged))
}
