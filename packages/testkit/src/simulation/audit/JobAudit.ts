/**
 * Audits jobs as clients see them: no job is lost, statuses change only as the tables allow,
 * transcripts match the media, every job ends, and nothing finds a job after its deletion.
 */

import {
  type Claim,
  type Fact,
  type FactOf,
  factsAbout,
  factsOf,
  makeRule,
  type Seen,
  type Submission,
  soundOf,
  toViolations,
  type Violation
} from "../record/Facts.ts"
import { mentions } from "../world/Recording.ts"
import { isGranted, mayHaveRestarted } from "./GrantedFollowUps.ts"

type Look = FactOf<"Looked"> & { readonly seen: Seen }

const ended = ["TRANSCRIBED", "COMPLETED", "FAILED"]
const queued = ["IN_QUEUE", "IN_PROGRESS", ...ended]

/** For each transcription status, those that a client can see next. It can miss some in between. */
const transcriptionAfter: Readonly<Record<string, ReadonlyArray<string>>> = {
  ACCEPTED: ["ACCEPTED", ...queued],
  IN_QUEUE: queued,
  IN_PROGRESS: queued,
  TRANSCRIBED: ["TRANSCRIBED"],
  COMPLETED: ["COMPLETED"],
  FAILED: ["FAILED"]
}

const isSummaryOpen = (summary: string | null): boolean =>
  summary === "PENDING" || summary === "IN_PROGRESS"

const isEnded = ({ summary, transcription, webhook }: Seen): boolean =>
  ended.includes(transcription) && !isSummaryOpen(summary) && webhook !== "PENDING"

/** Returns the last read that ended before this one began. */
const before = (looks: ReadonlyArray<Look>, look: Look): Look | undefined =>
  looks
    .filter(({ endedAt }) => endedAt < look.beganAt)
    .toSorted((one, other) => one.beganAt - other.beganAt)
    .at(-1)

/** The machines that may have restarted between two reads. */
interface Again {
  readonly mayBeSent: boolean
  readonly mayRun: boolean
  /** Whether the transcript was corrected. `CorrectionAudit` checks the text of corrected jobs. */
  readonly isCorrected: boolean
}

const moves = (
  from: Seen,
  to: Seen,
  { isCorrected, mayBeSent, mayRun }: Again
): ReadonlyArray<string> => {
  // A retry restarts either the whole failed job, or only the steps after the transcript.
  if (mayRun && from.text === null) return []
  const isSummaryAgain = mayRun && from.summary?.startsWith("FAILED") === true
  const wrong: Array<string> = []
  const say = (field: string, a: string | null, b: string | null) =>
    wrong.push(`${field} went from ${a} to ${b}`)
  if (transcriptionAfter[from.transcription]?.includes(to.transcription) !== true) {
    say("transcription_status", from.transcription, to.transcription)
  }
  const isSentAgain = mayBeSent || isSummaryAgain
  if (from.webhook !== "PENDING" && from.webhook !== to.webhook && !isSentAgain) {
    say("webhook_status", from.webhook, to.webhook)
  }
  if (!isSummaryOpen(from.summary) && from.summary !== to.summary && !isSummaryAgain) {
    say("summary_status", from.summary, to.summary)
  }
  if (from.text !== null && from.text !== to.text && !isCorrected) {
    say("output", from.text, to.text)
  }
  return wrong
}

/** Returns the legacy status that follows from the other fields. */
const legacy = ({ transcription, webhook }: Seen): string =>
  transcription === "TRANSCRIBED" && (webhook === "DELIVERED" || webhook === "FAILED")
    ? `WEBHOOK_${webhook}`
    : transcription

/** Lists the contradictions between the fields of one status. */
const findContradictions = (seen: Seen, job: Submission): ReadonlyArray<string> => {
  const { status, summary, text, transcription, webhook } = seen
  const isOver = ended.includes(transcription)
  const isDone = isOver && transcription !== "FAILED"
  const claims: ReadonlyArray<readonly [boolean, string]> = [
    [(webhook !== null) === job.hasCallback, "webhook_status goes with a callback"],
    [(summary !== null) === (job.summary !== null), "summary_status goes with a summary"],
    [status === legacy(seen), `status ${status} goes with ${transcription} and ${webhook}`],
    [!isDone || (transcription === "TRANSCRIBED") === job.hasCallback, "TRANSCRIBED or COMPLETED"],
    [isOver || summary === null || summary === "PENDING", "a summary waits for the transcript"],
    [
      webhook === null || webhook === "PENDING" || (isOver && !isSummaryOpen(summary)),
      "a webhook waits for transcript and summary"
    ],
    [(text !== null) === isDone, "there is an output when there is a transcript"],
    [
      text === null || mentions(text).every((marker) => marker === soundOf(job)),
      `the output is that of the job, not ${text}`
    ],
    [(seen.error !== null) === (transcription === "FAILED"), "an error goes with FAILED"]
  ]
  return claims.flatMap(([holds, claim]) => (holds ? [] : [claim]))
}

