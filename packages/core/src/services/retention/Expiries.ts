/**
 * Deletes the expired parts of old jobs in small steps: media, then transcripts, then the jobs
 * themselves. Each step is based on the stored job and fenced by its revision, so any number of
 * processes can take the same step, and each can crash in the middle of it. A media file is removed
 * before its removal is recorded, so the stored state is correct even after a crash.
 */
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import {
  afterMedia,
  type Cutoffs,
  costOf,
  cutoffOf,
  cutoffsOf,
  type Expiry,
  type ExpiryContext,
  findMediaKey,
  type Holding,
  type JobPosition,
  mediaExpired,
  nextExpiry,
  nextStage,
  pageMax,
  removesTranscript,
  type SweepPosition,
  takeStep,
  withoutText
} from "../../domain/job/Expiry.ts"
import type { Job } from "../../domain/job/Job.ts"
import type { JobEvent } from "../../domain/job/JobEvent.ts"
import { retentionStateOf } from "../../domain/job/RetentionState.ts"
import {
  DefaultRetention,
  type RetentionRule,
  ruleInForce
} from "../../domain/workspace/RetentionRule.ts"
import type { Workspace, WorkspaceId } from "../../domain/workspace/Workspace.ts"
import { coreMetrics } from "../../metrics/CoreTable.ts"
import { overdue } from "../../ports/Deadline.ts"
import { JobStore, type JobStoreError } from "../../ports/JobStore.ts"
import { MediaStore, MediaStoreError } from "../../ports/MediaStore.ts"
import {
  type ExpiredCounts,
  type FoundJob,
  RetentionStore,
  RetentionStoreError
} from "../../ports/RetentionStore.ts"
import { trace } from "../../ports/Trace.ts"
import { answerInTime, answerTimeout, makeCommit } from "../jobs/Commits.ts"
import { MediaIdentity } from "../tasks/MediaIdentity.ts"

/**
 * Maximum time for a step, which is far longer than a step normally takes, but shorter than the
 * lock is held.
 */
const stepTimeout = Duration.minutes(2)

/** Maximum time for one query in a step. */
const queryTimeout = Duration.seconds(30)

const makeExpiries = Effect.gen(function* () {
  const { now: storeNow } = yield* JobStore
  const server = yield* DefaultRetention
  const take = yield* makeTake

  const ruleOf = (workspace: Workspace) =>
    Option.liftPredicate(
      ruleInForce(workspace, server),
      // Media never expires later than the transcript or the job, so this period is null only if
      // all are.
      ({ mediaDays }) => mediaDays !== null
    )

  const step = trace("Expiries.step")(
    function* (workspace: Workspace, position: SweepPosition) {
      const rule = ruleOf(workspace)
      if (Option.isNone(rule)) return Option.none()
      const now = yield* storeNow
      const deciding = { now, cutoffs: cutoffsOf(rule.value, now) }
      const { stage } = position
      const until = cutoffOf(stage, deciding.cutoffs)
      if (until === null) return nextStage(position)
      return yield* take(workspace, { deciding, position, query: { holding: stage, until } })
    },
    Effect.timeoutOrElse({
      duration: stepTimeout,
      orElse: () => new RetentionStoreError({ operation: "step", cause: overdue })
    })
  )

  return {
    /** Returns a workspace's retention rule; none if nothing in the workspace ever expires. */
    ruleOf,
    /**
     * Takes one step for a workspace, starting at a position, and returns the position of the next
     * step; none if there is nothing to do now. Jobs that cannot be processed now are skipped.
     */
    step
  }
})

export class Expiries extends Context.Service<Expiries, Effect.Success<typeof makeExpiries>>()(
  "@verbatim/core/services/Expiries"
) {
  static readonly layer: Layer.Layer<
    Expiries,
    never,
    JobStore | MediaIdentity | MediaStore | RetentionStore
  > = Layer.effect(Expiries, makeExpiries)
}

/**
 * Removes all jobs in one statement. If the statement fails, each job is removed separately,
 * because one may have very many corrections.
 */
const removeJobs = (
  store: RetentionStore["Service"],
  { id, jobs }: { readonly id: WorkspaceId; readonly jobs: ReadonlyArray<Job> }
) =>
  withTimeout("remove", store.remove(id, jobs)).pipe(
    Effect.catchIf(
      () => jobs.length > 1,
      () =>
        Effect.map(
          Effect.forEach(jobs, (job) => removeAlone(store, { id, job })),
          (gone) => gone.flat()
        )
    )
  )

const removeAlone = (
  store: RetentionStore["Service"],
  { id, job }: { readonly id: WorkspaceId; readonly job: Job }
) =>
  withTimeout("remove", store.remove(id, [job])).pipe(
    Effect.catch((error) =>
      Effect.as(Effect.logWarning("An old job could not be removed yet", error), [])
    ),
    Effect.annotateLogs({ job: job.id })
  )

