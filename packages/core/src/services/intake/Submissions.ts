/**
 * Accepts requests for jobs: reads and validates a request, and creates a job from it, once for
 * each idempotency key.
 */
import { Context, Effect, Layer, Option, Result } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { JobId } from "../../domain/attempt/Attempt.ts"
import type {
  IdempotencyConflict,
  IdempotencyKey
} from "../../domain/idempotency/IdempotencyKey.ts"
import { fingerprint, type IdempotencyRecord } from "../../domain/job/IdempotencyRecord.ts"
import type { Job } from "../../domain/job/Job.ts"
import { withInstant } from "../../domain/job/JobListing.ts"
import { toView } from "../../domain/job/JobView.ts"
import {
  checkUrl,
  OutboundPolicy,
  type Refusal as UrlRefusal
} from "../../domain/outbound/UrlPolicy.ts"
import { Templates } from "../../domain/transcription/Templates.ts"
import { type Refusal, UrlUnreachable } from "../../domain/transcription/TranscriptionRefusal.ts"
import {
  decodeRequest,
  type IncomingRequest,
  type Parameters,
  type Submission,
  type TranscriptionRequest,
  withKeywords
} from "../../domain/transcription/TranscriptionRequest.ts"
import type { Principal } from "../../domain/workspace/ApiKey.ts"
import { type BalanceMillis, isSufficient } from "../../domain/workspace/Usage.ts"
import type { WorkspaceId } from "../../domain/workspace/Workspace.ts"
import { JobStore, type JobStoreError } from "../../ports/JobStore.ts"
import type { MediaFetcher, RemoteMedia } from "../../ports/MediaFetcher.ts"
import type { MediaStore, MediaStoreError } from "../../ports/MediaStore.ts"
import { trace } from "../../ports/Trace.ts"
import type { WorkspaceStore, WorkspaceStoreError } from "../../ports/WorkspaceStore.ts"
import type { MediaIdentity } from "../tasks/MediaIdentity.ts"
import { WorkspaceNotFound } from "../workspaces/WorkspaceReads.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import {
  makeAdmissions,
  type NoNewJob,
  refuse,
  refuseUnpaid,
  type TooManyRepeats,
  toUnfinishedMax
} from "./Admissions.ts"
import { type Candidate, makeCreateOnce } from "./JobCreation.ts"
import { makeRepeats, readKey } from "./Repeats.ts"
import { makeDiscard, makeReceive, type Received } from "./Uploads.ts"
import * as UrlChecks from "./UrlChecks.ts"

/** An accepted job, created by this request or by the first one with its key. */
export interface Accepted {
  readonly job: Job
  /** The workspace's balance when the request arrived. */
  readonly balanceMillis: BalanceMillis
}

/**
 * A link to a recording, as its host describes it before the download. The description is not
 * trusted.
 */
export interface LinkQuote extends Pick<RemoteMedia, "byteLength" | "contentType"> {
  readonly url: string
  readonly balanceMillis: BalanceMillis
}

/** The caller of a request, and what is needed to recognise a retry. */
interface RequestOrigin {
  readonly principal: Principal
  readonly key: Option.Option<IdempotencyKey>
  /** The idempotency record of the request's key, if there is one. */
  readonly known: Option.Option<IdempotencyRecord>
  /** Whether the request was sent without a key and joins the job of an identical request. */
  readonly isJoining: boolean
}

/** A request that was read and, if it cannot create a new job, the reason. */
interface Read {
  readonly isTextual: boolean
  readonly received: Received
  readonly refusal: Option.Option<NoNewJob>
}

const isRepeatable = ({ isJoining, key }: RequestOrigin): boolean => isJoining || Option.isSome(key)

const makeSubmissions = Effect.gen(function* () {
  const check = yield* UrlChecks.make
  const accept = yield* makeAccept(check)
  return {
    /**
     * Accepts or refuses a job. Balance and limits are checked before anything is read, and the
     * number of unfinished jobs is checked again when the job is written. A request that exceeds a
     * limit is read only if it may be a retry, and is not stored. Once the call returns, the job
     * and its pending work are durable; after a refusal, nothing remains stored.
     */
    accept,
    /**
     * Validates the parameters of a request with a link, as `accept` does, and reads what the host
     * says about the link, whatever the balance is. Nothing is stored or charged.
     */
    quote: yield* makeQuote(check),
    /** Like `accept`, but returns the job in its response form. */
    submit: <E>(principal: Principal, arrival: IncomingRequest<E>) =>
      Effect.map(accept(principal, arrival), ({ balanceMillis, job }) =>
        toView(job, { balanceMillis, transcript: Option.none() })
      )
  }
})