const consistent = "the fields of a job are consistent"

/** Checks each read of a job against the previous read, and for contradictory fields. */
const auditLooks = (
  facts: ReadonlyArray<Fact>,
  looks: ReadonlyArray<Look>,
  { id, job }: { readonly id: string; readonly job: Submission }
): ReadonlyArray<Violation> => {
  const redeliveries = factsAbout(facts, "Redelivery", id)
  const retries = factsAbout(facts, "Retry", id)
  const isCorrected = factsAbout(facts, "CorrectionRequested", id).length > 0
  return looks.flatMap((look) => {
    const last = before(looks, look)
    const mayRun = last !== undefined && mayHaveRestarted(retries, last, look)
    const mayBeSent = last !== undefined && mayHaveRestarted(redeliveries, last, look)
    const moved =
      last === undefined ? [] : moves(last.seen, look.seen, { isCorrected, mayBeSent, mayRun })
    return toViolations(`${job.marker} (${id})`, [
      ...moved.map((text): Claim => ["statuses change only as the tables allow", text]),
      ...findContradictions(look.seen, job).map((text): Claim => [consistent, text])
    ])
  })
}

const auditJob = (
  facts: ReadonlyArray<Fact>,
  {
    id,
    job,
    acceptedAt
  }: { readonly id: string; readonly job: Submission; readonly acceptedAt: number }
): ReadonlyArray<Violation> => {
  const all = factsAbout(facts, "Looked", id)
  const removals = factsAbout(facts, "Removed", id)
  const lost = all.find(
    ({ beganAt, endedAt, seen }) =>
      seen === "NotFound" &&
      beganAt >= acceptedAt &&
      removals.every((removal) => removal.beganAt > endedAt)
  )
  const followUps = [...factsAbout(facts, "Redelivery", id), ...factsAbout(facts, "Retry", id)]
  const done = followUps.filter(isGranted)
  const lastGrantedAt = Math.max(0, ...done.map(({ endedAt }) => endedAt))
  const looks = all.filter((look): look is Look => look.seen !== "NotFound")
  const isLive =
    all.some(({ seen }) => seen === "NotFound") ||
    looks.some(({ beganAt, seen }) => beganAt >= lastGrantedAt && isEnded(seen))
  const foreign = factsAbout(facts, "ResultRead", id).find(({ body }) =>
    mentions(body).some((marker) => marker !== soundOf(job))
  )
  return [
    ...toViolations(`${job.marker} (${id})`, [
      ["an acknowledged job is never lost", lost && `it was not found at ${lost.beganAt} ms`],
      [consistent, foreign && `the result is that of the job, not ${foreign.body}`],
      ["every job ends within its time limit", isLive ? undefined : "it has not ended"]
    ]),
    ...auditLooks(facts, looks, { id, job })
  ]
}

const isWell = ({ summary, transcription, webhook }: Seen): boolean =>
  transcription !== "FAILED" && webhook !== "FAILED" && summary?.startsWith("FAILED") !== true

/** In a run without faults, every job that ends must succeed. */
const auditFaultless = (
  facts: ReadonlyArray<Fact>,
  { id, job }: { readonly id: string; readonly job: Submission }
): ReadonlyArray<Violation> => {
  const seen = factsAbout(facts, "Looked", id).at(-1)?.seen
  if (seen === undefined || seen === "NotFound" || isWell(seen)) return []
  const rule = "every job succeeds if there are no faults"
  return [{ rule, what: `${job.marker} (${id}) ended as ${JSON.stringify(seen)}` }]
}