/** Creates a function that takes one step, which processes a page of jobs from a position. */
const makeTake = Effect.gen(function* () {
  const store = yield* RetentionStore
  const applyExpiry = yield* makeApplyExpiry

  return Effect.fnUntraced(function* (
    { id }: Workspace,
    { deciding, position, query }: ExpiryQuery
  ) {
    const page = yield* withTimeout(
      "ended",
      store.ended({ ...query, workspaceId: id, after: position.after, limit: pageMax })
    )
    const taken = takeStep(page.map((found) => ({ found, ...judge(found, deciding) })))
    let failedMedia = 0
    const removed: Array<Job> = []
    for (const { expiry, found } of taken) {
      if (Option.isNone(found.job)) continue
      const applied = yield* applyExpiry(found.job.value, { expiry, deciding })
      if (applied._tag === "Remove") removed.push(applied.job)
      if (applied._tag !== "MediaStays") continue
      failedMedia += 1
      yield* Effect.logWarning("Old media could not be removed yet", applied.error)
      // The media store is unavailable or not ours, so no other file could be removed either.
      if (failedMedia === failedMediaMax) break
    }
    if (removed.length > 0) {
      const gone = yield* removeJobs(store, { id, jobs: removed })
      yield* coreMetrics.retentionRemovals.record({ kind: "job" }, gone.length)
    }
    if (failedMedia === failedMediaMax) return nextStage(position)
    const isAll = taken.length === page.length && page.length < pageMax
    return positionAfter(position, { page: taken.map(({ found }) => found), isAll })
  })
})

/**
 * Number of failed removals after which a step skips the remaining media and continues with the
 * stages that need no media.
 */
const failedMediaMax = 3

/** A query for the jobs of a step, which have the given part and ended at or before the cutoff. */
interface ExpiryQuery {
  readonly deciding: ExpiryContext
  readonly position: SweepPosition
  readonly query: { readonly holding: Holding; readonly until: DateTime.Utc }
}

const withTimeout = <A>(operation: string, question: Effect.Effect<A, RetentionStoreError>) =>
  Effect.timeoutOrElse(question, {
    duration: queryTimeout,
    orElse: () => new RetentionStoreError({ operation, cause: overdue })
  })

/**
 * Decides which parts of a job have expired, and how much their removal costs. Damaged jobs are
 * left unchanged.
 */
const judge = ({ job }: FoundJob, deciding: ExpiryContext) => {
  if (Option.isNone(job)) return { expiry: { _tag: "None" } as const, cost: 0 }
  const expiry = nextExpiry(job.value, deciding)
  return { expiry, cost: costOf(expiry, job.value) }
}

const positionAfter = (
  position: SweepPosition,
  { isAll, page }: { readonly page: ReadonlyArray<FoundJob>; readonly isAll: boolean }
): Option.Option<SweepPosition> => {
  const last = page.at(-1)
  return isAll || last === undefined
    ? nextStage(position)
    : Option.some({ ...position, after: Option.some({ at: last.at, id: last.id }) })
}

/**
 * Number of jobs that a query counts. It takes 0.1 s on two busy cores, which is a tenth of the
 * time limit for a statement.
 */
const countedPage = 10_000

/** Maximum number of jobs that are counted for a workspace: about ten seconds of work. */
const countMax = 1_000_000

/** A preview of the data that would be deleted in a workspace, with the rule that causes it. */
export interface ExpiryPreview extends ExpiredCounts {
  readonly rule: RetentionRule
  /** Whether all jobs were counted. */
  readonly isAll: boolean
}

const earlier = (
  one: ExpiredCounts["oldest"],
  other: ExpiredCounts["oldest"]
): ExpiredCounts["oldest"] =>
  Option.isSome(one) && Option.isSome(other)
    ? Option.some(DateTime.min(one.value, other.value))
    : Option.orElse(one, () => other)

const add = (one: ExpiredCounts, other: ExpiredCounts): ExpiredCounts => ({
  jobs: one.jobs + other.jobs,
  transcripts: one.transcripts + other.transcripts,
  media: one.media + other.media,
  oldest: earlier(one.oldest, other.oldest)
})

const noCounts: ExpiredCounts = { jobs: 0, transcripts: 0, media: 0, oldest: Option.none() }

const holdings: ReadonlyArray<Holding> = ["Media", "Transcript", "Nothing"]

/** Counts jobs until all are counted or the maximum is reached. */
const countPages = Effect.fnUntraced(function* (workspaceId: WorkspaceId, cutoffs: Cutoffs) {
  const store = yield* RetentionStore
  let [sum, remaining] = [noCounts, countMax]
  for (const holding of holdings) {
    const until = cutoffOf(holding, cutoffs)
    if (until === null) continue
    let after = Option.none<JobPosition>()
    do {
      if (remaining <= 0) return { ...sum, isAll: false }
      const query = { workspaceId, holding, until, after, limit: countedPage }
      const { last, ...page } = yield* withTimeout("preview", store.countExpired(query, cutoffs))
      sum = add(sum, page)
      remaining -= countedPage
      after = last
    } while (Option.isSome(after))
  }
  return { ...sum, isAll: true }
})

