/**
 * Creates a job from a request that was read, once per idempotency key: of many concurrent
 * requests, one writes the job and the others get that job.
 */
import { type DateTime, Effect, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import type { JobId } from "../../domain/attempt/Attempt.ts"
import { DeliveryId } from "../../domain/delivery/Delivery.ts"
import type { IdempotencyRecord } from "../../domain/job/IdempotencyRecord.ts"
import { createJob, pendingWork } from "../../domain/job/Job.ts"
import { NoticeId, NoticesEnabled } from "../../domain/notice/Notice.ts"
import type { TranscriptionRequest } from "../../domain/transcription/TranscriptionRequest.ts"
import type { Principal } from "../../domain/workspace/ApiKey.ts"
import { makeRetryUnknownOutcome, withDeadline } from "../../ports/Deadline.ts"
import {
  type Creation,
  JobStore,
  JobStoreError,
  type UnfinishedMax,
  unanswered
} from "../../ports/JobStore.ts"
import { currentTraceParent } from "../../ports/Trace.ts"
import { countAccepted } from "../jobs/Commits.ts"
import { refuseUnfinished } from "./Admissions.ts"
import { makeRepeats } from "./Repeats.ts"
import { makeDiscard, type Received } from "./Uploads.ts"

/** A request that was read and can become a job. */
export interface Candidate {
  /** The time when the request arrived, on the store's clock. */
  readonly at: DateTime.Utc
  readonly principal: Principal
  readonly unfinishedMax: UnfinishedMax
  readonly id: JobId
  readonly received: Received
  readonly request: TranscriptionRequest
  /** The client's idempotency key, and the fingerprint of its request. */
  readonly keyed: Option.Option<Pick<IdempotencyRecord, "fingerprint" | "key">>
}

/** Creates a function that writes jobs to the store. */
export const makeCreateOnce = Effect.gen(function* () {
  const create = yield* makeCreate
  const discard = yield* makeDiscard

  /**
   * A request without a key creates its own job if the derived key belongs to a job that it cannot
   * join.
   */
  const createDerived = (candidate: Candidate) =>
    create(candidate).pipe(
      Effect.catchTag("IdempotencyConflict", () => create({ ...candidate, keyed: Option.none() }))
    )

  /** The file belongs to no job if the client's key was already used for a different request. */
  const createOnce = (candidate: Candidate, isJoining: boolean) =>
    withDeadline({ timeoutError })(
      isJoining
        ? createDerived(candidate)
        : create(candidate).pipe(
            Effect.catchTag("IdempotencyConflict", (conflict) =>
              Effect.andThen(discard(candidate.received), conflict)
            )
          )
    )

  return createOnce
})

/**
 * Creates a function that writes a job, or returns the record of the job that already exists under
 * the key. A write with an unknown outcome is retried. The id is new for each call, so a job or
 * record with the same id comes from this call.
 */
const makeInsert = Effect.map(
  JobStore,
  (store) => (creation: Creation) =>
    retryUnknownOutcome(store.insert(creation)).pipe(
      Effect.catchIf(isUncertain, (error) =>
        Effect.flatMap(store.find(creation.job.workspaceId, creation.job.id), (found) =>
          Option.isSome(found)
            ? Effect.succeed(Option.none<IdempotencyRecord>())
            : Effect.fail(error)
        )
      ),
      Effect.map(Option.filter(({ jobId }) => jobId !== creation.job.id))
    )
)

/**
 * Creates a function that writes a job, or returns the one that another request with the same key
 * wrote first.
 */
const makeCreate = Effect.gen(function* () {
  const { jobOf } = yield* makeRepeats
  const insert = yield* makeInsert
  const random = yield* SecureRandom.SecureRandom
  const discard = yield* makeDiscard
  const isNoticeWanted = yield* NoticesEnabled

  return Effect.fnUntraced(function* ({
    at,
    id,
    keyed,
    principal,
    received,
    request,
    unfinishedMax
  }: Candidate) {
    const job = createJob({
      id,
      request,
      workspaceId: principal.workspaceId,
      keyId: principal.keyId,
      deliveryId: DeliveryId.make(yield* random.uuidV7()),
      noticeId: isNoticeWanted ? NoticeId.make(yield* random.uuidV7()) : undefined,
      media: Option.map(received.upload, ({ media }) => media),
      at,
      traceParent: yield* currentTraceParent
    })
    const record = Option.map(keyed, (known) => ({ ...known, jobId: id, at }))
    const creation = { job, work: pendingWork(job), idempotency: record, unfinishedMax }
    const earlier = yield* insert(creation).pipe(
      Effect.catchIf(isFull, ({ reason }) =>
        // Discards the file. It belongs to no job, because nothing was written.
        Effect.andThen(discard(received), refuseUnfinished(reason.of))
      ),
      Effect.tapError((error) => (isContended(error) ? discard(received) : Effect.void))
    )
    const first = Option.all([earlier, record])
    if (Option.isNone(first)) return yield* Effect.as(countAccepted(job), job)
    // Another request with the same key was written first, so its job is returned.
    const joined = yield* jobOf({ principal, ...first.value[1] }, first.value[0])
    yield* discard(received)
    return joined
  })
})

const timeoutError = () => unanswered("insert")

const isContended = (error: unknown): boolean =>
  error instanceof JobStoreError && error.reason._tag === "Contended"

/** Whether the job may have been written even though the store failed. */
const isUncertain = (error: JobStoreError): boolean => !isContended(error) && !isFull(error)

const retryUnknownOutcome = makeRetryUnknownOutcome<JobStoreError>({
  isOutcomeUnknown: ({ reason }) => reason._tag === "Unavailable",
  isInconclusive: isContended,
  timeoutError
})

/**
 * The limit allowed another job when the request arrived, but other requests have since reached it.
 */
const isFull = (
  error: JobStoreError
): error is JobStoreError & { readonly reason: { readonly _tag: "Full" } } =>
  error.reason._tag === "Full"