export class Submissions extends Context.Service<
  Submissions,
  Effect.Success<typeof makeSubmissions>
>()("@verbatim/core/services/Submissions") {
  static readonly layer: Layer.Layer<
    Submissions,
    never,
    | Digest.Digest
    | JobStore
    | MediaFetcher
    | MediaIdentity
    | MediaStore
    | SecureRandom.SecureRandom
    | Workspaces
    | WorkspaceStore
  > = Layer.effect(Submissions, makeSubmissions)
}

type CheckUrl = Effect.Success<typeof UrlChecks.make>

/**
 * Reports a refused private-network URL to the operator, because callers get the same response for
 * every URL that cannot be reached.
 */
const warnIfPrivate = (refusals: ReadonlyArray<Option.Option<UrlRefusal>>): Effect.Effect<void> =>
  refusals.some(Option.exists((each) => each === "ForbiddenAddress" || each === "ForbiddenName"))
    ? Effect.logWarning(
        "Refused a URL of a private network. VERBATIM_ALLOW_NETWORKS of the server, or " +
          "allowedNetworks of open, allows such networks"
      )
    : Effect.void

/** Creates a function that validates the parameters of a request. */
const makeJudge = Effect.gen(function* () {
  const templates = yield* Templates
  const { allowedNetworks } = yield* OutboundPolicy

  /**
   * Checks only the text of a URL. The addresses of a host name are checked when the webhook is
   * sent.
   */
  const refusalOf = (url: string) => Result.getFailure(checkUrl({ url, allowedNetworks }))

  return Effect.fnUntraced(function* (submission: Omit<Submission, "templates">) {
    const request = yield* Effect.fromResult(decodeRequest({ ...submission, templates }))
    const { callback, source } = request
    const ofSource = source._tag === "Url" ? refusalOf(source.url) : Option.none()
    const ofCallback = callback === null ? Option.none() : refusalOf(callback.url)
    yield* warnIfPrivate([ofSource, ofCallback])
    if (Option.isSome(ofCallback)) return yield* new UrlUnreachable()
    return request
  })
})

/**
 * Creates a function that validates a complete request and, if it is a retry, finds the job that it
 * joins.
 */
const makeRecognise = Effect.fnUntraced(function* (check: CheckUrl) {
  const { now: storeNow } = yield* JobStore
  const digest = yield* Digest.Digest
  const judge = yield* makeJudge
  const repeats = yield* makeRepeats

  const reach = (workspaceId: WorkspaceId, { source }: TranscriptionRequest) =>
    source._tag === "Upload" ? Effect.void : check({ url: source.url, workspaceId })

  return Effect.fnUntraced(
    function* (origin: RequestOrigin, { isTextual, received, refusal }: Read) {
      const { isJoining, key, known, principal } = origin
      const request = yield* judge({ ...received, isTextual })
      const same = {
        principal,
        fingerprint: isRepeatable(origin) ? yield* fingerprint(request, received.upload) : ""
      }
      const own = isJoining
        ? yield* repeats.deriveKey(same)
        : Option.map(key, (value) => ({ key: value, job: Option.none() }))
      const joined = Option.isSome(known)
        ? Option.some(yield* repeats.jobOf(same, known.value))
        : Option.flatMap(own, (found) => found.job)
      if (Option.isNone(joined)) {
        if (Option.isSome(refusal)) return yield* refuse(refusal.value)
        yield* reach(principal.workspaceId, request)
      }
      const keyed = Option.map(own, (found) => ({
        key: found.key,
        fingerprint: same.fingerprint
      }))
      return { at: yield* storeNow, joined, keyed, request }
    },
    Effect.provideService(Digest.Digest, digest)
  )
})

