/**
 * Pages of jobs as the wire knows them: what a caller may ask for, and what a page shows.
 */
import { DateTime, Option, Result, Schema, Struct } from "effect"
import { JobId } from "../attempt/JobId.ts"
import { InvalidParameter } from "../transcription/TranscriptionRefusal.ts"
import type { BalanceMillis } from "../workspace/Balance.ts"
import type { WorkspaceId } from "../workspace/Workspace.ts"
import type { Job } from "./Job.ts"
import { JobView, LegacyStatus, toView } from "./JobView.ts"

/** A page of the jobs of one workspace, as it is asked of a store. */
export interface JobQuery {
  readonly workspaceId: WorkspaceId
  /** Only jobs with that status; all of them when there is none. */
  readonly status: Option.Option<LegacyStatus>
  /** The page begins after that job, which need no longer exist. */
  readonly after: Option.Option<JobId>
  readonly limit: number
}

/** A job in a list: its status without the transcript, and when it was accepted. */
export const ListedJob = Schema.Struct({
  ...Struct.omit(JobView.fields, ["output"]),
  created_at: Schema.String.annotate({
    format: "date-time",
    description: "When it was accepted: ISO 8601 UTC with milliseconds."
  })
})
export type ListedJob = typeof ListedJob.Type

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

/** The query, or the first parameter that is wrong. */
export const parse = (
  workspaceId: WorkspaceId,
  { cursor, limit, status }: Wanted
): Result.Result<JobQuery, InvalidParameter> =>
  Result.gen(function* () {
    return {
      workspaceId,
      status: yield* read(status, {
        decode: decodeStatus,
        refusal: invalid("status", `Must be one of ${LegacyStatus.literals.join(", ")}`)
      }),
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
  data: jobs.map((job) => ({
    ...toView(job, { balanceMillis, transcript: Option.none() }),
    created_at: DateTime.formatIso(job.acceptedAt)
  })),
  next_cursor: hasMore ? (jobs.at(-1)?.id ?? null) : null
})
