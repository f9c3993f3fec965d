/**
 * Transcription jobs as domain objects, for callers in the same process. `Jobs` builds its views
 * for the wire on these objects.
 */
import { Context, Effect, Layer, Option, Schema } from "effect"
import { JobId } from "../../domain/attempt/Attempt.ts"
import { findMediaKey } from "../../domain/job/Expiry.ts"
import { isClosed, type Job } from "../../domain/job/Job.ts"
import { type JobListParameters, type ListedJobs, parse } from "../../domain/job/JobListing.ts"
import type { Transcript } from "../../domain/transcription/Transcript.ts"
import type { InvalidParameter } from "../../domain/transcription/TranscriptionRefusal.ts"
import type { Principal } from "../../domain/workspace/ApiKey.ts"
import { coreMetrics } from "../../metrics/CoreTable.ts"
import { type HistoryEntry, JobStore, type JobStoreError } from "../../ports/JobStore.ts"
import { Uploads } from "../intake/Uploads.ts"
import { type TranscriptOptions, Transcripts } from "../tasks/Transcripts.ts"
import { RequestNotFound } from "./JobRefusals.ts"
import { type RedeliveryRefusal, Renewals, type RetryRefusal } from "./Renewals.ts"

type Missing = RequestNotFound | JobStoreError

export class JobRecords extends Context.Service<
  JobRecords,
  {
    readonly find: (principal: Principal, id: string) => Effect.Effect<Job, Missing>
    /** The transcript of a job; none until it exists, or if it is no longer stored. */
    readonly transcript: (
      job: Job,
      options?: TranscriptOptions
    ) => Effect.Effect<Option.Option<Transcript>, Missing>
    /**
     * The recognised fraction of the recording; none if the job is not running, or its engine
     * reports no progress.
     */
    readonly progress: (job: Job) => Effect.Effect<Option.Option<number>, JobStoreError>
    /** A page of jobs, newest first. */
    readonly list: (
      principal: Principal,
      wanted: JobListParameters
    ) => Effect.Effect<ListedJobs, InvalidParameter | JobStoreError>
    /** Every commit of a job, oldest first. */
    readonly history: (
      principal: Principal,
      id: string
    ) => Effect.Effect<ReadonlyArray<HistoryEntry>, Missing>
    /** Removes a job with its results and its media, like `Jobs.remove`. */
    readonly remove: (principal: Principal, id: string) => Effect.Effect<void, Missing>
    /** Sends the webhook of a finished job again, like `Jobs.redeliver`. */
    readonly redeliver: (
      principal: Principal,
      id: string
    ) => Effect.Effect<Job, RedeliveryRefusal | Missing>
    /** Runs a failed job again, like `Jobs.retry`. */
    readonly retry: (principal: Principal, id: string) => Effect.Effect<Job, Missing | RetryRefusal>
  }
>()("@verbatim/core/services/JobRecords") {
  static readonly layer: Layer.Layer<
    JobRecords,
    never,
    JobStore | Renewals | Transcripts | Uploads
  > = Layer.effect(
    JobRecords,
    Effect.gen(function* () {
      const store = yield* JobStore
      const renewals = yield* Renewals
      const uploads = yield* Uploads
      const transcripts = yield* Transcripts

      const find = Effect.fnUntraced(function* ({ workspaceId }: Principal, id: string) {
        const valid = decodeId(id)
        if (Option.isNone(valid)) return yield* new RequestNotFound()
        const job = yield* store.find(workspaceId, valid.value)
        if (Option.isNone(job)) return yield* new RequestNotFound()
        return job.value
      })

      /** The job may be removed between its look-up and this read. */
      const transcript = Effect.fnUntraced(function* (job: Job, options?: TranscriptOptions) {
        if (job.transcription._tag !== "Transcribed" || isClosed(job)) return Option.none()
        const found = yield* transcripts.whole(job.id, options)
        return Option.isNone(found) ? yield* new RequestNotFound() : found
      })

      const list = Effect.fnUntraced(function* (
        { workspaceId }: Principal,
        wanted: JobListParameters
      ) {
        const { limit, ...query } = yield* Effect.fromResult(parse(workspaceId, wanted))
        const { last, rows } = yield* readPage(limit, (rowMax) =>
          store.list({ ...query, limit: rowMax })
        )
        const moments = yield* Effect.forEach(
          query.words === undefined ? [] : rows,
          ({ id }) =>
            Effect.map(store.moments(id, query.words ?? []), (found) => [id, found] as const),
          { concurrency: momentReadMax }
        )
        return {
          jobs: rows,
          hasMore: last !== undefined,
          moments: query.words === undefined ? undefined : new Map(moments)
        }
      })

      /**
       * If the answer is lost, the removal may have happened nevertheless, because the job existed
       * before.
       */
      const removeJob = ({ id, workspaceId }: Job) =>
        store
          .remove(workspaceId, id)
          .pipe(
            Effect.catch((error) =>
              Effect.flatMap(store.find(workspaceId, id), (found) =>
                Option.isSome(found) ? Effect.fail(error) : Effect.succeed(found)
              )
            )
          )

      const history = Effect.fnUntraced(function* (principal: Principal, id: string) {
        const job = yield* find(principal, id)
        const entries = yield* store.history(job.id)
        // An empty history means that the job was removed in between, because every existing job
        // has a first entry.
        return entries.length === 0 ? yield* new RequestNotFound() : entries
      })

      const remove = Effect.fnUntraced(function* (principal: Principal, id: string) {
        const found = yield* find(principal, id)
        const removed = Option.getOrElse(yield* removeJob(found), () => found)
        const media = findMediaKey(removed)
        if (Option.isSome(media)) yield* uploads.forget(media.value)
        yield* coreMetrics.jobsDeleted.record({})
      })

      return JobRecords.of({
        find,
        transcript,
        progress: ({ id, transcription }) =>
          transcription._tag === "Running" ? store.progress(id) : Effect.succeedNone,
        list,
        history,
        remove,
        redeliver: (principal, id) => renewals.redeliver(find(principal, id)),
        retry: (principal, id) => renewals.retry(find(principal, id))
      })
    })
  )
}

const decodeId = Schema.decodeOption(JobId)

/** Number of transcripts in which passages are looked up at a time. */
const momentReadMax = 16

/** A page of rows. */
export interface RowPage<Row> {
  readonly rows: ReadonlyArray<Row>
  /** The last row, after which the next page begins; undefined if no more rows follow. */
  readonly last: Row | undefined
}

/** Reads a page of at most `limit` rows; `read` returns at most as many rows as its argument. */
export const readPage = <Row, E, R>(
  limit: number,
  read: (limit: number) => Effect.Effect<ReadonlyArray<Row>, E, R>
): Effect.Effect<RowPage<Row>, E, R> =>
  Effect.map(read(limit + 1), (found) => ({
    rows: found.slice(0, limit),
    last: found.length > limit ? found[limit - 1] : undefined
  }))
