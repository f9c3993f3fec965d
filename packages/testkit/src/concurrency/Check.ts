/**
 * Checks stores under concurrency: rounds of random calls from several processes; each round is
 * judged as a whole at its end, and then discarded.
 */
import { Clock, Effect, Fiber } from "effect"
import type { Ending } from "./FinalCalls.ts"
import { judge } from "./judge/Judge.ts"
import { jobsOf } from "./judge/Occurrence.ts"
import type { Member } from "./Member.ts"
import type { Ask, LeaseOf, Recorded } from "./questions/Question.ts"

type Counts = Readonly<Partial<Record<Ask, number>>>

/** Counts over a run, or a part of it. */
interface Statistics {
  readonly questions: Counts
  readonly refused: Counts
  readonly unknown: Counts
  readonly total: number
}

const noStatistics: Statistics = { questions: {}, refused: {}, unknown: {}, total: 0 }

/** Adds the counts of some records. */
const addCounts = (before: Statistics, records: ReadonlyArray<Recorded>): Statistics => {
  const add = (counts: Counts, isCounted: (record: Recorded) => boolean): Counts => {
    const sum: Partial<Record<Ask, number>> = { ...counts }
    for (const { ask } of records.filter(isCounted)) sum[ask] = (sum[ask] ?? 0) + 1
    return sum
  }
  return {
    questions: add(before.questions, () => true),
    refused: add(before.refused, ({ outcome }) => outcome.is === "refused"),
    unknown: add(before.unknown, ({ outcome }) => outcome.is === "unknown"),
    total: before.total + records.length
  }
}

/** Options of a check. */
export interface CheckOptions {
  readonly seed: number
  /** Number of calls of all processes together. */
  readonly operations: number
  readonly members: ReadonlyArray<Member>
  /** Fibers per process. Default: 24. */
  readonly fibers?: number
  /** Calls per round. Default: 20,000. */
  readonly roundSize?: number
  /** Whether to start another round. Default: always. */
  readonly goesOn?: () => boolean
  /** Called after each round. */
  readonly onRound?: (report: Report) => void
  /** Called with all records of a round with a violation, so that it can be judged again. */
  readonly onViolation?: (records: ReadonlyArray<Recorded>) => void
}

/** The result of a check. */
export interface Report {
  readonly rounds: number
  readonly violations: ReadonlyArray<string>
  readonly undecided: number
  readonly statistics: Statistics
}

/** Violations kept: one fault causes thousands. */
const violationsMax = 100

const slugOf = ({ question }: Recorded): ReadonlyArray<string> =>
  "slug" in question && question.slug !== "" ? [question.slug] : []

const keyOf = ({ ask, question }: Recorded): ReadonlyArray<string> =>
  ask === "insert" && question.key !== null ? [question.key.name] : []

/** Returns every lease that was held, or may have been when an answer was lost. */
const leasesOf = (
  records: ReadonlyArray<Recorded>,
  jobs: ReadonlyArray<number>
): ReadonlyArray<LeaseOf> =>
  records.flatMap((record) => {
    if (record.ask !== "claim") return []
    const { token } = record.question
    const claimed = record.outcome.is === "answered" ? jobsOf(record) : jobs
    return claimed.map((job) => ({ job, token }))
  })

const endingOf = (
  { round, todayMillis }: Pick<Ending, "round" | "todayMillis">,
  records: ReadonlyArray<Recorded>
): Ending => {
  const jobs = [
    ...new Set(records.flatMap((record) => (record.ask === "insert" ? jobsOf(record) : [])))
  ]
  const transcripts = records.flatMap((record) =>
    record.ask === "commit" && record.question.transcript !== null ? [record.question.job] : []
  )
  return {
    round,
    todayMillis,
    jobs,
    transcripts: [...new Set(transcripts)],
    slugs: [...new Set(records.flatMap(slugOf))],
    keys: [...new Set(records.flatMap(keyOf))],
    leases: leasesOf(records, jobs)
  }
}

/** Runs one round and its final calls. */
const playRound = Effect.fnUntraced(function* (
  { fibers = 24, members, roundSize = 20_000, seed }: CheckOptions,
  round: number
) {
  const todayMillis = yield* Clock.currentTimeMillis
  const questions = Math.ceil(roundSize / members.length)
  const played = yield* Effect.forEach(
    members,
    (member, index) =>
      member({
        do: "play",
        round: {
          seed,
          round,
          member: index,
          members: members.length,
          fibers,
          questions,
          todayMillis
        }
      }),
    { concurrency: "unbounded" }
  )
  const records = played.flat()
  const looked = yield* Effect.forEach(members.slice(0, 1), (member) =>
    member({ do: "close", ending: endingOf({ round, todayMillis }, records) })
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

/** Checks the stores of these processes, which share one empty database. */
export const check = Effect.fnUntraced(function* (
  options: CheckOptions
): Effect.fn.Return<Report, unknown> {
  const { goesOn = () => true, members, onRound, onViolation, operations } = options
  let report: Report = {
    rounds: 0,
    violations: [],
    undecided: 0,
    statistics: noStatistics
  }
  yield* Effect.forEach(members.slice(0, 1), (member) => member({ do: "found" }))
  let asked = 0
  let played = yield* Effect.forkChild(playRound(options, 0))
  for (let round = 1; ; round++) {
    const records = yield* Fiber.join(played)
    asked += records.length
    const isLast = asked >= operations || !goesOn()
    // The next round runs while this one is judged.
    if (!isLast) played = yield* Effect.forkChild(playRound(options, round))
    yield* Effect.yieldNow
    const found = report.violations.length + report.undecided
    report = judgeRecords(report, records)
    if (report.violations.length + report.undecided > found) onViolation?.(records)
    onRound?.(report)
    if (isLast) return report
  }
})
