/**
 * Takes a request in: reads it, judges it, and makes a job of it, once for each idempotency key.
 */

import { Context, type DateTime, Effect, Layer, Option, Result } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { JobId } from "../domain/attempt/JobId.ts"
import { DeliveryId } from "../domain/delivery/Delivery.ts"
import { type IdempotencyKey, parseKey } from "../domain/idempotency/IdempotencyKey.ts"
import { fingerprint } from "../domain/job/Fingerprint.ts"
import type { IdempotencyRecord } from "../domain/job/IdempotencyRecord.ts"
import { createJob, type Job, owedWork } from "../domain/job/Job.ts"
import { type JobView, toView } from "../domain/job/JobView.ts"
import { NoticeId } from "../domain/notice/Notice.ts"
import { NoticeWanted } from "../domain/notice/NoticeWanted.ts"
import { OutboundPolicy } from "../domain/outbound/OutboundPolicy.ts"
import { judgeUrl } from "../domain/outbound/UrlPolicy.ts"
import type { Arrival } from "../domain/transcription/Arrival.ts"
import { withKeywords } from "../domain/transcription/JoinedKeywords.ts"
import { Templates } from "../domain/transcription/Templates.ts"
import { InvalidParameter, UrlUnreachable } from "../domain/transcription/TranscriptionRefusal.ts"
import {
  decodeRequest,
  type TranscriptionRequest
} from "../domain/transcription/TranscriptionRequest.ts"
import { type BalanceMillis, isSufficient } from "../domain/workspace/Balance.ts"
import type { Principal } from "../domain/workspace/Principal.ts"
import type { WorkspaceId } from "../domain/workspace/Workspace.ts"
import {
  type Creation,
  JobStore,
  type JobStoreError,
  type UnfinishedMax
} from "../ports/JobStore.ts"
import type { MediaFetcher } from "../ports/MediaFetcher.ts"
import { currentTraceParent, trace } from "../ports/Trace.ts"
import type { WorkspaceStore } from "../ports/WorkspaceStore.ts"
import { makeAdmissions, refuse, refuseUnpaid } from "./Admissions.ts"
import { countAccepted } from "./JobCounts.ts"
import { refuseUnfinished, unfinishedMaxOf } from "./JobLimits.ts"
import { makeSettle } from "./LostAnswer.ts"
import { makeRepeats } from "./Repeats.ts"
import type { NotSubmitted } from "./SubmissionRefusals.ts"
import { type Received, Uploads } from "./Uploads.ts"
import * as UrlChecks from "./UrlChecks.ts"
import { WorkspaceNotFound } from "./WorkspaceReads.ts"
import { Workspaces } from "./Workspaces.ts"

/** A job that was accepted, now or by the first request under its key. */
export interface Accepted {
  readonly job: Job
  /** What the workspace had left when the request came. */
  readonly balanceMillis: BalanceMillis
}

/** A request that was read and may become a job. */
interface Candidate {
  /** When, by the time of the store. */
  readonly at: DateTime.Utc
  readonly principal: Principal
  readonly unfinishedMax: UnfinishedMax
  readonly id: JobId
  readonly received: Received
  readonly request: TranscriptionRequest
  /** The key that the client gave, and what it stands for. */
  readonly keyed: Option.Option<Pick<IdempotencyRecord, "fingerprint" | "key">>
}

export class Submissions extends Context.Service<
  Submissions,
  {
    /**
     * Accepts a job, or refuses it. Balance and limits are checked before anything is read, and how
     * many jobs are unfinished once more when the job is written; what these forbid is read only
     * where it may be a repeat, and not stored. Once this returns, the job and the work it owes are
     * durable; after a refusal nothing is left.
     */
    readonly accept: <E>(
      principal: Principal,
      arrival: Arrival<E>
    ) => Effect.Effect<Accepted, NotSubmitted | E>
    /** The same, as callers over a wire see the job. */
    readonly submit: <E>(
      principal: Principal,
      arrival: Arrival<E>
    ) => Effect.Effect<JobView, NotSubmitted | E>
  }
