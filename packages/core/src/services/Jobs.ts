/**
 * Transcription jobs as a caller knows them: submit one, look at it, read its transcript, have its
 * webhook sent again, delete it.
 */

import { Context, Duration, Effect, Layer, Option, Schema, type Scope } from "effect"
import type { Digest, SecureRandom } from "effect/crypto"
import { JobId } from "../domain/attempt/JobId.ts"
import type { Job } from "../domain/job/Job.ts"
import { type JobHistory, toHistory } from "../domain/job/JobHistory.ts"
import { type JobPage, parse, toPage, type Wanted } from "../domain/job/JobListing.ts"
import { type JobView, toView } from "../domain/job/JobView.ts"
import { type Rendering, render } from "../domain/rendering/Rendering.ts"
import { Modifier } from "../domain/transcription/Modifier.ts"
import { InvalidParameter } from "../domain/transcription/TranscriptionRefusal.ts"
import type { TranscriptMark } from "../domain/transcription/TranscriptPart.ts"
import type { Principal } from "../domain/workspace/Principal.ts"
import type { WorkspaceId } from "../domain/workspace/Workspace.ts"
import { coreMetrics } from "../metrics/CoreMetrics.ts"
import { JobStore, type JobStoreError } from "../ports/JobStore.ts"
import type { MediaFetcher } from "../ports/MediaFetcher.ts"
import { trace } from "../ports/Trace.ts"
import type { WorkspaceStoreError } from "../ports/WorkspaceStore.ts"
import { textOf, writingStatus } from "./JobText.ts"
import { LargeReads, type TooManyReaders } from "./LargeReads.ts"
import { type RedeliveryRefusal, Renewals, type RetryRefusal } from "./Renewals.ts"
import { Uploads } from "./Uploads.ts"
import type { WorkspaceNotFound } from "./WorkspaceReads.ts"
import { Workspaces } from "./Workspaces.ts"
import type { Written } from "./Written.ts"

/** The workspace has no job with that id. */
export class RequestNotFound extends Schema.TaggedError<RequestNotFound>()("RequestNotFound", {}) {}

/** The job ended without a transcript: its media was never fetched, or could not be transcribed. */
export class TranscriptMissing extends Schema.TaggedError<TranscriptMissing>()(
  "TranscriptMissing",
  { during: Schema.Literals(["Fetching", "Running"]) }
) {}

/** Which form of which transcript. */
export interface WantedResult {
  readonly id: string
  readonly modifier: string
  /**
   * Ends when the caller no longer holds the text; one for each text. Of transcripts over an hour,
   * a workspace has two at a time. Without a scope nothing is counted.
   */
  readonly until?: Scope.Scope
}

/** A transcript in one of its forms, or the job's status until it is there. */
export type Rendered =
  | { readonly _tag: "Rendering"; readonly rendering: Rendering }
  | { readonly _tag: "Pending"; readonly view: JobView }

type Unavailable = JobStoreError | WorkspaceStoreError | WorkspaceNotFound

export class Jobs extends Context.Service<
  Jobs,
  {
    /** The status of a job, with its transcript once there is one. */
    readonly status: (
      principal: Principal,
      id: string
    ) => Effect.Effect<JobView, RequestNotFound | Unavailable>
    /** The same as JSON to send on, in pieces when the transcript is long. */
    readonly statusText: (
      principal: Principal,
      id: string
    ) => Effect.Effect<Written<JobStoreError | RequestNotFound>, RequestNotFound | Unavailable>
    /** The transcript of a job in the form of a modifier. */
    readonly result: (
      principal: Principal,
      wanted: WantedResult
    ) => Effect.Effect<
      Rendered,
      InvalidParameter | RequestNotFound | TooManyReaders | TranscriptMissing | Unavailable
    >
    /** A page of the workspace's jobs, newest first. */
    readonly list: (
      principal: Principal,
      wanted: Wanted
    ) => Effect.Effect<JobPage, InvalidParameter | Unavailable>
    /** Every event of a job and every webhook request, oldest first. */
    readonly history: (
      principal: Principal,
      id: string
    ) => Effect.Effect<JobHistory, RequestNotFound | JobStoreError>
    /**
     * Deletes a job with its results and its media. Work on it stops at the next renewal of its
     * lease, and nothing of that work is kept; what was charged stays charged. No webhook begins
     * afterwards; a request that had begun before may still arrive, within 30 seconds of its start.
     */
    readonly remove: (
      principal: Principal,
      id: string
    ) => Effect.Effect<void, RequestNotFound | JobStoreError>
    /**
     * Sends the webhook of an ended job again, as a new delivery of up to three attempts. At most
     * once a minute for each job.
     */
    readonly redeliver: (
      principal: Principal,
      id: string
    ) => Effect.Effect<JobView, RedeliveryRefusal | RequestNotFound | Unavailable>
    /** Runs a failed job again under its id, with its summary and its webhook. */
    readonly retry: (
      principal: Principal,
      id: string
    ) => Effect.Effect<JobView, RequestNotFound | RetryRefusal | Unavailable>
  }
