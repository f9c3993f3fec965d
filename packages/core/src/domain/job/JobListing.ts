/**
 * Pages of jobs as the wire knows them: what a caller may ask for, and what a page shows.
 */
import { DateTime, Duration, Option, Result, Schema } from "effect"
import { JobId } from "../attempt/Attempt.ts"
import { readTime } from "../schema/Instant.ts"
import { isSendable } from "../transcription/CallbackId.ts"
import { InvalidParameter } from "../transcription/TranscriptionRefusal.ts"
import type { BalanceMillis } from "../workspace/Usage.ts"
import type { WorkspaceId } from "../workspace/Workspace.ts"
import type { Job } from "./Job.ts"
import { ListedJob, toListed } from "./JobDetails.ts"
import { LegacyStatus } from "./JobView.ts"

/** A page of the jobs of one workspace, as it is asked of a store. */
export interface JobQuery {
  readonly workspaceId: WorkspaceId
  /** Only jobs with that status; all of them when there is none. */
  readonly status: Option.Option<LegacyStatus>
  /** Only jobs that were accepted then or later. */
  readonly createdFrom?: DateTime.Utc | undefined
  /** Only jobs that were accepted before. */
  readonly createdBefore?: DateTime.Utc | undefined
  /** Only jobs that were asked for with it. */
  readonly callbackId?: string | undefined
  /** The page begins after that job, which need no longer exist. */
  readonly after: Option.Option<JobId>
  readonly limit: number
}

/**
 * How much older than its job an id may be: it is made when the request arrives, and an upload may
 * take an hour. The other hour is for a clock of the store that was set during it.
 */
const idAgeMax = Duration.hours(2)

/** How far the clock of the store may be set back during an upload. */
const clockAheadMax = Duration.minutes(10)

/** How much a clock may be behind the store's: then an id is older than its job. */
const clockBehindMax = Duration.minutes(10)

/** What an id of version 7 begins with: 48 bits of milliseconds. */
const instantLength = "00000000-0000".length

/** An id of version 7 with another instant. */
export const withInstant = (id: string, at: DateTime.Utc): string => {
  const hex = Math.max(0, DateTime.toEpochMillis(at)).toString(16).padStart(12, "0")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}${id.slice(instantLength)}`
}

/** The lowest id of an instant. */
const lowestId = (at: DateTime.Utc): string =>
  withInstant("00000000-0000-7000-8000-000000000000", at)

/** Whether the id of a job was made before an instant of the store, by whatever clock. */
export const isIdBefore = (id: JobId, at: DateTime.Utc): boolean =>
  id < lowestId(DateTime.subtractDuration(at, clockBehindMax))

/**
 * The ids that jobs of these dates may have: from the first on, and below the second. A store looks
 * at these alone, and compares their dates.
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

/** A page, newest first. The cursor leads to the next one; null on the last. */
export const JobPage = Schema.Struct({
  data: Schema.Array(ListedJob),
  next_cursor: Schema.NullOr(Schema.String)
})
export type JobPage = typeof JobPage.Type

/** Jobs on one page, at most. */
export const limitMax = 100

/** Jobs on a page when the caller does not say how many. */
export const limitDefault = 50

/** What a caller asks for, as text. An empty one is the same as none. */
export interface Wanted {
  readonly status?: string | undefined
  readonly callbackId?: string | undefined
  readonly createdAfter?: string | undefined
  readonly createdBefore?: string | undefined
  readonly cursor?: string | undefined
  readonly limit?: string | undefined
}

const invalid = (parameter: string, rule: string) =>
  new InvalidParameter({ parameter, detail: `Invalid '${parameter}' value. ${rule}` })

const read = <A>(
  text: string | undefined,
  { decode, refusal }: { decode: (text: string) => Option.Option<A>; refusal: InvalidParameter }
): Result.Result<Option.Option<A>, InvalidParameter> => {
  if (text === undefined || text === "") return Result.succeed(Option.none())
  return Option.match(decode(text), {
    onNone: () => Result.fail(refusal),
    onSome: (value) => Result.succeed(Option.some(value))
  })
}

const decodeStatus = Schema.decodeUnknownOption(LegacyStatus)
const decodeId = Schema.decodeOption(JobId)

/** Digits only: `Number` would take ` 1e1` as well. */
const decodeLimit = (text: string): Option.Option<number> =>
  /^[0-9]{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= limitMax
    ? Option.some(Number(text))
    : Option.none()

const timeRule = "Must be a day such as 2030-01-02, or an instant such as 2030-01-02T03:04:05Z"

const readDate = (name: string, text: string | undefined) =>
  Result.map(
    read(text, { decode: readTime, refusal: invalid(name, timeRule) }),
    Option.getOrUndefined
  )

/** The query, or the first parameter that is wrong. */
export const parse = (
  workspaceId: WorkspaceId,
  { callbackId, createdAfter, createdBefore, cursor, limit, status }: Wanted
): Result.Result<JobQuery, InvalidParameter> =>
  Result.gen(function* () {
    return {
      workspaceId,
      status: yield* read(status, {
        decode: decodeStatus,
        refusal: invalid("status", `Must be one of ${LegacyStatus.literals.join(", ")}`)
      }),
      callbackId: Option.getOrUndefined(
        yield* read(callbackId, {
          decode: Option.liftPredicate(isSendable),
          refusal: invalid("callback_id", "Must be the callback_id of a job")
        })
      ),
      createdFrom: yield* readDate("created_after", createdAfter),
      createdBefore: yield* readDate("created_before", createdBefore),
      after: yield* read(cursor, {
        decode: decodeId,
        refusal: invalid("cursor", "Must be the next_cursor of a page")
      }),
      limit: Option.getOrElse(
        yield* read(limit, {
          decode: decodeLimit,
          refusal: invalid("limit", `Must be an integer from 1 to ${limitMax}`)
        }),
        () => limitDefault
      )
    }
  })

/** The page that shows these jobs. */
export const toPage = (
  { hasMore, jobs }: { readonly jobs: ReadonlyArray<Job>; readonly hasMore: boolean },
  balanceMillis: BalanceMillis
): JobPage => ({
  data: jobs.map((job) => toListed(job, balanceMillis)),
  next_cursor: hasMore ? (jobs.at(-1)?.id ?? null) : null
})
