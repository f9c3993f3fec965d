/**
 * Lists of jobs: the query parameters, and the page in the response.
 */
import { DateTime, Duration, Option, Result, Schema } from "effect"
import { JobId } from "../attempt/Attempt.ts"
import { type Match, type Moment, toMatch } from "../rendering/SearchText.ts"
import { queryWords } from "../rendering/SearchWords.ts"
import { readTime } from "../schema/Instant.ts"
import { isSendable } from "../transcription/CallbackId.ts"
import { InvalidParameter } from "../transcription/TranscriptionRefusal.ts"
import type { KeyKind } from "../workspace/ApiKey.ts"
import type { BalanceMillis } from "../workspace/Usage.ts"
import { type WorkspaceId, WorkspaceIdParameter } from "../workspace/Workspace.ts"
import type { Job } from "./Job.ts"
import { ListedJob, type OwnedJob, toListed, toWorkspaceJob, WorkspaceJob } from "./JobDetails.ts"
import { LegacyStatus, ListedFailure } from "./JobView.ts"

/** The query for a page of jobs, as a store receives it. */
export interface JobQuery {
  /** Only jobs of this workspace; null for the jobs of all workspaces. */
  readonly workspaceId: WorkspaceId | null
  /** Only jobs with this status; all jobs if there is no status. */
  readonly status: Option.Option<LegacyStatus>
  /** Only jobs that failed for this reason, as `failureName` returns it. */
  readonly cause?: typeof ListedFailure.Type | undefined
  /** Only jobs accepted at or after this time. */
  readonly createdFrom?: DateTime.Utc | undefined
  /** Only jobs accepted before this time. */
  readonly createdBefore?: DateTime.Utc | undefined
  /** Only jobs submitted with this callback id. */
  readonly callbackId?: string | undefined
  /** Only jobs whose transcript, with its corrections, contains all these words. */
  readonly words?: ReadonlyArray<string> | undefined
  /** The last job of the previous page, which may have been deleted since. */
  readonly after: Option.Option<JobId>
  readonly limit: number
}

/**
 * Maximum time between the creation of a job's id and that of the job. The id is created when the
 * request arrives, and an upload can take an hour. The second hour allows for a store clock that is
 * set back during the upload.
 */
const idAgeMax = Duration.hours(2)

/** Maximum duration by which the store's clock may be set back during an upload. */
const clockAheadMax = Duration.minutes(10)

/**
 * Maximum duration by which a process's clock may be behind the store's clock. A slow clock makes
 * an id older than its job.
 */
const clockBehindMax = Duration.minutes(10)

/** The length of the digits that hold a UUIDv7's timestamp: 48 bits, in milliseconds. */
const instantLength = "00000000-0000".length

