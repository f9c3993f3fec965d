/**
 * Requests that come again: under an idempotency key, or without one, because a client did not wait
 * for its answer. For the latter a key is derived from the caller and all that is asked, so that
 * every process finds the same record under it, and one write wins.
 */
import { DateTime, Effect, Option } from "effect"
import { Digest } from "effect/crypto"
import {
  IdempotencyConflict,
  IdempotencyKey,
  keyWindow
} from "../domain/idempotency/IdempotencyKey.ts"
import { type IdempotencyRecord, isCurrentRecord } from "../domain/job/IdempotencyRecord.ts"
import { isClosed, type Job } from "../domain/job/Job.ts"
import type { Principal } from "../domain/workspace/ApiKey.ts"
import type { WorkspaceId } from "../domain/workspace/Workspace.ts"
import { JobStore, type JobStoreError } from "../ports/JobStore.ts"

/**
 * Jobs that one request may make in a day. A failed one is not joined: the next is made under the
 * next derived key. After this many the last one is joined until its day is over, so that a client
 * that repeats what can only fail does not run for ever.
 */
const jobMax = 8

/**
 * Keys that are derived from one request in a day, those of deleted jobs included: each costs two
 * questions. Once all of them are used, the request makes a job that nobody joins.
 */
const derivedMax = 64

/**
 * Jobs of a workspace among which one of the caller's is looked for. Where there are more in a day,
 * only the file can tell whether the request is a repeat.
 */
const lookMax = 100

/** The key that is derived from a request, and the job that the request joins, if there is one. */
interface DerivedKey {
  readonly key: IdempotencyKey
  readonly job: Option.Option<Job>
}

/** A request, by whom and by the fingerprint of all that is asked. */
interface Repeatable {
  readonly principal: Principal
  readonly fingerprint: string
}

/** Whether somebody who asks for the same is answered with this job. */
const isJoined = (job: Job): boolean => job.transcription._tag !== "Failed" && !isClosed(job)

/** What is known of earlier requests. */
export interface Repeats {
  /** What was made with the key within a day. */
  readonly earlier: (
    workspaceId: WorkspaceId,
    key: IdempotencyKey
  ) => Effect.Effect<Option.Option<IdempotencyRecord>, JobStoreError>
  /** The job of the first request under the key, if this one is the same. */
  readonly jobOf: (
    { fingerprint, principal }: Repeatable,
    first: IdempotencyRecord
  ) => Effect.Effect<Job, IdempotencyConflict | JobStoreError>
  /**
   * The key of a request that came without one, and the job that it joins; none where all its keys
   * are used up by jobs that were deleted.
   */
  readonly deriveKey: (
    repeatable: Repeatable
  ) => Effect.Effect<Option.Option<DerivedKey>, JobStoreError, Digest.Digest>
  /** Whether a request without a key can be a repeat, as far as that shows before it is read. */
  readonly mayRepeat: (principal: Principal) => Effect.Effect<boolean, JobStoreError>
}

/** Makes the questions over the store. */
export const makeRepeats: Effect.Effect<Repeats, never, JobStore> = Effect.map(
  JobStore,
  (store) => {
    const earlier = Effect.fnUntraced(function* (id: WorkspaceId, key: IdempotencyKey) {
      const record = yield* store.idempotency(id, key)
      if (Option.isNone(record)) return record
      const now = yield* store.now
      return Option.filter(record, (found) => isCurrentRecord(found, now))
    })

    const jobOf = Effect.fnUntraced(function* (
      { fingerprint, principal }: Repeatable,
      first: IdempotencyRecord
    ) {
      if (first.fingerprint !== fingerprint) {
        return yield* new IdempotencyConflict({ reason: "OtherRequest" })
      }
      const job = yield* store.find(principal.workspaceId, first.jobId)
      if (Option.isNone(job)) return yield* new IdempotencyConflict({ reason: "JobDeleted" })
      return job.value
    })

    const deriveKey = Effect.fnUntraced(function* (repeatable: Repeatable) {
      const { workspaceId } = repeatable.principal
      let [free, last] = [Option.none<DerivedKey>(), Option.none<DerivedKey>()]
      let now: DateTime.Utc | undefined
      let jobCount = 0
      for (let index = 0; index < derivedMax && jobCount < jobMax; index += 1) {
        const key = yield* keyAt(repeatable, index)
        const record = Option.getOrUndefined(yield* store.idempotency(workspaceId, key))
        if (record !== undefined) now ??= yield* store.now
        if (record === undefined || now === undefined || !isCurrentRecord(record, now)) {
          free = Option.orElse(free, () => Option.some({ key, job: Option.none() }))
          if (record === undefined) return free
          // The day of the next key began later: its job may still run.
          continue
        }
        // Anybody of the workspace may send the same text as a key, with another request.
        if (record.fingerprint !== repeatable.fingerprint) continue
        const job = yield* store.find(workspaceId, record.jobId)
        if (Option.isNone(job)) continue
        last = Option.some({ key, job })
        if (isJoined(job.value)) return last
        jobCount += 1
      }
      return Option.orElse(free, () => last)
    })

    const mayRepeat = Effect.fnUntraced(function* ({ keyId, workspaceId }: Principal) {
      const now = yield* store.now
      const jobs = yield* store.list({
        workspaceId,
        status: Option.none(),
        createdFrom: DateTime.subtractDuration(now, keyWindow),
        after: Option.none(),
        limit: lookMax
      })
      return (
        jobs.length === lookMax ||
        jobs.some((job) => job.keyId === keyId && job.request.source._tag === "Upload")
      )
    })

    return { deriveKey, earlier, jobOf, mayRepeat }
  }
)

const encoder = new TextEncoder()

/** A host has no keys: then the user is whoever asks. */
const callerOf = ({ keyId, userId }: Principal): string => keyId ?? userId

const keyAt = ({ fingerprint, principal }: Repeatable, index: number) => {
  const text = JSON.stringify([callerOf(principal), fingerprint, index])
  return Digest.Digest.use((service) =>
    Effect.map(service.digestHex(Digest.sha256, encoder.encode(text)), (digest) =>
      IdempotencyKey.make(`same-request-${digest}`)
    )
  )
}
