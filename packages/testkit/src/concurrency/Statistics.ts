/**
 * What a run asked, how much of it got no answer, and how many commits met at one job.
 */
import type { Ask, Recorded } from "./questions/Question.ts"

/** Counts of a run, or of a part of it. */
export interface Statistics {
  readonly questions: Readonly<Partial<Record<Ask, number>>>
  readonly refused: Readonly<Partial<Record<Ask, number>>>
  readonly unknown: Readonly<Partial<Record<Ask, number>>>
  /** Commits by how many others of the same job were under way with them: none, one, two, … */
  readonly beside: ReadonlyArray<number>
  readonly total: number
}

/** The counts of nothing. */
export const noStatistics: Statistics = {
  questions: {},
  refused: {},
  unknown: {},
  beside: [],
  total: 0
}

type Counts = Readonly<Partial<Record<Ask, number>>>

const count = (records: ReadonlyArray<Recorded>): Counts => {
  const counts: Partial<Record<Ask, number>> = {}
  for (const { ask } of records) counts[ask] = (counts[ask] ?? 0) + 1
  return counts
}

/** Higher numbers count as this one. */
const besideMax = 5

const besideOf = (records: ReadonlyArray<Recorded>): ReadonlyArray<number> => {
  const counts = Array.from({ length: besideMax + 1 }, () => 0)
  const commits = records.filter(({ ask }) => ask === "commit")
  const ofJob = Map.groupBy(commits, (record) =>
    record.ask === "commit" ? record.question.job : 0
  )
  for (const all of ofJob.values()) {
    for (const one of all) {
      const met = all.filter(
        (other) => other.invoked < one.returned && one.invoked < other.returned
      ).length
      const place = Math.min(met - 1, besideMax)
      counts[place] = (counts[place] ?? 0) + 1
    }
  }
  return counts
}

/** The counts of what was recorded. */
export const statisticsOf = (records: ReadonlyArray<Recorded>): Statistics => ({
  questions: count(records),
  refused: count(records.filter(({ outcome }) => outcome.is === "refused")),
  unknown: count(records.filter(({ outcome }) => outcome.is === "unknown")),
  beside: besideOf(records),
  total: records.length
})

const sum = (one: Counts, other: Counts): Counts => {
  const asks = new Set([...Object.keys(one), ...Object.keys(other)] as ReadonlyArray<Ask>)
  return Object.fromEntries(Array.from(asks, (ask) => [ask, (one[ask] ?? 0) + (other[ask] ?? 0)]))
}

/** The sum of both. */
export const add = (one: Statistics, other: Statistics): Statistics => ({
  questions: sum(one.questions, other.questions),
  refused: sum(one.refused, other.refused),
  unknown: sum(one.unknown, other.unknown),
  beside: Array.from(
    { length: Math.max(one.beside.length, other.beside.length) },
    (_, index) => (one.beside[index] ?? 0) + (other.beside[index] ?? 0)
  ),
  total: one.total + other.total
})
