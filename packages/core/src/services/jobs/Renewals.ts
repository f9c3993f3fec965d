/**
 * Resends the webhooks of finished jobs, and retries failed jobs. Both are limited, because they
 * cost the caller nothing.
 */

import { DateTime, Duration, Effect, Option, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { DeliveryId } from "../../domain/delivery/Delivery.ts"
import { applyCommit, isClosed, isSettled, type Job } from "../../domain/job/Job.ts"
import { JobEvent } from "../../domain/job/JobEvent.ts"
import { MediaRetention, needsMedia, type Retention } from "../../domain/job/MediaRetention.ts"
import { refusal } from "../../domain/schema/Refusal.ts"
import { JobStore, JobStoreError } from "../../ports/JobStore.ts"
import { makeCommit } from "./Commits.ts"
import { type JobScope, makeFindJob } from "./JobReads.ts"

/** The job has no webhook, so none can be sent again. */
export class CallbackMissing extends refusal<CallbackMissing>()("CallbackMissing", {
  sentence: "The transcription has no 'callback_url'"
}) {}

/** The webhook is still pending, or is waiting for the job's results. */
export class WebhookPending extends refusal<WebhookPending>()("WebhookPending", {
  sentence: "The webhook is still pending"
}) {}

/** Minimum time between two requests to resend the same webhook. */
const redeliveryInterval = Duration.seconds(60)

/**
 * A redelivery was already requested less than a minute ago. This is limited because the receiver
 * can be a third party.
 */
export class RedeliveredLately extends refusal<RedeliveredLately>()("RedeliveredLately", {
  sentence: () => {
    const seconds = Duration.toSeconds(redeliveryInterval)
    return `The webhook was requested again less than ${seconds} seconds ago`
  }
}) {}

/**
 * A job with this many commits, not counting those of pieces, accepts no more requests: enough for
 * about three hundred redeliveries. Each request makes the history longer, and the history is read
 * as a whole.
 */
export const revisionMax = 1_000

const hasLongHistory = ({ revision, transcription }: Job): boolean => {
  const pieces = "pieces" in transcription ? transcription.pieces : undefined
  return revision - (pieces?.commits ?? 0) >= revisionMax
}

/** The job's history is too long. */
export class RenewedTooOften extends refusal<RenewedTooOften>()("RenewedTooOften", {
  sentence: "The transcription was requested again too often"
}) {}

/** The job cannot be retried, because neither its transcription nor its summary failed. */
export class NotFailed extends refusal<NotFailed>()("NotFailed", {
  sentence: "The transcription has not failed"
}) {}

/** The media of the failed job was removed, because such media is kept only for a few days. */
export class MediaExpired extends refusal<MediaExpired>()("MediaExpired", {
  sentence: "The file is no longer stored"
}) {}

/** The job's results were removed by the workspace's retention rule. */
export class ResultsRemoved extends refusal<ResultsRemoved>()("ResultsRemoved", {
  sentence: "The results are no longer stored"
}) {}

/** The reasons why a webhook is not sent again. */
export type RedeliveryRefusal =
  | CallbackMissing
  | RedeliveredLately
  | RenewedTooOften
  | ResultsRemoved
  | WebhookPending

/** The reasons why a job is not run again. */
export type RetryRefusal =
  | MediaExpired
  | NotFailed
  | RenewedTooOften
  | ResultsRemoved
  | WebhookPending

/**
 * Creates the methods that resend the webhook of a finished job, as a new delivery with up to three
 * attempts, and run a failed job again from the step that failed.
 */
export const makeRenewals = Effect.gen(function* () {
  const commit = yield* makeCommit
  const findJob = yield* makeFindJob
  const random = yield* SecureRandom.SecureRandom
  const retention = yield* MediaRetention
  const store = yield* JobStore

  /**
   * If the response is lost, the history shows by the id in the event whether this request was
   * written.
   */
  const renewWith = <R>(
    decide: (job: Job, at: DateTime.Utc, id: DeliveryId) => Result.Result<JobEvent, R>
  ) =>
    Effect.fnUntraced(
      function* (scope: JobScope, jobId: string) {
        const job = yield* findJob(scope, jobId)
        const at = yield* store.now
        const id = DeliveryId.make(yield* random.uuidV7())
        const event = yield* Effect.fromResult(decide(job, at, id))
        return yield* commit({ job, token: Option.none(), events: [event], at })
      },
      // If another writer changed the job first, the job is read again and the request is retried.
      Effect.retry({ while: isSuperseded, times: supersededRetries })
    )

  return { redeliver: renewWith(redelivery), retry: renewWith(retrial(retention)) }
})

/**
 * Maximum number of retries after conflicts with other requests, and with the steps that delete old
 * jobs.
 */
const supersededRetries = 5

const isSuperseded = (error: unknown): boolean =>
  error instanceof JobStoreError && error.reason._tag === "Superseded"

/**
 * Compares the absolute difference, because after a clock was set back, the last request can be far
 * in the future.
 */
const isRenewedLately = ({ renewedAt }: Job, at: DateTime.Utc): boolean =>
  renewedAt !== undefined &&
  Math.abs(DateTime.toEpochMillis(at) - DateTime.toEpochMillis(renewedAt)) <
    Duration.toMillis(redeliveryInterval)

/** Decides whether a webhook can be sent again. */
export const redelivery = (
  job: Job,
  at: DateTime.Utc,
  id: DeliveryId
): Result.Result<JobEvent, RedeliveryRefusal> => {
  if (job.delivery === null) return Result.fail(new CallbackMissing())
  if (!isSettled(job)) return Result.fail(new WebhookPending())
  if (isClosed(job)) return Result.fail(new ResultsRemoved())
  if (isRenewedLately(job, at)) return Result.fail(new RedeliveredLately())
  if (hasLongHistory(job)) return Result.fail(new RenewedTooOften())
  const event = { _tag: "RedeliveryRequested" as const, at, id }
  return Result.succeed(JobEvent.cases.Redelivery.make({ event }))
}

const retrial =
  ({ failedFor, isKept }: Retention) =>
  (job: Job, at: DateTime.Utc, id: DeliveryId): Result.Result<JobEvent, RetryRefusal> => {
    const { summary, transcription } = job
    if (transcription._tag !== "Failed" && summary?._tag !== "Failed")
      return Result.fail(new NotFailed())
    if (!isSettled(job)) return Result.fail(new WebhookPending())
    if (isClosed(job)) return Result.fail(new ResultsRemoved())
    if (hasLongHistory(job)) return Result.fail(new RenewedTooOften())
    const isExpired =
      transcription._tag === "Failed" &&
      transcription.media !== undefined &&
      !isKept &&
      !needsMedia(job, { failedFor, now: at })
    const event = JobEvent.cases.Retry.make({ event: { _tag: "RetryRequested", at, id } })
    return isExpired || Result.isFailure(applyCommit(job, [event]))
      ? Result.fail(new MediaExpired())
      : Result.succeed(event)
  }