>()("@verbatim/core/services/Submissions") {
  static readonly layer: Layer.Layer<
    Submissions,
    never,
    | Digest.Digest
    | JobStore
    | MediaFetcher
    | SecureRandom.SecureRandom
    | Uploads
    | Workspaces
    | WorkspaceStore
  > = Layer.effect(
    Submissions,
    Effect.gen(function* () {
      const store = yield* JobStore
      const { admit, admitKnown } = yield* makeAdmissions
      const check = yield* UrlChecks.make
      const random = yield* SecureRandom.SecureRandom
      const digest = yield* Digest.Digest
      const uploads = yield* Uploads
      const workspaces = yield* Workspaces
      const templates = yield* Templates
      const wanted = yield* NoticeWanted
      const repeats = yield* makeRepeats
      const { allowNetworks } = yield* OutboundPolicy

      const noticeId = Effect.map(random.uuidV7(), (id) => NoticeId.make(id))

      /** Judged by its text; the addresses behind a name are judged when the webhook is sent. */
      const isForbidden = (url: string) => Result.isFailure(judgeUrl({ url, allowNetworks }))

      const reach = (workspaceId: WorkspaceId, { source }: TranscriptionRequest) =>
        source._tag === "Upload" ? Effect.void : check({ url: source.url, workspaceId })

      const judge = Effect.fnUntraced(function* (received: Received, isTextual: boolean) {
        const { parameters, repeated, upload } = received
        const request = yield* Effect.fromResult(
          decodeRequest({ parameters, repeated, upload, isTextual, templates })
        )
        if (request.callback !== null && isForbidden(request.callback.url)) {
          return yield* new UrlUnreachable()
        }
        return request
      })

      /**
       * Returns the record of another job under the key. A write whose answer is lost is repeated:
       * the id is ours alone, so a job or a record with that id is what we wrote.
       */
      const insert = (creation: Creation) =>
        settle(store.insert(creation)).pipe(
          Effect.catch((error) =>
            Effect.flatMap(store.find(creation.job.workspaceId, creation.job.id), (found) =>
              Option.isSome(found)
                ? Effect.succeed(Option.none<IdempotencyRecord>())
                : Effect.fail(error)
            )
          ),
          Effect.map(Option.filter(({ jobId }) => jobId !== creation.job.id))
        )

      const create = Effect.fnUntraced(function* ({
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
          transcriptNoticeId: wanted.transcribed ? yield* noticeId : undefined,
          noticeId: wanted.finished ? yield* noticeId : undefined,
          media: Option.map(received.upload, ({ media }) => media),
          at,
          traceParent: yield* currentTraceParent
        })
        const record = Option.map(keyed, (known) => ({ ...known, jobId: id, at }))
        const creation = { job, work: owedWork(job), idempotency: record, unfinishedMax }
        const earlier = yield* insert(creation).pipe(
          Effect.catchIf(isFull, ({ reason }) =>
            // Nothing was written: the file is nobody's.
            Effect.andThen(uploads.discard(received), refuseUnfinished(reason.of))
          )
        )
        const first = Option.all([earlier, record])
        if (Option.isNone(first)) return yield* Effect.as(countAccepted(job), job)
        // Somebody was faster with the same key.
        const joined = yield* repeats.jobOf({ principal, ...first.value[1] }, first.value[0])
        yield* uploads.discard(received)
        return joined
      })

      /** What cannot be had under its key is nobody's; without one it is a job of its own. */
      const createOnce = (candidate: Candidate, isJoining: boolean) =>
        create(candidate).pipe(
          Effect.catchTag("IdempotencyConflict", (conflict) =>
            isJoining
              ? create({ ...candidate, keyed: Option.none() })
              : Effect.andThen(uploads.discard(candidate.received), conflict)
          )
        )

      const keyOf = <E>({
        idempotencyKey
      }: Arrival<E>): Effect.Effect<Option.Option<IdempotencyKey>, InvalidParameter> => {
        if (idempotencyKey === undefined) return Effect.succeedNone
        const key = parseKey(idempotencyKey)
        return Option.isSome(key) ? Effect.succeed(key) : Effect.fail(malformedKey)
      }

      const accept = trace("Submissions.submit")(function* <E>(
        principal: Principal,
        arrival: Arrival<E>
      ) {
        const { workspaceId } = principal
        const { balanceMillis, workspace } = yield* workspaces.account(workspaceId)
        // A caller may not know yet that it is being deleted: the job would go with the rest.
        if (workspace._tag === "Deleting" || workspace._tag === "Deleted") {
          return yield* new WorkspaceNotFound({ id: workspaceId })
        }
        // The balance goes before the request, of which the key is a part.
        const key = yield* keyOf(arrival).pipe(
          Effect.catch((malformed) =>
            Effect.andThen(isSufficient(balanceMillis) ? Effect.void : refuseUnpaid, malformed)
          )
        )
        const known = Option.isSome(key)
          ? yield* repeats.earlier(workspaceId, key.value)
          : Option.none()
        const isJoining = Option.isNone(key) && arrival.isJoining === true
        const isRepeatable = isJoining || Option.isSome(key)
        const asking = { balanceMillis, isJoining, principal, workspace }
        const unfinishedMax = unfinishedMaxOf({ principal, workspace })
        const id = JobId.make(yield* random.uuidV7())
        const { received, refusal } = yield* Effect.gen(function* () {
          // A repeat asks for nothing new: its cost was judged the first time.
          const refusal = Option.isSome(known)
            ? yield* Effect.as(admitKnown(asking), Option.none())
            : yield* admit(asking)
          // What is a repeat, or is refused if it is none, needs no file.
          const isNew = Option.isNone(known) && Option.isNone(refusal)
          const digested = isNew ? "StoreAndDigest" : "Digest"
          const use = isRepeatable ? digested : "Store"
          return { refusal, received: yield* uploads.receive(id, { arrival, use }) }
        }).pipe(Effect.scoped)
        const { at, joined, keyed, request } = yield* Effect.gen(function* () {
          const request = yield* judge(received, arrival.isTextual)
          const mark = isRepeatable ? yield* fingerprint(request, received.upload) : ""
          const same = { principal, fingerprint: mark }
          const place = isJoining
            ? yield* repeats.placeOf(same)
            : Option.map(key, (given) => ({ key: given, job: Option.none() }))
          const joined = Option.isSome(known)
            ? Option.some(yield* repeats.jobOf(same, known.value))
            : Option.flatMap(place, (found) => found.job)
          if (Option.isNone(joined)) {
            if (Option.isSome(refusal)) return yield* refuse(refusal.value)
            yield* reach(workspaceId, request)
          }
          const keyed = Option.map(place, (found) => ({ key: found.key, fingerprint: mark }))
          return { at: yield* store.now, joined, keyed, request }
        }).pipe(
          Effect.provideService(Digest.Digest, digest),
          Effect.onError(() => uploads.discard(received))
        )
        if (Option.isSome(joined)) {
          yield* uploads.discard(received)
          return { job: joined.value, balanceMillis }
        }
        // A failure from here on leaves the file: the job may be written although the answer is
        // lost.
        const candidate: Candidate = {
          at,
          principal,
          unfinishedMax,
          id,
          received,
          // Not a part of what makes two requests the same: it may change between them.
          request: withKeywords(request, workspace.keywords),
          keyed
        }
        return { job: yield* createOnce(candidate, isJoining), balanceMillis }
      })

      return Submissions.of({
        accept,
        submit: (principal, arrival) =>
          Effect.map(accept(principal, arrival), ({ balanceMillis, job }) =>
            toView(job, { balanceMillis, transcript: Option.none() })
          )
      })
    })
  )
}

const settle = makeSettle<JobStoreError>({
  isLost: ({ reason }) => reason._tag === "Unavailable",
  isSilent: () => false
})

/** There was room when the request came, and others took it. */
const isFull = (
  error: JobStoreError
): error is JobStoreError & { readonly reason: { readonly _tag: "Full" } } =>
  error.reason._tag === "Full"

const malformedKey = new InvalidParameter({
  parameter: "Idempotency-Key",
  detail: "Invalid 'Idempotency-Key' value. Must be 1 to 255 visible ASCII characters"
})
