/**
 * The formats of jobs and of their work (docs/decisions/0015). A row has the lowest one that
 * describes it, and it never falls: its history may hold what earlier versions cannot read.
 */
import type { Failure } from "@verbatim/core/attempt"
import type { Job, JobEvent } from "@verbatim/core/job"
import type { TranscriptionRequest } from "@verbatim/core/transcription"

/** The format that every version reads: the default of the columns. */
const firstFormat = 1

/** The newest that this code reads and writes. Rows of a higher one belong to newer code. */
export const jobFormat = 7

/**
 * Since format 2: attempts given back because of outages and deaths, and so work of the kind
 * `Isolate`; jobs that run again.
 */
const secondEvents: ReadonlySet<string> = new Set<JobEvent["event"]["_tag"]>([
  "AttemptPostponed",
  "AttemptLost",
  "RetryRequested"
])

const secondFailures: ReadonlySet<string> = new Set<Failure["_tag"]>([
  "BodyChanged",
  "TranscriptMissing"
])

const isSecond = ({ event }: JobEvent): boolean =>
  secondEvents.has(event._tag) || ("failure" in event && secondFailures.has(event.failure._tag))

/** Since format 3: jobs of which something is gone. */
const isThird = ({ _tag }: JobEvent): boolean => _tag === "Keeping"

/** Since format 4: jobs with a notice, and so work of the kind `Notify`. */
const isFourth = ({ _tag }: JobEvent): boolean => _tag === "Notice"

/**
 * Since format 6: jobs with keywords, or with a number of speakers. Older code would leave them
 * out, and not say that no engine was told them.
 */
const isSixth = ({ keywords, speakerCount }: TranscriptionRequest): boolean =>
  keywords !== undefined || speakerCount !== undefined

/**
 * Since format 7: jobs with a choice of sound tracks, and transcripts with warnings. Older code
 * would hear the default track, and forget the warnings with its next commit.
 */
const isSeventh = ({ event }: JobEvent): boolean => "warnings" in event

/**
 * The lowest format that describes a new job. To older code one with a notice would be over when
 * its webhook is, and nobody would be told.
 */
export const formatOfNew = ({ notice, request }: Job): number => {
  if (request.tracks !== undefined) return 7
  if (isSixth(request)) return 6
  return notice === undefined ? firstFormat : 4
}

/** The lowest format that describes these events. */
export const formatOf = (events: ReadonlyArray<JobEvent>): number => {
  if (events.some(isSeventh)) return 7
  if (events.some(isFourth)) return 4
  if (events.some(isThird)) return 3
  return events.some(isSecond) ? 2 : firstFormat
}