>()("@verbatim/core/services/Jobs") {
  static readonly layer: Layer.Layer<
    Jobs,
    never,
    Digest.Digest | JobStore | MediaFetcher | SecureRandom.SecureRandom | Uploads | Workspaces
  > = Layer.effect(
    Jobs,
    Effect.gen(function* () {
      const store = yield* JobStore
      const renewals = yield* Renewals
      const largeReads = yield* LargeReads
      const uploads = yield* Uploads
      const workspaces = yield* Workspaces

      const find = Effect.fnUntraced(function* (workspaceId: WorkspaceId, id: string) {
        const valid = decodeId(id)
        if (Option.isNone(valid)) return yield* new RequestNotFound()
        const job = yield* store.find(workspaceId, valid.value)
        if (Option.isNone(job)) return yield* new RequestNotFound()
        return job.value
      })

      /** A transcribed job without its transcript was deleted after it was found. */
      const transcriptOf = Effect.fnUntraced(function* ({ id }: Job) {
        const transcript = yield* store.transcript(id)
        if (Option.isNone(transcript)) return yield* new RequestNotFound()
        return transcript.value
      })

      const partsOf = ({ id }: Job) =>
        Effect.fnUntraced(function* (before: Option.Option<TranscriptMark>) {
          const part = yield* store.transcriptPart(id, before)
          if (Option.isNone(part)) return yield* new RequestNotFound()
          return part.value
        })

      /** What a job has besides its state: how far the engine is, or what it made. */
      const beside = Effect.fnUntraced(function* (job: Job) {
        const { _tag } = job.transcription
        return {
          progress: _tag === "Running" ? yield* store.progress(job.id) : Option.none(),
          transcript: _tag === "Transcribed" ? Option.some(yield* transcriptOf(job)) : Option.none()
        }
      })

      const status = trace("Jobs.status")(function* (principal: Principal, id: string) {
        const job = yield* find(principal.workspaceId, id)
        const balanceMillis = yield* workspaces.balance(principal.workspaceId)
        return toView(job, { balanceMillis, ...(yield* beside(job)) })
      })

      const statusText = trace("Jobs.statusText")(function* (principal: Principal, id: string) {
        const job = yield* find(principal.workspaceId, id)
        const balanceMillis = yield* workspaces.balance(principal.workspaceId)
        if (job.transcription._tag !== "Transcribed") {
          return textOf(toView(job, { balanceMillis, ...(yield* beside(job)) }))
        }
        const view = toView(job, { balanceMillis, transcript: Option.none() })
        return yield* largeReads.write(writingStatus(view, partsOf(job)))
      })

      const result = trace("Jobs.result")(function* (
        principal: Principal,
        { id, modifier, until }: WantedResult
      ) {
        const valid = decodeModifier(modifier)
        if (Option.isNone(valid)) return yield* invalidModifier(modifier)
        const job = yield* find(principal.workspaceId, id)
        if (job.transcription._tag === "Failed") {
          return yield* new TranscriptMissing({ during: job.transcription.during })
        }
        if (job.transcription._tag !== "Transcribed") {
          const balanceMillis = yield* workspaces.balance(principal.workspaceId)
          const view = toView(job, { balanceMillis, ...(yield* beside(job)) })
          return { _tag: "Pending" as const, view }
        }
        const rendering = Effect.map(transcriptOf(job), (transcript) =>
          render(valid.value, transcript)
        )
        const isLong = job.transcription.durationMillis > longMillis
        return {
          _tag: "Rendering" as const,
          rendering: yield* isLong
            ? largeReads.whole({ workspaceId: job.workspaceId, until }, rendering)
            : rendering
        }
      })

      const list = trace("Jobs.list")(function* ({ workspaceId }: Principal, wanted: Wanted) {
        const query = yield* Effect.fromResult(parse(workspaceId, wanted))
        const { limit } = query
        return toPage(yield* store.list({ ...query, limit: limit + 1 }), {
          balanceMillis: yield* workspaces.balance(workspaceId),
          limit
        })
      })

      const history = trace("Jobs.history")(function* (principal: Principal, id: string) {
        const job = yield* find(principal.workspaceId, id)
        return toHistory(job.id, yield* store.history(job.id))
      })

      /** A removal whose answer is lost may have happened: the job was there before. */
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

      const remove = trace("Jobs.remove")(function* (principal: Principal, id: string) {
        const found = yield* find(principal.workspaceId, id)
        const { transcription } = Option.getOrElse(yield* removeJob(found), () => found)
        if ("media" in transcription && transcription.media !== undefined) {
          yield* uploads.forget(transcription.media.key)
        }
        yield* coreMetrics.jobsDeleted.record({})
      })

      const renewed = Effect.fnUntraced(function* (job: Job) {
        const balanceMillis = yield* workspaces.balance(job.workspaceId)
        return toView(job, { balanceMillis, transcript: Option.none() })
      })

      const redeliver = trace("Jobs.redeliver")((principal: Principal, id: string) =>
        Effect.flatMap(renewals.redeliver(find(principal.workspaceId, id)), renewed)
      )

      const retry = trace("Jobs.retry")((principal: Principal, id: string) =>
        Effect.flatMap(renewals.retry(find(principal.workspaceId, id)), renewed)
      )

      return Jobs.of({
        status,
        statusText,
        result,
        list,
        history,
        remove,
        redeliver,
        retry
      })
    })
  ).pipe(Layer.provide(Layer.mergeAll(LargeReads.layer, Renewals.layer)))
}

/** An hour of speech is about a megabyte. Shorter ones are rendered without waiting. */
const longMillis = Duration.toMillis(Duration.hours(1))

const decodeId = Schema.decodeOption(JobId)
const decodeModifier = Schema.decodeUnknownOption(Modifier)

/** Longest part of a wrong modifier that is repeated to the caller. */
const shownMax = 100

const invalidModifier = (modifier: string) =>
  new InvalidParameter({
    parameter: "modifier",
    detail: `Invalid modifier: ${modifier.slice(0, shownMax).toWellFormed()}`
  })
