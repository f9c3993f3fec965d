/**
 * Transcription jobs as a caller knows them: hand one in, look at it, read its transcript.
 */
import { Context, DateTime, Effect, Layer, Option, Result, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { DeliveryId } from "../delivery/Delivery.ts"
import { OutboundPolicy } from "../outbound/OutboundPolicy.ts"
import { judge as judgeUrl } from "../outbound/UrlPolicy.ts"
import { JobStore, type JobStoreError } from "../ports/JobStore.ts"
import { MediaFetcher, type MediaFetcherError } from "../ports/MediaFetcher.ts"
import type { MediaStoreError } from "../ports/MediaStore.ts"
import type { WorkspaceStoreError } from "../ports/WorkspaceStore.ts"
import { Modifier, type Rendering, render } from "../rendering/Modifier.ts"
import type { Arrival } from "../transcription/Arrival.ts"
import { fileBytesMax, MediaLimits } from "../transcription/MediaLimits.ts"
import { extensionOf, extensionOfRemote, pathOf } from "../transcription/MediaType.ts"
import { Templates } from "../transcription/Templates.ts"
import {
  decode,
  FileTooLarge,
  InvalidParameter,
  type Refusal,
  type TranscriptionRequest,
  UnsupportedExtension,
  UrlUnreachable,
  UrlUnresolved
} from "../transcription/TranscriptionRequest.ts"
import { type Received, Uploads } from "../transcription/Uploads.ts"
import { isSufficient } from "../workspace/Balance.ts"
import type { Principal } from "../workspace/Principal.ts"
import type { WorkspaceId } from "../workspace/Workspace.ts"
import { type WorkspaceNotFound, Workspaces } from "../workspace/Workspaces.ts"
import { create, type Job, owed } from "./Job.ts"
import { JobId } from "./JobId.ts"
import { type JobView, toView } from "./JobView.ts"

/** The workspace has 60 minutes left, or less. */
export class InsufficientBalance extends Schema.TaggedError<InsufficientBalance>()(
  "InsufficientBalance",
  {}
) {}

/** The workspace has no job with that id. */
export class RequestNotFound extends Schema.TaggedError<RequestNotFound>()("RequestNotFound", {}) {}

/** The job ended without a transcript: its media was never got, or nothing came of it. */
export class TranscriptMissing extends Schema.TaggedError<TranscriptMissing>()(
  "TranscriptMissing",
  { during: Schema.Literals(["Fetching", "Running"]) }
) {}

/** A transcript in one of its forms, or the job's status while it is not there yet. */
export type Rendered =
  | { readonly _tag: "Rendering"; readonly rendering: Rendering }
  | { readonly _tag: "Pending"; readonly view: JobView }

type Unavailable = JobStoreError | WorkspaceStoreError | WorkspaceNotFound

export class Jobs extends Context.Service<
  Jobs,
  {
    /**
     * Accepts a job, or refuses it. The balance is checked before anything is read. Once this
     * answers, the job and the work it owes are durable; after a refusal nothing is left.
     */
    readonly submit: <E>(
      principal: Principal,
      arrival: Arrival<E>
    ) => Effect.Effect<JobView, InsufficientBalance | Refusal | MediaStoreError | Unavailable | E>
    /** The status of a job, with its transcript when it is there. */
    readonly status: (
      principal: Principal,
      id: string
    ) => Effect.Effect<JobView, RequestNotFound | Unavailable>
    /** The transcript of a job in the form of a modifier. */
    readonly result: (
      principal: Principal,
      wanted: { readonly id: string; readonly modifier: string }
    ) => Effect.Effect<
      Rendered,
      InvalidParameter | RequestNotFound | TranscriptMissing | Unavailable
    >
  }
>()("@verbatim/core/job/Jobs") {
  static readonly layer: Layer.Layer<
    Jobs,
    never,
    JobStore | MediaFetcher | SecureRandom.SecureRandom | Uploads | Workspaces
  > = Layer.effect(
    Jobs,
    Effect.gen(function* () {
      const store = yield* JobStore
      const fetcher = yield* MediaFetcher
      const random = yield* SecureRandom.SecureRandom
      const uploads = yield* Uploads
      const workspaces = yield* Workspaces
      const limits = yield* MediaLimits
      const templates = yield* Templates
      const { allowNetworks } = yield* OutboundPolicy

      /** What the text alone shows; the addresses behind a name are judged when it is sent. */
      const isForbidden = (url: string) => Result.isFailure(judgeUrl({ url, allowNetworks }))

      /** Reaches a URL once before the job is accepted, so that a typing error is told at once. */
      const reach = Effect.fnUntraced(function* (url: string) {
        const path = pathOf(url)
        const remote = yield* fetcher.check(url).pipe(Effect.mapError(unreached))
        if (Option.isNone(extensionOfRemote({ ...remote, path }))) {
          return yield* new UnsupportedExtension({ extension: extensionOf(path) })
        }
        if (Option.exists(remote.byteLength, (length) => length > fileBytesMax(limits))) {
          return yield* new FileTooLarge({ maxMegabytes: limits.fileMegabytesMax })
        }
      })

      const judge = Effect.fnUntraced(function* (received: Received, isTextual: boolean) {
        const { parameters, repeated, upload } = received
        const request = yield* Effect.fromResult(
          decode({ parameters, repeated, upload, isTextual, templates })
        )
        if (request.callback !== null && isForbidden(request.callback.url)) {
          return yield* new UrlUnreachable()
        }
        if (request.source._tag === "Url") yield* reach(request.source.url)
        return request
      })

      /** An answer may be lost after the write. Then the store knows, and the id is ours alone. */
      const insert = Effect.fnUntraced(function* (job: Job) {
        yield* store
          .insert({ job, work: owed(job) })
          .pipe(
            Effect.catch((error) =>
              Effect.flatMap(store.find(job.workspaceId, job.id), (found) =>
                Option.isSome(found) ? Effect.void : Effect.fail(error)
              )
            )
          )
      })

      const accept = Effect.fnUntraced(function* (
        principal: Principal,
        { received, ...ids }: { id: JobId; received: Received; request: TranscriptionRequest }
      ) {
        const deliveryId = DeliveryId.make(yield* random.uuidV7())
        const job = create({
          ...ids,
          workspaceId: principal.workspaceId,
          deliveryId,
          media: Option.map(received.upload, ({ media }) => media),
          at: yield* DateTime.now
        })
        yield* insert(job)
        return job
      })

      const submit = Effect.fn("Jobs.submit")(function* <E>(
        principal: Principal,
        arrival: Arrival<E>
      ) {
        const balanceMillis = yield* workspaces.balance(principal.workspaceId)
        if (!isSufficient(balanceMillis)) return yield* new InsufficientBalance()
        const id = JobId.make(yield* random.uuidV7())
        const received = yield* uploads.receive(id, arrival)
        const request = yield* judge(received, arrival.isTextual).pipe(
          Effect.onError(() => uploads.discard(received))
        )
        // From here on a failure leaves the file: the job may be written although the answer is
        // lost.
        const job = yield* accept(principal, { id, received, request })
        return toView(job, { balanceMillis, transcript: Option.none() })
      })

      const find = Effect.fnUntraced(function* (workspaceId: WorkspaceId, id: string) {
        const valid = decodeId(id)
        if (Option.isNone(valid)) return yield* new RequestNotFound()
        const job = yield* store.find(workspaceId, valid.value)
        if (Option.isNone(job)) return yield* new RequestNotFound()
        return job.value
      })

      const status = Effect.fn("Jobs.status")(function* (principal: Principal, id: string) {
        const job = yield* find(principal.workspaceId, id)
        return toView(job, {
          balanceMillis: yield* workspaces.balance(principal.workspaceId),
          transcript:
            job.transcription._tag === "Transcribed"
              ? yield* store.transcript(job.id)
              : Option.none()
        })
      })

      const result = Effect.fn("Jobs.result")(function* (
        principal: Principal,
        { id, modifier }: { readonly id: string; readonly modifier: string }
      ) {
        const valid = decodeModifier(modifier)
        if (Option.isNone(valid)) return yield* invalidModifier(modifier)
        const job = yield* find(principal.workspaceId, id)
        if (job.transcription._tag === "Failed") {
          return yield* new TranscriptMissing({ during: job.transcription.during })
        }
        if (job.transcription._tag !== "Transcribed") {
          const balanceMillis = yield* workspaces.balance(principal.workspaceId)
          const view = toView(job, { balanceMillis, transcript: Option.none() })
          return { _tag: "Pending" as const, view }
        }
        const transcript = yield* store.transcript(job.id)
        if (Option.isNone(transcript)) return yield* new TranscriptMissing({ during: "Running" })
        return { _tag: "Rendering" as const, rendering: render(valid.value, transcript.value) }
      })

      return Jobs.of({ submit, status, result })
    })
  )
}

const decodeId = Schema.decodeOption(JobId)
const decodeModifier = Schema.decodeUnknownOption(Modifier)

/** More of a wrong modifier than this is not repeated to the caller. */
const shownMax = 100

const invalidModifier = (modifier: string) =>
  new InvalidParameter({
    parameter: "modifier",
    detail: `Invalid modifier: ${modifier.slice(0, shownMax).toWellFormed()}`
  })

const unreached = ({ reason }: MediaFetcherError) =>
  reason._tag === "Unresolved"
    ? new UrlUnresolved({ host: reason.host, code: reason.code })
    : new UrlUnreachable()
