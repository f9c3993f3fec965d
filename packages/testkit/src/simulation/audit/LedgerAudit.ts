/**
 * Audits the final ledger. It has the acknowledged credits, one charge for each transcribed job,
 * and no charge for others. Its sum is the balance.
 */

import {
  type Fact,
  factsAbout,
  factsOf,
  type Seen,
  type Submission,
  type Violation
} from "../record/Facts.ts"
import { mayHaveRestarted } from "./GrantedFollowUps.ts"

/** Credits are whole minutes, but a job's length is never a whole number of minutes. */
const isCredit = (millis: number): boolean => millis % 60_000 === 0

const count = <A>(list: ReadonlyArray<A>, wanted: A): number =>
  list.filter((each) => each === wanted).length

/** A job's last known state. */
interface Last {
  readonly seen: Seen
  /** Whether the job may have been retried later, and deleted before a client read it again. */
  readonly mayHaveRun: boolean
}

/** Returns each accepted job as a client last saw it. */
const lastSeen = (facts: ReadonlyArray<Fact>): ReadonlyMap<string, Last> => {
  const markers = new Map(factsOf(facts, "Accepted").map(({ id, marker }) => [id, marker]))
  const end = { endedAt: Number.POSITIVE_INFINITY }
  const last = new Map<string, Last>()
  for (const look of factsOf(facts, "Looked")) {
    const { id, seen } = look
    const marker = markers.get(id)
    if (marker === undefined || seen === "NotFound") continue
    const retries = factsAbout(facts, "Retry", id)
    last.set(marker, { seen, mayHaveRun: mayHaveRestarted(retries, look, end) })
  }
  return last
}

interface Ledger {
  readonly isNeighbours: boolean
  readonly amounts: ReadonlyArray<number>
}

const auditCharges = (
  facts: ReadonlyArray<Fact>,
  { amounts: charges, isNeighbours }: Ledger
): ReadonlyArray<Violation> => {
  const rule = "a job is charged once, for its length, when it was transcribed"
  const jobs = factsOf(facts, "Submitted")
    .map(({ submission }) => submission)
    .filter((job) => (job.isNeighbours ?? false) === isNeighbours)
  const last = lastSeen(facts)
  const stray = charges.filter((charge) => jobs.every((job) => job.durationMillis !== -charge))
  const isDone = ({ marker }: Submission) => {
    const transcription = last.get(marker)?.seen.transcription
    return transcription === "TRANSCRIBED" || transcription === "COMPLETED"
  }
  const hasFailed = ({ marker }: Submission) => {
    const { mayHaveRun = false, seen } = last.get(marker) ?? {}
    return seen?.transcription === "FAILED" && !mayHaveRun
  }
  // Jobs with the same recording have the same length.
  const byLength = Map.groupBy(jobs, ({ durationMillis }) => durationMillis)
  return [
    ...stray.map((charge) => ({ rule, what: `nobody knows what ${charge} ms are for` })),
    ...[...byLength].flatMap(([durationMillis, same]) => {
      const times = count(charges, -durationMillis)
      const timesMin = same.filter(isDone).length
      const timesMax = same.filter((job) => !hasFailed(job)).length
      const markers = same.map(({ marker }) => marker).join(" and ")
      const isWrong = times < timesMin || times > timesMax
      return isWrong ? [{ rule, what: `${markers} was charged ${times} times` }] : []
    })
  ]
}

const auditCredits = (
  facts: ReadonlyArray<Fact>,
  { amounts: credits, isNeighbours }: Ledger
): ReadonlyArray<Violation> => {
  const rule = "an acknowledged credit is booked once, and no other credit is booked"
  const requested = factsOf(facts, "Credited").filter(
    (credit) => (credit.isNeighbours ?? false) === isNeighbours
  )
  return [...new Set([...credits, ...requested.map(({ millis }) => millis)])].flatMap((millis) => {
    const same = requested.filter((credit) => credit.millis === millis)
    const certain = same.filter(({ isCertain }) => isCertain).length
    const booked = count(credits, millis)
    const what = `${millis} ms: requested ${same.length}, acknowledged ${certain}, booked ${booked}`
    return booked < certain || booked > same.length ? [{ rule, what }] : []
  })
}

export const auditLedger = (facts: ReadonlyArray<Fact>): ReadonlyArray<Violation> =>
  factsOf(facts, "LedgerRead").flatMap(({ amounts, balanceMillis, isNeighbours = false }) => {
    const sum = amounts.reduce((total, amount) => total + amount, 0)
    const rule = "the ledger sums to the balance"
    return [
      ...(sum === balanceMillis ? [] : [{ rule, what: `${sum} is not ${balanceMillis}` }]),
      ...auditCharges(facts, {
        isNeighbours,
        amounts: amounts.filter((amount) => !isCredit(amount))
      }),
      ...auditCredits(facts, { isNeighbours, amounts: amounts.filter(isCredit) })
    ]
  })
