/**
 * Transcription jobs for callers: reading status, transcript and recording, listing jobs, resending
 * webhooks, retrying and deleting.
 */

import { Context, Duration, Effect, Layer, Option, Schema, type Scope } from "effect"
import { isClosed, type Job } from "../../domain/job/Job.ts"
import { toDetailedView } from "../../domain/job/JobDetails.ts"
import { type JobHistory, toHistory } from "../../domain/job/JobHistory.ts"
import { type JobListParameters, type JobPage, toPage } from "../../domain/job/JobListing.ts"
import { type JobView, toView } from "../../domain/job/JobView.ts"
import type { PlayableMedia } from "../../domain/job/MediaRetention.ts"
import { formOf, type Rendering } from "../../domain/rendering/Rendering.ts"
import { Modifier } from "../../domain/transcription/Receiver.ts"
import type { Transcript } from "../../domain/transcription/Transcript.ts"
import { InvalidParameter } from "../../domain/transcription/TranscriptionRefusal.ts"
import type { Principal } from "../../domain/workspace/ApiKey.ts"
import type { JobStore, JobStoreError } from "../../ports/JobStore.ts"
import { trace } from "../../ports/Trace.ts"
import type { WorkspaceStoreError } from "../../ports/WorkspaceStore.ts"
import type { Uploads } from "../intake/Uploads.ts"
import { type CountedCursor, type TranscriptOptions, Transcripts } from "../tasks/Transcripts.ts"
import type { WorkspaceNotFound } from "../workspaces/WorkspaceReads.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import {
  makeFindMedia,
  makeReadMedia,
  makeReadPeaks,
  type ReadMedia,
  type ReadPeaks
} from "./JobMedia.ts"
import { JobRecords } from "./JobRecords.ts"
import { type MediaAwaited, RequestNotFound, TranscriptMissing } from "./JobRefusals.ts"
import { makeStatusWriter, textOf } from "./JobText.ts"
import type { ChunkedText } from "./LargeReads.ts"
import { LargeReads, type TooManyReaders } from "./LargeReads.ts"
import { makePartialParts, readablePieces } from "./PartialTranscripts.ts"
import {
  type MediaExpired,
  type RedeliveryRefusal,
  ResultsRemoved,
  type RetryRefusal
} from "./Renewals.ts"

/** Options of `Jobs.result`: the job, and the modifier of the rendering. */
export interface ResultRequest {
  readonly id: string
  readonly modifier: string
  /**
   * The scope that ends when the caller no longer holds the text; each text has its own scope. A
   * workspace can hold two transcripts of more than an hour at a time. If no scope is given,
   * nothing is counted.
   */
  readonly until?: Scope.Scope
}

/** The computed result, or the job's status until the transcript exists. */
export type Reading<A> =
  | { readonly _tag: "Rendering"; readonly rendering: A }
  | { readonly _tag: "Pending"; readonly view: JobView }

/** A rendered transcript, or the job's status until the transcript exists. */
export type Rendered = Reading<Rendering>

/**
 * Options of `Jobs.read`. `make` computes the result; `until` has the same meaning as in
 * `ResultRequest`.
 */
export interface ReadRequest<A> extends Pick<ResultRequest, "id" | "until">, TranscriptOptions {
  readonly make: (transcript: Transcript) => A
}

/** Options of `Jobs.detailsText`. */
export interface DetailsRequest {
  readonly id: string
  /** Whether to include the text recognised so far while there is no transcript. */
  readonly isPartial: boolean
}

type ToShown = (...args: Parameters<typeof toView>) => JobView

type Unavailable = JobStoreError | WorkspaceStoreError | WorkspaceNotFound

type NotRead = RequestNotFound | ResultsRemoved | TooManyReaders | TranscriptMissing | Unavailable

