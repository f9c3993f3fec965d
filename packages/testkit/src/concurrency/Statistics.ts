/** Counts of a run: what was asked, and how much of it was refused or got no answer. */
import type { Ask, Recorded } from "./questions/Question.ts"

type Counts = Readonly<Partial<Record<Ask, number>>>

/** Counts of a run, or of a part of it. */
export interface Statistics {
  readonly questions: Counts
  readonly refused: Counts
  readonly unknown: Counts
  readonly total: number
}

/** The counts of nothing. */
export const noStatistics: Statistics = { questions: {}, refused: {}, unknown: {}, total: 0 }

/** Adds what was recorded. */
export const count = (before: Statistics, records: ReadonlyArray<Recorded>): Statistics => {
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