/**
 * Counts the data that would be deleted in a workspace now; none if nothing in the workspace ever
 * expires. Nothing is changed.
 */
export const previewExpiry = Effect.fnUntraced(function* (workspace: Workspace) {
  const jobs = yield* JobStore
  const rule = ruleInForce(workspace, yield* DefaultRetention)
  if (rule.mediaDays === null) return Option.none<ExpiryPreview>()
  const counted = yield* countPages(workspace.id, cutoffsOf(rule, yield* jobs.now))
  return Option.some({ rule, ...counted })
})

/**
 * The result of applying an expiry: nothing more to do, a job to remove as a whole, or media that
 * could not be removed.
 */
type ExpiryResult =
  | { readonly _tag: "Done" }
  | { readonly _tag: "Remove"; readonly job: Job }
  | { readonly _tag: "MediaStays"; readonly error: MediaStoreError }

const done: ExpiryResult = { _tag: "Done" }

/** Whether a failure affects only this job and not the whole store. */
const isOfJob = ({ reason }: JobStoreError): boolean => reason._tag !== "Unavailable"

/** Creates a function that commits the removal of parts of a job. */
const makeCommitExpiry = Effect.gen(function* () {
  const commit = yield* makeCommit
  const jobs = yield* JobStore

  /**
   * Returns the removal of a job's text. Quotations in the history are deleted together with it.
   */
  const textRemovalOf = Effect.fnUntraced(function* (job: Job, events: ReadonlyArray<JobEvent>) {
    if (!removesTranscript(events)) return undefined
    const hasQuotations = job.summary?._tag === "Completed"
    const entries = hasQuotations ? yield* answerInTime("history", jobs.history(job.id)) : []
    return {
      history: entries.flatMap(({ events, revision }) => {
        const kept = withoutText(events)
        return kept === events ? [] : [{ revision, events: kept }]
      })
    }
  })

  return Effect.fnUntraced(function* (
    job: Job,
    { deciding, events }: { events: ReadonlyArray<JobEvent>; deciding: ExpiryContext }
  ) {
    const forgotten = yield* textRemovalOf(job, events)
    const change = { job, token: Option.none(), events, at: deciding.now, forgotten }
    const after = yield* commit(change)
    if (removesTranscript(events)) yield* coreMetrics.retentionRemovals.record({ kind: "results" })
    return after
  })
})

/**
 * Creates a function that removes the expired parts of a job. A job that another writer has since
 * changed is skipped.
 */
const makeApplyExpiry = Effect.gen(function* () {
  const commit = yield* makeCommitExpiry
  const identity = yield* MediaIdentity
  const media = yield* MediaStore

  const removeMedia = Effect.fnUntraced(function* (job: Job, deciding: ExpiryContext) {
    const isBegun = retentionStateOf(job)._tag === "MediaGoing"
    const events = [mediaExpired(deciding.now)]
    const going = isBegun ? job : yield* commit(job, { deciding, events })
    const key = findMediaKey(going)
    if (Option.isNone(key)) return done
    // The store must be ours. Otherwise, a file that is missing from another database's store would
    // be recorded as removed.
    yield* identity.mustBeOurs("remove")
    yield* Effect.timeoutOrElse(media.remove(key.value), {
      duration: answerTimeout,
      orElse: () =>
        new MediaStoreError({
          operation: "remove",
          reason: { _tag: "Unavailable", cause: overdue }
        })
    })
    const next = afterMedia(going, deciding)
    if (next._tag === "Events") yield* commit(going, { deciding, events: next.events })
    yield* coreMetrics.retentionRemovals.record({ kind: "media" })
    return next._tag === "Job" ? { _tag: "Remove" as const, job: going } : done
  })

  return Effect.fnUntraced(
    function* (job: Job, { deciding, expiry }: { expiry: Expiry; deciding: ExpiryContext }) {
      switch (expiry._tag) {
        case "None":
          return done
        case "Job":
          return { _tag: "Remove" as const, job }
        case "Events":
          yield* commit(job, { deciding, events: expiry.events })
          return done
        case "Media":
          return yield* removeMedia(job, deciding)
      }
    },
    (applied): Effect.Effect<ExpiryResult, JobStoreError> =>
      applied.pipe(
        Effect.catchTag("MediaStoreError", (error) =>
          Effect.succeed({ _tag: "MediaStays" as const, error })
        ),
        Effect.catchIf(
          (error) => error._tag === "JobStoreError" && isOfJob(error),
          () => Effect.succeed(done)
        )
      )
  )
})