/** Returns a UUIDv7 with its timestamp replaced. */
export const withInstant = (id: string, at: DateTime.Utc): string => {
  const hex = Math.max(0, DateTime.toEpochMillis(at)).toString(16).padStart(12, "0")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}${id.slice(instantLength)}`
}

/** Returns the lowest id for a timestamp. */
const lowestId = (at: DateTime.Utc): string =>
  withInstant("00000000-0000-7000-8000-000000000000", at)

/**
 * Whether a job's id must have been created before a time on the store's clock, even if the process
 * that created it had a slow clock.
 */
export const isIdBefore = (id: JobId, at: DateTime.Utc): boolean =>
  id < lowestId(DateTime.subtractDuration(at, clockBehindMax))

/**
 * Returns the range of ids that jobs with these dates can have. The lower bound is inclusive, and
 * the upper bound is exclusive. A store reads only jobs in this range, and then compares their
 * dates.
 */
export const idRange = ({
  createdBefore,
  createdFrom
}: Pick<JobQuery, "createdBefore" | "createdFrom">): {
  readonly from: string | undefined
  readonly below: string | undefined
} => ({
  from: createdFrom && lowestId(DateTime.subtractDuration(createdFrom, idAgeMax)),
  below: createdBefore && lowestId(DateTime.addDuration(createdBefore, clockAheadMax))
})

/**
 * A page of jobs, newest first. `next_cursor` leads to the next page, and is null on the last page.
 */
export const JobPage = Schema.Struct({
  data: Schema.Array(ListedJob),
  next_cursor: Schema.NullOr(Schema.String)
})
export type JobPage = typeof JobPage.Type

/** A page of jobs from all workspaces, newest first. */
export const WorkspaceJobPage = Schema.Struct({
  data: Schema.Array(WorkspaceJob),
  next_cursor: Schema.NullOr(Schema.String)
})
export type WorkspaceJobPage = typeof WorkspaceJobPage.Type

/** Maximum number of jobs on a page. */
export const limitMax = 100

/** Default number of jobs on a page. */
export const limitDefault = 50

/** Maximum length of a search text, in characters. */
export const searchLengthMax = 200

/**
 * The parameters in the URL of a list of jobs. An empty string means the same as a missing
 * parameter.
 */
export interface JobListParameters {
  readonly status?: string | undefined
  readonly cause?: string | undefined
  readonly callbackId?: string | undefined
  readonly createdAfter?: string | undefined
  readonly createdBefore?: string | undefined
  /** Words to find in the transcript. */
  readonly q?: string | undefined
  readonly cursor?: string | undefined
  readonly limit?: string | undefined
}

/**
 * The parameters of an operator's list of jobs. `q` is refused, because matching passages are parts
 * of transcripts.
 */
export interface AllJobsParameters extends JobListParameters {
  /** The workspace with the jobs to list; all workspaces by default. */
  readonly workspaceId?: string | undefined
}

const invalid = (parameter: string, rule: string) =>
  new InvalidParameter({ parameter, detail: `Invalid '${parameter}' value. ${rule}` })

/** Creates a function that parses one parameter; undefined if the parameter is missing. */
const reader =
  <A>(name: string, rule: string, decode: (text: string) => Option.Option<A>) =>
  (text: string | undefined): Result.Result<A | undefined, InvalidParameter> =>
    text === undefined || text === ""
      ? Result.succeed(undefined)
      : Result.fromOption(decode(text), () => invalid(name, rule))

/** Only digits are allowed, because `Number` would also accept ` 1e1`. */
const decodeLimit = (text: string): Option.Option<number> =>
  /^[0-9]{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= limitMax
    ? Option.some(Number(text))
    : Option.none()

/** Returns the words of a search; none if the text has no words or is too long. */
const decodeSearch = (text: string): Option.Option<ReadonlyArray<string>> => {
  const trimmed = text.trim()
  // A character has at most two UTF-16 units, so a huge text is refused before its characters are
  // counted.
  if (trimmed.length > 2 * searchLengthMax) return Option.none()
  if (Array.from(trimmed).length > searchLengthMax) return Option.none()
  return Option.liftPredicate(queryWords(trimmed), (words) => words.length > 0)
}

/** Whether a text is a valid search for words in transcripts. */
export const hasSearchWords = (text: string): boolean => Option.isSome(decodeSearch(text))

const searchRule = `Must be 1 to ${searchLengthMax} characters, with a letter or a digit`

const timeRule = "Must be a day such as 2030-01-02, or an instant such as 2030-01-02T03:04:05Z"

const statusRule = `Must be one of ${LegacyStatus.literals.join(", ")}`

const causeRule = "Must be the name of a failure, such as MediaUnreachable"

const readers = {
  status: reader("status", statusRule, Schema.decodeUnknownOption(LegacyStatus)),
  cause: reader("cause", causeRule, Schema.decodeUnknownOption(ListedFailure)),
  callbackId: reader(
    "callback_id",
    "Must be the callback_id of a job",
    Option.liftPredicate(isSendable)
  ),
  words: reader("q", searchRule, decodeSearch),
  createdFrom: reader("created_after", timeRule, readTime),
  createdBefore: reader("created_before", timeRule, readTime),
  after: reader("cursor", "Must be the next_cursor of a page", Schema.decodeOption(JobId)),
  limit: reader("limit", `Must be an integer from 1 to ${limitMax}`, decodeLimit),
  workspaceId: reader(
    "workspace_id",
    "Must be the id of a workspace",
    Schema.decodeOption(WorkspaceIdParameter)
  )
}

/** Parses the parameters of a list of jobs, or refuses the first invalid one. */
export const parse = (
  workspaceId: JobQuery["workspaceId"],
  { callbackId, cause, createdAfter, createdBefore, cursor, limit, q, status }: JobListParameters
): Result.Result<JobQuery, InvalidParameter> =>
  Result.gen(function* () {
    return {
      workspaceId,
      status: Option.fromUndefinedOr(yield* readers.status(status)),
      cause: yield* readers.cause(cause),
      callbackId: yield* readers.callbackId(callbackId),
      words: yield* readers.words(q),
      createdFrom: yield* readers.createdFrom(createdAfter),
      createdBefore: yield* readers.createdBefore(createdBefore),
      after: Option.fromUndefinedOr(yield* readers.after(cursor)),
      limit: (yield* readers.limit(limit)) ?? limitDefault
    }
  })

/** Parses the parameters of an operator's list of jobs, or refuses the first invalid one. */
export const parseForOperator = ({
  q,
  workspaceId,
  ...wanted
}: AllJobsParameters): Result.Result<JobQuery, InvalidParameter> => {
  if (q) return Result.fail(invalid("q", "An operator cannot search transcripts"))
  return Result.flatMap(readers.workspaceId(workspaceId), (id) => parse(id ?? null, wanted))
}

/** A page of jobs from the store. */
export interface ListedJobs {
  readonly jobs: ReadonlyArray<Job>
  readonly hasMore: boolean
  /** The matches of the search in each job; undefined without a search. */
  readonly moments?: ReadonlyMap<JobId, ReadonlyArray<Moment>> | undefined
}

/** Converts a page of jobs to its response form. */
export const toPage = (
  { hasMore, jobs, moments }: ListedJobs,
  shown: { readonly balanceMillis: BalanceMillis; readonly audience: KeyKind }
): JobPage => {
  const matchesOf = ({ id }: Job): { readonly matches?: ReadonlyArray<Match> } =>
    moments === undefined ? {} : { matches: (moments.get(id) ?? []).map(toMatch) }
  return {
    data: jobs.map((job) => ({ ...toListed(job, shown), ...matchesOf(job) })),
    next_cursor: hasMore ? (jobs.at(-1)?.id ?? null) : null
  }
}

/** Converts an operator's page of jobs to its response form. */
export const toWorkspaceJobPage = (
  owned: ReadonlyArray<OwnedJob>,
  hasMore: boolean
): WorkspaceJobPage => ({
  data: owned.map(toWorkspaceJob),
  next_cursor: hasMore ? (owned.at(-1)?.job.id ?? null) : null
})