export const auditJobs = (facts: ReadonlyArray<Fact>): ReadonlyArray<Violation> => {
  const submissions = new Map(
    factsOf(facts, "Submitted").map(({ submission }) => [submission.marker, submission])
  )
  const isFaultless = facts.some(({ _tag }) => _tag === "Faultless")
  return factsOf(facts, "Accepted").flatMap(({ at, id, marker }) => {
    const job = submissions.get(marker)
    if (job === undefined) return []
    return [
      ...auditJob(facts, { id, job, acceptedAt: at }),
      ...(isFaultless ? auditFaultless(facts, { id, job }) : [])
    ]
  })
}

const rule = "a job fails only after three interruptions while it ran alone, without progress"

const repeatRule = makeRule(
  "SuspectNextToOthers",
  "an interrupted job is repeated alone",
  ({ by, id }) => `${by} transcribes ${id} together with other jobs, although ${id} was interrupted`
)

/** A job may fail after this many interruptions. */
const interruptionsMin = 3

const sentence = "The work was interrupted too often"

/** Returns how often, at most, a job that ran alone was interrupted between two stored pieces. */
const countInterruptions = (facts: ReadonlyArray<Fact>, id: string): number => {
  let [most, count] = [0, 0]
  for (const fact of facts) {
    if (fact._tag === "PieceStored" && fact.id === id) count = 0
    if (fact._tag === "Interrupted" && fact.id === id && fact.wasAlone) count += 1
    most = Math.max(most, count)
  }
  return most
}

export const auditInterruptions = (facts: ReadonlyArray<Fact>): ReadonlyArray<Violation> => {
  const givenUp = factsOf(facts, "Looked").flatMap(({ id, seen }) =>
    seen !== "NotFound" && seen.error === sentence ? [id] : []
  )
  const blamed = [...new Set(givenUp)].flatMap((id) => {
    const count = countInterruptions(facts, id)
    const what = `${id} failed, but was interrupted alone only ${count} times`
    return count >= interruptionsMin ? [] : [{ rule, what }]
  })
  return [...blamed, ...repeatRule(facts)]
}

const gone = "a deleted job stays deleted"

/** Returns when the deletion of each deleted job was first reported. */
const findDeletions = (facts: ReadonlyArray<Fact>): ReadonlyMap<string, number> => {
  const answered = factsOf(facts, "Removed").filter(({ isAnswered }) => isAnswered)
  const missed = factsOf(facts, "Looked").filter(({ seen }) => seen === "NotFound")
  const first = new Map<string, number>()
  for (const { endedAt, id } of [...answered, ...missed]) {
    first.set(id, Math.min(endedAt, first.get(id) ?? Number.POSITIVE_INFINITY))
  }
  return first
}

/** Returns all answers and requests that still show a deleted job. */
const findRemains = (
  facts: ReadonlyArray<Fact>,
  id: string,
  goneAt: number
): ReadonlyArray<string> => {
  const isLater = ({ beganAt }: { readonly beganAt: number }) => beganAt > goneAt
  const looks = factsAbout(facts, "Looked", id).filter(isLater)
  const redeliveries = factsAbout(facts, "Redelivery", id).filter(isLater)
  const retries = factsAbout(facts, "Retry", id).filter(isLater)
  const stored = factsOf(facts, "Stored").flatMap(({ entries }) => entries)
  const remains: ReadonlyArray<readonly [boolean, string]> = [
    [looks.some(({ seen }) => seen !== "NotFound"), "a look finds it"],
    [stored.some((entry) => entry.id === id), "it is stored"],
    [redeliveries.some(isGranted), "its webhook goes out again"],
    [retries.some(isGranted), "it runs again"]
  ]
  return remains.flatMap(([isThere, what]) => (isThere ? [what] : []))
}

export const auditRemovals = (facts: ReadonlyArray<Fact>): ReadonlyArray<Violation> => {
  const deletions = findDeletions(facts)
  const requested = new Set(factsOf(facts, "Removed").map(({ id }) => id))
  return [
    ...[...deletions].flatMap(([id, goneAt]) =>
      findRemains(facts, id, goneAt).map((what) => ({
        rule: gone,
        what: `${id}: ${what} after ${goneAt} ms`
      }))
    ),
    ...[...requested]
      .filter((id) => !deletions.has(id))
      .map((id) => ({
        rule: "every deletion is eventually answered",
        what: `${id} is neither gone nor kept`
      }))
  ]
}