export class Jobs extends Context.Service<
  Jobs,
  {
    /** The status of a job, with its transcript if it exists. */
    readonly status: (
      principal: Principal,
      id: string
    ) => Effect.Effect<JobView, RequestNotFound | Unavailable>
    /**
     * The status of a job, with its transcript if it exists, as JSON text, in pieces if it is long.
     */
    readonly statusText: (
      principal: Principal,
      id: string
    ) => Effect.Effect<ChunkedText<JobStoreError | RequestNotFound>, RequestNotFound | Unavailable>
    /** All details of a job, with its transcript if it exists, as JSON text. */
    readonly detailsText: (
      principal: Principal,
      wanted: DetailsRequest
    ) => Effect.Effect<ChunkedText<JobStoreError | RequestNotFound>, RequestNotFound | Unavailable>
    /** The recording of a job, while it is kept. */
    readonly media: (
      principal: Principal,
      id: string
    ) => Effect.Effect<PlayableMedia, JobStoreError | MediaAwaited | MediaExpired | RequestNotFound>
    /** A range of the recording, for as long as the scope is open. */
    readonly readMedia: ReadMedia
    /** The loudness of the recording over time. */
    readonly peaks: ReadPeaks
    /** The transcript of a job in the rendering of a modifier. */
    readonly result: (
      principal: Principal,
      wanted: ResultRequest
    ) => Effect.Effect<Rendered, InvalidParameter | NotRead>
    /** The transcript of a job, processed by the caller's own function. */
    readonly read: <A>(
      principal: Principal,
      wanted: ReadRequest<A>
    ) => Effect.Effect<Reading<A>, NotRead>
    /** A page of the workspace's jobs, newest first. */
    readonly list: (
      principal: Principal,
      wanted: JobListParameters
    ) => Effect.Effect<JobPage, InvalidParameter | Unavailable>
    /** Every event and every webhook request of a job, oldest first. */
    readonly history: (
      principal: Principal,
      id: string
    ) => Effect.Effect<JobHistory, RequestNotFound | JobStoreError>
    /**
     * Deletes a job with its results and its media. Running work stops at the next renewal of its
     * lease, and its results are discarded; charges stay. No webhook starts afterwards; a request
     * that started earlier may still arrive, within 30 seconds of its start.
     */
    readonly remove: (
      principal: Principal,
      id: string
    ) => Effect.Effect<void, RequestNotFound | JobStoreError>
    /**
     * Sends the webhook of a finished job again, as a new delivery with up to three attempts. This
     * is allowed at most once a minute for each job.
     */
    readonly redeliver: (
      principal: Principal,
      id: string
    ) => Effect.Effect<JobView, RedeliveryRefusal | RequestNotFound | Unavailable>
    /** Runs a failed job again under its id, with its summary, its webhook and its notice. */
    readonly retry: (
      principal: Principal,
      id: string
    ) => Effect.Effect<JobView, RequestNotFound | RetryRefusal | Unavailable>
  }
