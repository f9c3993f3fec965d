/**
 * The formats of jobs and of their work (docs/decisions/0015). A row has the lowest one that
 * describes it, and it never falls: its history may hold what earlier versions cannot read.
 */
import type { JobEvent } from "@verbatim/core/job"

/** The format of new jobs: every version reads it. */
export const firstFormat = 1

/** The newest that this code reads and writes. Rows of a higher one belong to newer code. */
export const jobFormat = 1

/** The formats of events that the first one does not describe. */
const laterEvents: Readonly<Record<string, number>> = {}

/** The lowest format that describes these events. */
export const formatOf = (events: ReadonlyArray<JobEvent>): number =>
  Math.max(firstFormat, ...events.map(({ event }) => laterEvents[event._tag] ?? firstFormat))