/** Creates a function that determines whether a request may be a retry. */
const makeReadOrigin = Effect.map(makeRepeats, ({ earlier }) =>
  Effect.fnUntraced(function* (
    arrival: Pick<IncomingRequest<unknown>, "idempotencyKey" | "isJoining">,
    caller: { readonly balanceMillis: BalanceMillis; readonly principal: Principal }
  ) {
    const { balanceMillis, principal } = caller
    // An insufficient balance takes precedence over a malformed key.
    const key = yield* readKey(arrival.idempotencyKey).pipe(
      Effect.catch((malformed) =>
        Effect.andThen(isSufficient(balanceMillis) ? Effect.void : refuseUnpaid, malformed)
      )
    )
    const known = Option.isSome(key)
      ? yield* earlier(principal.workspaceId, key.value)
      : Option.none()
    const isJoining = Option.isNone(key) && arrival.isJoining === true
    return { isJoining, key, known, principal } satisfies RequestOrigin
  })
)

const makeAccept = Effect.fnUntraced(function* (check: CheckUrl) {
  const { now: storeNow } = yield* JobStore
  const random = yield* SecureRandom.SecureRandom
  const { admit, admitKnown } = yield* makeAdmissions
  const [discard, receive] = [yield* makeDiscard, yield* makeReceive]
  const workspaces = yield* Workspaces
  const readOrigin = yield* makeReadOrigin
  const recognise = yield* makeRecognise(check)
  const createOnce = yield* makeCreateOnce

  return trace("Submissions.submit")(function* <E>(
    principal: Principal,
    arrival: IncomingRequest<E>
  ) {
    const { workspaceId } = principal
    const { balanceMillis, workspace } = yield* workspaces.account(workspaceId)
    // The caller may not know yet that the workspace is being deleted, and a new job would be
    // deleted with it.
    if (workspace._tag === "Deleting" || workspace._tag === "Deleted") {
      return yield* new WorkspaceNotFound({ id: workspaceId })
    }
    const origin = yield* readOrigin(arrival, { balanceMillis, principal })
    const { isJoining, known } = origin
    const requester = { balanceMillis, isJoining, principal, workspace }
    const id = JobId.make(withInstant(yield* random.uuidV7(), yield* storeNow))
    const { received, refusal } = yield* Effect.gen(function* () {
      // A retry needs no new job, and its cost was checked when the first request arrived.
      const refusal = Option.isSome(known)
        ? yield* Effect.as(admitKnown(requester), Option.none())
        : yield* admit(requester)
      // A retried or refused request needs no stored file.
      const isNew = Option.isNone(known) && Option.isNone(refusal)
      const digested = isNew ? "StoreAndDigest" : "Digest"
      const use = isRepeatable(origin) ? digested : "Store"
      return { refusal, received: yield* receive(id, { arrival, use }) }
    }).pipe(Effect.scoped)
    const read = { isTextual: arrival.isTextual, received, refusal }
    const { at, joined, keyed, request } = yield* recognise(origin, read).pipe(
      Effect.onError(() => discard(received))
    )
    if (Option.isSome(joined)) {
      yield* discard(received)
      return { job: joined.value, balanceMillis }
    }
    // If a failure happens from here on, the file is kept, because the job may have been written
    // even though the response was lost.
    const candidate: Candidate = {
      at,
      principal,
      unfinishedMax: toUnfinishedMax({ principal, workspace }),
      id,
      received,
      // The workspace's keywords are not part of the fingerprint, because they may change between
      // requests.
      request: withKeywords(request, workspace.keywords),
      keyed
    }
    return { job: yield* createOnce(candidate, isJoining), balanceMillis }
  })
})

const makeQuote = Effect.fnUntraced(function* (check: CheckUrl) {
  const workspaces = yield* Workspaces
  const judge = yield* makeJudge

  return trace("Submissions.quote")(function* ({ workspaceId }: Principal, parameters: Parameters) {
    const { balanceMillis } = yield* workspaces.account(workspaceId)
    const sent = { parameters, repeated: [], upload: Option.none(), isTextual: false }
    const { source } = yield* judge(sent)
    if (source._tag === "Upload") return yield* Effect.die("a quote has no file")
    const { url } = source
    const { byteLength, contentType } = yield* check({ url, workspaceId })
    return { url, balanceMillis, byteLength, contentType }
  })
})

/** The reasons why a request creates no job, apart from network failures. */
export type NotSubmitted =
  | IdempotencyConflict
  | JobStoreError
  | MediaStoreError
  | NoNewJob
  | Refusal
  | TooManyRepeats
  | UrlChecks.TooManyUrlChecks
  | WorkspaceNotFound
  | WorkspaceStoreError
