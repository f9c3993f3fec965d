/**
 * Recognises retries of requests. A retry has the same idempotency key or, if the client sends no
 * key, the same caller and content. A request without a key gets one that is derived from its
 * caller and content, so that every process finds the same record, and one write wins.
 */
import { DateTime, Effect, Option } from "effect"
import { Digest } from "effect/crypto"
import {
  IdempotencyConflict,
  IdempotencyKey,
  keyWindow,
  parseKey
} from "../../domain/idempotency/IdempotencyKey.ts"
import { type IdempotencyRecord, isCurrentRecord } from "../../domain/job/IdempotencyRecord.ts"
import { isClosed, type Job } from "../../domain/job/Job.ts"
import { InvalidParameter } from "../../domain/transcription/TranscriptionRefusal.ts"
import type { Principal } from "../../domain/workspace/ApiKey.ts"
import type { WorkspaceId } from "../../domain/workspace/Workspace.ts"
import { JobStore } from "../../ports/JobStore.ts"

/**
 * Maximum number of jobs that the same request creates in a day. A failed job is not joined: the
 * next job is created under the next derived key. Once the maximum is reached, requests join the
 * last job until it is a day old, so that a client that keeps retrying a hopeless request does not
 * create jobs forever.
 */
const jobMax = 8

/**
 * Maximum number of keys that are derived from the same request in a day, including the keys of
 * deleted jobs. Each key costs two queries. Once all keys are used, the request creates a job that
 * cannot be joined.
 */
const derivedMax = 64

/**
 * Maximum number of a workspace's jobs among which the caller's jobs are looked for. If the
 * workspace has more jobs in a day, only the file shows whether the request is a retry.
 */
const searchMax = 100

/** The derived key of a request, and the job that the request joins, if any. */
interface DerivedKey {
  readonly key: IdempotencyKey
  readonly job: Option.Option<Job>
}

/** The caller of a request, and the fingerprint of its content. */
interface Repeatable {
  readonly principal: Principal
  readonly fingerprint: string
}

/** Whether an identical request can join this job. */
const isJoinable = (job: Job): boolean => job.transcription._tag !== "Failed" && !isClosed(job)

/** Creates functions that find earlier requests. */
export const makeRepeats = Effect.map(JobStore, (store) => {
  /** Returns the idempotency record of a key, if it is less than a day old. */
  const earlier = Effect.fnUntraced(function* (id: WorkspaceId, key: IdempotencyKey) {
    const record = yield* store.idempotency(id, key)
    if (Option.isNone(record)) return record
    const now = yield* store.now
    return Option.filter(record, (found) => isCurrentRecord(found, now))
  })

  /** Returns the job of the first request with a key, if this request is identical. */
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

  return { ...makeDerivedKeys(store), earlier, jobOf }
})

/** Creates functions that recognise retries of requests without a key. */
const makeDerivedKeys = (store: JobStore["Service"]) => {
  /**
   * Returns the key derived for a request that was sent without one, and the job that it joins;
   * none if deleted jobs have used up all its keys.
   */
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
        // A later request may have used the next key, so the record of that key may still be valid.
        continue
      }
      // Another caller in the workspace can send the derived key as its own, with a different
      // request.
      if (record.fingerprint !== repeatable.fingerprint) continue
      const job = yield* store.find(workspaceId, record.jobId)
      if (Option.isNone(job)) continue
      last = Option.some({ key, job })
      if (isJoinable(job.value)) return last
      jobCount += 1
    }
    return Option.orElse(free, () => last)
  })

  /**
   * Whether a request without a key may be a retry, as far as that is known before the request is
   * read.
   */
  const mayRepeat = Effect.fnUntraced(function* ({ keyId, workspaceId }: Principal) {
    const now = yield* store.now
    const jobs = yield* store.list({
      workspaceId,
      status: Option.none(),
      createdFrom: DateTime.subtractDuration(now, keyWindow),
      after: Option.none(),
      limit: searchMax
    })
    return (
      jobs.length === searchMax ||
      jobs.some((job) => job.keyId === keyId && job.request.source._tag === "Upload")
    )
  })

  return { deriveKey, mayRepeat }
}

const encoder = new TextEncoder()

/** An embedded host has no keys, so the user counts as the caller. */
const callerOf = ({ keyId, userId }: Principal): string => keyId ?? userId

const keyAt = ({ fingerprint, principal }: Repeatable, index: number) => {
  const text = JSON.stringify([callerOf(principal), fingerprint, index])
  return Digest.Digest.use((service) =>
    Effect.map(service.digestHex(Digest.sha256, encoder.encode(text)), (digest) =>
      IdempotencyKey.make(`same-request-${digest}`)
    )
  )
}

const malformed = new InvalidParameter({
  parameter: "Idempotency-Key",
  detail: "Invalid 'Idempotency-Key' value. Must be 1 to 255 visible ASCII characters"
})

/** Parses the `Idempotency-Key` header; returns none if it was not sent. */
export const readKey = (
  text: string | undefined
): Effect.Effect<Option.Option<IdempotencyKey>, InvalidParameter> => {
  if (text === undefined) return Effect.succeedNone
  const key = parseKey(text)
  return Option.isSome(key) ? Effect.succeed(key) : Effect.fail(malformed)
}
