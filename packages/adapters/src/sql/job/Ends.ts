/** The columns of a job that say when it ended and what it holds besides itself. */
import { type Holding, type Job, type NotedEnd, notedEnd } from "@verbatim/core/job"
import { DateTime, Option } from "effect"

/** What a job holds, as a number in its row. They never change. */
export const holdings = { Nothing: 0, Transcript: 1, Media: 2 } as const satisfies Record<
  Holding,
  number
>

/** The columns of a note. */
const noteColumns = ({ endedAt, holding }: NotedEnd) => ({
  ended_at: Option.getOrNull(Option.map(endedAt, DateTime.toEpochMillis)),
  holding: holdings[holding]
})

/** The columns of a job. */
export const endColumns = (job: Job) => noteColumns(notedEnd(job))
