/**
 * Checks stores under concurrency. Several processes make random calls in rounds. After each round,
 * its records are judged and discarded.
 */
import { Clock, Effect, Fiber } from "effect"
import type { LeaseOf, Recorded } from "./calls/CallRecord.ts"
import type { Ending } from "./FinalCalls.ts"
import { judge } from "./judge/Judge.ts"
import { jobsOf } from "./judge/Occurrence.ts"
import type { Member } from "./Member.ts"

/** Counts calls and their outcomes by the name of the call. */
interface Statistics {
  readonly calls: Readonly<Record<string, number>>
  readonly refused: Readonly<Record<string, number>>
  readonly unknown: Readonly<Record<string, number>>
  readonly total: number
}

/** Adds the counts of some records to earlier counts. */
const addCounts = (before: Statistics, records: ReadonlyArray<Recorded>): Statistics => {
  const add = (counts: Statistics["calls"], isCounted: (record: Recorded) => boolean) => {
    const sum = { ...counts }
    for (const { call } of records.filter(isCounted)) sum[call] = (sum[call] ?? 0) + 1
    return sum
  }
  return {
    calls: add(before.calls, () => true),
    refused: add(before.refused, ({ outcome }) => outcome.is === "refused"),
    unknown: add(before.unknown, ({ outcome }) => outcome.is === "unknown"),
    total: before.total + records.length
  }
}

export interface CheckOptions {
  readonly seed: number
  /** Total number of calls made by all processes. */
  readonly operations: number
  readonly members: ReadonlyArray<Member>
  /** Number of fibers per process. Default: 24. */
  readonly fibers?: number
  /** Number of calls per round. Default: 20,000. */
  readonly roundSize?: number
  /** Whether every caller waits for its answer. By default, one in a hundred callers does not. */
  readonly arePatient?: boolean
  /** Returns whether to start another round. Default: always. */
  readonly goesOn?: () => boolean
  /** Called after each round with the totals so far. */
  readonly onRound?: (report: Report) => void
  /**
   * Called with the records of each round that has a violation, so that the round can be judged
   * again.
   */
  readonly onViolation?: (records: ReadonlyArray<Recorded>) => void
}

/** The result of a concurrency check. */
export interface Report {
  readonly rounds: number
  readonly violations: ReadonlyArray<string>
  readonly undecided: number
  readonly statistics: Statistics
}

/** Maximum number of violations to keep. A single fault can cause thousands of violations. */
const violationsMax = 100

const slugOf = ({ input }: Recorded): ReadonlyArray<string> =>
  "slug" in input && input.slug !== "" ? [input.slug] : []

const keyOf = ({ call, input }: Recorded): ReadonlyArray<string> =>
  call === "insert" && input.key !== null ? [input.key.name] : []

/**
 * Returns every lease that was held, and every lease that a claim with a lost response may have
 * obtained.
 */
const leasesOf = (
  records: ReadonlyArray<Recorded>,
  jobs: ReadonlyArray<number>
): ReadonlyArray<LeaseOf> =>
  records.flatMap((record) => {
    if (record.call !== "claim") return []
    const { token } = record.input
    const claimed = record.outcome.is === "answered" ? jobsOf(record) : jobs
    return claimed.map((job) => ({ job, token }))
  })

const endingOf = (round: number, records: ReadonlyArray<Recorded>): Ending => {
  const jobs = [
    ...new Set(records.flatMap((record) => (record.call === "insert" ? jobsOf(record) : [])))
  ]
  const transcripts = records.flatMap((record) =>
    record.call === "commit" && record.input.transcript !== null ? [record.input.job] : []
  )
  return {
    round,
    jobs,
    transcripts: [...new Set(transcripts)],
    slugs: [...new Set(records.flatMap(slugOf))],
    keys: [...new Set(records.flatMap(keyOf))],
    leases: leasesOf(records, jobs)
  }
}

/** Runs one round with its final calls. */
const playRound = Effect.fnUntraced(function* (
  { arePatient = false, fibers = 24, members, roundSize = 20_000, seed }: CheckOptions,
  round: number
) {
  const shared = {
    ...{ seed, round, fibers, arePatient, members: members.length },
    calls: Math.ceil(roundSize / members.length),
    todayMillis: yield* Clock.currentTimeMillis
  }
  const played = yield* Effect.forEach(
    members,
    (member, index) => member({ do: "play", round: { ...shared, member: index } }),
    { concurrency: "unbounded" }
  )
  const records = played.flat()
  const looked = yield* Effect.forEach(members.slice(0, 1), (member) =>
    member({ do: "close", ending: endingOf(round, records) })
  )
  return [...records, ...looked.flat()]
})

const judgeRecords = (report: Report, records: ReadonlyArray<Recorded>): Report => {
  const { undecided, violations } = judge(records)
  return {
    rounds: report.rounds + 1,
    violations: [...report.violations, ...violations].slice(0, violationsMax),
    undecided: report.undecided + undecided,
    statistics: addCounts(report.statistics, records)
  }
}

/** Checks the stores of several processes, which share a database that starts empty. */
export const check = Effect.fnUntraced(function* (
  options: CheckOptions
): Effect.fn.Return<Report, unknown> {
  const { goesOn = () => true, members, onRound, onViolation, operations } = options
  const statistics = { calls: {}, refused: {}, unknown: {}, total: 0 }
  let report: Report = { rounds: 0, violations: [], undecided: 0, statistics }
  yield* Effect.forEach(members.slice(0, 1), (member) => member({ do: "found" }))
  let attempted = 0
  let played = yield* Effect.forkChild(playRound(options, 0))
  for (let round = 1; ; round++) {
    const records = yield* Fiber.join(played)
    attempted += records.length
    const isLast = attempted >= operations || !goesOn()
    // The next round runs while the previous round is judged.
    if (!isLast) played = yield* Effect.forkChild(playRound(options, round))
    yield* Effect.yieldNow
    const found = report.violations.length + report.undecided
    report = judgeRecords(report, records)
    if (report.violations.length + report.undecided > found) onViolation?.(records)
    onRound?.(report)
    if (isLast) return report
  }
})
