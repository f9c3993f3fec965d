/**
 * Applies the expiry of one old job. The media file is removed first, and the removal is recorded
 * afterwards. The stored state is therefore correct even after a crash, and the remaining steps are
 * repeated.
 */
import { Effect, Option } from "effect"
import {
  afterMedia,
  type Expiry,
  type ExpiryContext,
  findMediaKey,
  mediaExpired,
  removesTranscript,
  withoutText
} from "../../domain/job/Expiry.ts"
import type { Job } from "../../domain/job/Job.ts"
import type { JobEvent } from "../../domain/job/JobEvent.ts"
import { retentionStateOf } from "../../domain/job/RetentionState.ts"
import { coreMetrics } from "../../metrics/CoreTable.ts"
import { overdue } from "../../ports/Deadline.ts"
import { JobStore, type JobStoreError } from "../../ports/JobStore.ts"
import { MediaStore, MediaStoreError } from "../../ports/MediaStore.ts"
import { answerInTime, answerTimeout, Commits } from "../jobs/Commits.ts"
import { MediaIdentity } from "../tasks/MediaIdentity.ts"

/**
 * The result of an expiry: nothing more to do, a job to remove as a whole, or media that could not
 * be removed.
 */
type ExpiryResult =
  | { readonly _tag: "Done" }
  | { readonly _tag: "Remove"; readonly job: Job }
  | { readonly _tag: "MediaStays"; readonly error: MediaStoreError }

const done: ExpiryResult = { _tag: "Done" }

/** Whether a failure concerns only this job, so that other jobs can continue. */
const isOfJob = ({ reason }: JobStoreError): boolean => reason._tag !== "Unavailable"

/**
 * Makes the function that applies an expiry to a job. A job that another writer has changed in the
 * meantime is left as it is.
 */
export const makeApplyExpiry = Effect.gen(function* () {
  const commits = yield* Commits
  const identity = yield* MediaIdentity
  const jobs = yield* JobStore
  const media = yield* MediaStore

  /** Quotations of the text that are in the history are deleted together with the text. */
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

  const commit = Effect.fnUntraced(function* (
    job: Job,
    { deciding, events }: { events: ReadonlyArray<JobEvent>; deciding: ExpiryContext }
  ) {
    const forgotten = yield* textRemovalOf(job, events)
    const change = { job, token: Option.none(), events, at: deciding.now, forgotten }
    const after = yield* commits.commit(change)
    if (removesTranscript(events)) yield* coreMetrics.retentionRemovals.record({ kind: "results" })
    return after
  })

  const removeMedia = Effect.fnUntraced(function* (job: Job, deciding: ExpiryContext) {
    const isBegun = retentionStateOf(job)._tag === "MediaGoing"
    const events = [mediaExpired(deciding.now)]
    const going = isBegun ? job : yield* commit(job, { deciding, events })
    const key = findMediaKey(going)
    if (Option.isNone(key)) return done
    // If the store belonged to another database, the job's file would wrongly seem to be removed.
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