>()("@verbatim/core/services/Jobs") {
  static readonly layer: Layer.Layer<
    Jobs,
    never,
    JobRecords | JobStore | Transcripts | Uploads | Workspaces
  > = Layer.effect(
    Jobs,
    Effect.gen(function* () {
      const records = yield* JobRecords
      const largeReads = yield* LargeReads
      const mediaMethods = yield* makeMediaMethods
      const partialParts = yield* makePartialParts
      const transcripts = yield* Transcripts
      const workspaces = yield* Workspaces

      /**
       * If the transcript was deleted after its job was found, reading the job again yields the
       * reason.
       */
      const readAgainIfGone = Effect.fnUntraced(function* <A, E>(
        principal: Principal,
        { id, read }: { id: string; read: (job: Job) => Effect.Effect<A, E | RequestNotFound> }
      ) {
        const again = Effect.flatMap(records.find(principal, id), read)
        const job = yield* records.find(principal, id)
        return yield* Effect.catchIf(read(job), isNotFound, () => again)
      })

      const partsOf = ({ id }: Job) =>
        Effect.map(transcripts.open(id), (readPart) =>
          Effect.fnUntraced(function* (before: Option.Option<CountedCursor>) {
            const part = yield* readPart(before)
            if (Option.isNone(part)) return yield* new RequestNotFound()
            return part.value
          })
        )

      /** Loads the other parts of a job's view: the balance, the progress, and the transcript. */
      const loadShown = Effect.fnUntraced(function* (job: Job) {
        return {
          balanceMillis: yield* workspaces.balance(job.workspaceId),
          progress: yield* records.progress(job),
          transcript: yield* records.transcript(job)
        }
      })

      const view = (job: Job) => Effect.map(loadShown(job), (what) => toView(job, what))

      const status = trace("Jobs.status")((principal: Principal, id: string) =>
        readAgainIfGone(principal, { id, read: view })
      )
      const writeWith = (toShown: ToShown, isPartial = false) =>
        Effect.fnUntraced(function* (job: Job) {
          if (!hasTranscript(job)) {
            const head = toShown(job, yield* loadShown(job))
            const pieces = isPartial ? readablePieces(job) : Option.none()
            if (Option.isNone(pieces)) return textOf(head)
            const parts = partialParts(job, pieces.value)
            return yield* largeReads.write(makeStatusWriter(head, parts, "partial_output"))
          }
          const balanceMillis = yield* workspaces.balance(job.workspaceId)
          const head = toShown(job, { balanceMillis, transcript: Option.none() })
          return yield* largeReads.write(makeStatusWriter(head, yield* partsOf(job)))
        })

      const statusText = trace("Jobs.statusText")((principal: Principal, id: string) =>
        readAgainIfGone(principal, { id, read: writeWith(toView) })
      )

      const detailsText = trace("Jobs.detailsText")(
        (principal: Principal, wanted: DetailsRequest) =>
          readAgainIfGone(principal, {
            id: wanted.id,
            read: writeWith(
              (job, shown) => toDetailedView(job, { ...shown, audience: principal.kind }),
              wanted.isPartial
            )
          })
      )

      const renderResult = Effect.fnUntraced(function* <A>(
        job: Job,
        { hasSpeakers, make, until }: Omit<ReadRequest<A>, "id">
      ) {
        const { transcription } = job
        if (isClosed(job)) return yield* new ResultsRemoved()
        if (transcription._tag === "Failed") {
          return yield* new TranscriptMissing({ during: transcription.during })
        }
        if (transcription._tag !== "Transcribed") {
          return { _tag: "Pending" as const, view: yield* view(job) }
        }
        const rendering = Effect.flatMap(
          records.transcript(job, { hasSpeakers }),
          Option.match({
            onNone: () => Effect.fail(new RequestNotFound()),
            onSome: (transcript) => Effect.sync(() => make(transcript))
          })
        )
        const isLong = transcription.durationMillis > longMillis
        return {
          _tag: "Rendering" as const,
          rendering: yield* isLong
            ? largeReads.whole({ workspaceId: job.workspaceId, until }, rendering)
            : rendering
        }
      })

      const read = <A>(principal: Principal, { id, ...wanted }: ReadRequest<A>) =>
        readAgainIfGone(principal, { id, read: (job) => renderResult(job, wanted) })

      const result = trace("Jobs.result")(function* (principal: Principal, wanted: ResultRequest) {
        const modifier = decodeModifier(wanted.modifier)
        if (Option.isNone(modifier)) return yield* invalidModifier(wanted.modifier)
        return yield* read(principal, { ...wanted, ...formOf(modifier.value) })
      })

      const list = trace("Jobs.list")(function* (principal: Principal, wanted: JobListParameters) {
        const listed = yield* records.list(principal, wanted)
        const balanceMillis = yield* workspaces.balance(principal.workspaceId)
        return toPage(listed, { balanceMillis, audience: principal.kind })
      })

      const history = trace("Jobs.history")(function* (principal: Principal, id: string) {
        const job = yield* records.find(principal, id)
        const entries = yield* records.history(principal, id)
        return toHistory(job, { entries, audience: principal.kind })
      })

      const renew = <E>(
        name: string,
        make: (principal: Principal, id: string) => Effect.Effect<Job, E>
      ) =>
        trace(name)((principal: Principal, id: string) =>
          Effect.flatMap(make(principal, id), (job) =>
            Effect.map(workspaces.balance(job.workspaceId), (balanceMillis) =>
              toView(job, { balanceMillis, transcript: Option.none() })
            )
          )
        )

      return Jobs.of({
        status,
        statusText,
        detailsText,
        ...mediaMethods,
        result,
        read,
        list,
        history,
        remove: trace("Jobs.remove")(records.remove),
        redeliver: renew("Jobs.redeliver", records.redeliver),
        retry: renew("Jobs.retry", records.retry)
      })
    })
  ).pipe(Layer.provide(LargeReads.layer))
}

const makeMediaMethods = Effect.all({
  media: makeFindMedia,
  readMedia: makeReadMedia,
  peaks: makeReadPeaks
})

/**
 * Length above which a transcript counts as long: an hour of speech, about a megabyte of text.
 * Shorter transcripts are rendered without waiting.
 */
const longMillis = Duration.toMillis(Duration.hours(1))

const isNotFound = (error: unknown): error is RequestNotFound => error instanceof RequestNotFound

const hasTranscript = (job: Job): boolean =>
  job.transcription._tag === "Transcribed" && !isClosed(job)

const decodeModifier = Schema.decodeUnknownOption(Modifier)

/** Maximum length of an invalid modifier that is repeated to the caller. */
const shownMax = 100

const invalidModifier = (modifier: string) =>
  new InvalidParameter({
    parameter: "modifier",
    detail: `Invalid modifier: ${modifier.slice(0, shownMax).toWellFormed()}`
  })
