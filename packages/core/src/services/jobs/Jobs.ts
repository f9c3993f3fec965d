/**
 * Serves transcription jobs to callers: reads status, transcript and recording, lists jobs, resends
 * webhooks, retries jobs and deletes them.
 */

import { Context, Duration, Effect, Layer, Option, Schema, type Scope } from "effect"
import type { SecureRandom } from "effect/crypto"
import { findMediaKey } from "../../domain/job/Expiry.ts"
import { isClosed, type Job } from "../../domain/job/Job.ts"
import { parseRequiredStatus, StatusChanged } from "../../domain/job/JobDeletion.ts"
import { toDetailedView, toWorkspaceJob } from "../../domain/job/JobDetails.ts"
import { toHistory } from "../../domain/job/JobHistory.ts"
import { type JobView, type LegacyStatus, legacyStatus, toView } from "../../domain/job/JobView.ts"
import {
  isMediaAwaited,
  type PlayableMedia,
  playableMedia
} from "../../domain/job/MediaRetention.ts"
import { formOf, type Rendering } from "../../domain/rendering/Rendering.ts"
import { toPeaksView } from "../../domain/transcription/DecodedAudio.ts"
import type { Transcript } from "../../domain/transcription/Transcript.ts"
import { InvalidParameter } from "../../domain/transcription/TranscriptionRefusal.ts"
import { Modifier } from "../../domain/transcription/TranscriptionRequest.ts"
import type { Principal } from "../../domain/workspace/ApiKey.ts"
import { coreMetrics } from "../../metrics/CoreTable.ts"
import { JobStore } from "../../ports/JobStore.ts"
import { MediaStore, type MediaStoreError } from "../../ports/MediaStore.ts"
import { trace } from "../../ports/Trace.ts"
import { makeForgetMedia } from "../intake/Uploads.ts"
import { type CountedCursor, type TranscriptOptions, Transcripts } from "../tasks/Transcripts.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import { makeList, makeListAll } from "./JobLists.ts"
import {
  type JobScope,
  MediaAwaited,
  makeFindJob,
  makeFindOwner,
  PeaksMissing,
  RequestNotFound,
  TranscriptMissing
} from "./JobReads.ts"
import { LargeReads, makeStatusWriter, textOf } from "./LargeReads.ts"
import { makePartialParts, readablePieces } from "./PartialTranscripts.ts"
import { MediaExpired, makeRenewals, ResultsRemoved } from "./Renewals.ts"

/** Options for `Jobs.result`: the job, and the modifier that names the rendering. */
export interface ResultRequest {
  readonly id: string
  readonly modifier: string
  /**
   * A scope that closes when the caller releases the text. Each text has its own scope. A workspace
   * can hold two transcripts of more than an hour in memory at a time. Without a scope, the text is
   * not counted.
   */
  readonly until?: Scope.Scope
}

/** The result of the computation, or the job's status until the transcript is available. */
export type Reading<A> =
  | { readonly _tag: "Rendering"; readonly rendering: A }
  | { readonly _tag: "Pending"; readonly view: JobView }

/** A rendered transcript, or the job's status until the transcript is available. */
export type Rendered = Reading<Rendering>

/**
 * Options for `Jobs.read`. `make` computes the result from the transcript; `until` means the same
 * as in `ResultRequest`.
 */
export interface ReadRequest<A> extends Pick<ResultRequest, "id" | "until">, TranscriptOptions {
  readonly make: (transcript: Transcript) => A
}

/** Options for `Jobs.detailsText`. */
export interface DetailsRequest {
  readonly id: string
  /** Whether to include the text recognised so far while there is no transcript. */
  readonly isPartial: boolean
}

type ToShown = (...args: Parameters<typeof toView>) => JobView

/** Sends the webhook of a job again, or runs the job again. */
type Renewal<E> = (scope: JobScope, id: string) => Effect.Effect<Job, E>

const makeJobs = Effect.gen(function* () {
  const store = yield* JobStore
  const find = yield* makeFindJob
  const findOwner = yield* makeFindOwner
  const renewals = yield* makeRenewals
  const workspaces = yield* Workspaces
  const { readAgainIfGone, view } = yield* makeReads

  const history = trace("Jobs.history")(function* (principal: Principal, id: string) {
    const job = yield* find(principal, id)
    const entries = yield* store.history(job.id)
    // Every job has a first history entry, so an empty history means that it was removed.
    if (entries.length === 0) return yield* new RequestNotFound()
    return toHistory(job, { entries, audience: principal.kind })
  })

  const renew = <E>(name: string, make: Renewal<E>) =>
    trace(name)((principal: Principal, id: string) =>
      Effect.flatMap(make(principal, id), (job) =>
        Effect.map(workspaces.balance(job.workspaceId), (balanceMillis) =>
          toView(job, { balanceMillis, transcript: Option.none() })
        )
      )
    )

  const renewAny = <E>(name: string, make: Renewal<E>) =>
    trace(name)(function* (id: string) {
      const account = yield* findOwner(id)
      const job = yield* make({ workspaceId: account.workspace.id }, id)
      return toWorkspaceJob({ job, ...account })
    })

  return {
    /** Returns the status of a job, with its transcript if it exists. */
    status: trace("Jobs.status")((principal: Principal, id: string) =>
      readAgainIfGone(principal, { id, read: view })
    ),
    ...(yield* makeTexts),
    ...(yield* makeMediaMethods),
    ...(yield* makeRemove),
    ...(yield* makeResults),
    /**
     * Returns a page of the workspace's jobs, the newest first, with the passages that contain the
     * words of a search.
     */
    list: yield* makeList,
    /** Returns a page of jobs from one workspace or all, newest first, for operators. */
    listAll: yield* makeListAll,
    /** Returns all events and all webhook requests of a job, the oldest first. */
    history,
    /**
     * Sends the webhook of a finished job again, as a new delivery with up to three attempts. This
     * is allowed only once a minute for each job.
     */
    redeliver: renew("Jobs.redeliver", renewals.redeliver),
    /** Does the same as `redeliver` for a job of any workspace, for operators. */
    redeliverAny: renewAny("Jobs.redeliverAny", renewals.redeliver),
    /**
     * Runs a failed job again under the same id, with its summary, webhook and notice. If only
     * the summary failed, the transcript stays.
     */
    retry: renew("Jobs.retry", renewals.retry),
    /** Does the same as `retry` for a job of any workspace, for operators. */
    retryAny: renewAny("Jobs.retryAny", renewals.retry)
  }
})

export class Jobs extends Context.Service<Jobs, Effect.Success<typeof makeJobs>>()(
  "@verbatim/core/services/Jobs"
) {
  static readonly layer: Layer.Layer<
    Jobs,
    never,
    JobStore | MediaStore | SecureRandom.SecureRandom | Transcripts | Workspaces
  > = Layer.effect(Jobs, makeJobs).pipe(Layer.provide(LargeReads.layer))
}

/** Creates functions that read jobs with their transcripts. */
const makeReads = Effect.gen(function* () {
  const store = yield* JobStore
  const find = yield* makeFindJob
  const transcripts = yield* Transcripts
  const workspaces = yield* Workspaces

  /**
   * If the transcript was deleted after its job was found, the job is read again, which shows why.
   */
  const readAgainIfGone = Effect.fnUntraced(function* <A, E>(
    principal: Principal,
    { id, read }: { id: string; read: (job: Job) => Effect.Effect<A, E | RequestNotFound> }
  ) {
    const again = Effect.flatMap(find(principal, id), read)
    const job = yield* find(principal, id)
    return yield* Effect.catchIf(read(job), isNotFound, () => again)
  })

  /** The job may have been removed since it was looked up. */
  const readTranscript = Effect.fnUntraced(function* (job: Job, options?: TranscriptOptions) {
    const found = yield* transcripts.whole(job.id, options)
    return Option.isNone(found) ? yield* new RequestNotFound() : found.value
  })

  /**
   * Loads what a response shows in addition to the job itself: the balance, the progress, and the
   * transcript.
   */
  const loadShown = Effect.fnUntraced(function* (job: Job) {
    return {
      balanceMillis: yield* workspaces.balance(job.workspaceId),
      progress: job.transcription._tag === "Running" ? yield* store.progress(job.id) : none,
      transcript: hasTranscript(job) ? Option.some(yield* readTranscript(job)) : none
    }
  })

  const view = (job: Job) => Effect.map(loadShown(job), (what) => toView(job, what))

  return { loadShown, readAgainIfGone, readTranscript, view }
})

/** Creates the methods that return a job as JSON text. */
const makeTexts = Effect.gen(function* () {
  const largeReads = yield* LargeReads
  const partialParts = yield* makePartialParts
  const transcripts = yield* Transcripts
  const workspaces = yield* Workspaces
  const { loadShown, readAgainIfGone } = yield* makeReads

  const partsOf = ({ id }: Job) =>
    Effect.map(transcripts.open(id), (readPart) =>
      Effect.fnUntraced(function* (before: Option.Option<CountedCursor>) {
        const part = yield* readPart(before)
        if (Option.isNone(part)) return yield* new RequestNotFound()
        return part.value
      })
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

  const detailsText = trace("Jobs.detailsText")((principal: Principal, wanted: DetailsRequest) =>
    readAgainIfGone(principal, {
      id: wanted.id,
      read: writeWith(
        (job, shown) => toDetailedView(job, { ...shown, audience: principal.kind }),
        wanted.isPartial
      )
    })
  )

  return {
    /** Returns all details of a job, with its transcript if it exists, as JSON text. */
    detailsText,
    /**
     * Returns the status of a job, with its transcript if it exists, as JSON text, in pieces if the
     * text is long.
     */
    statusText
  }
})

/** Creates the methods that render the transcript of a job. */
const makeResults = Effect.gen(function* () {
  const largeReads = yield* LargeReads
  const { readAgainIfGone, readTranscript, view } = yield* makeReads

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
    const rendering = Effect.map(readTranscript(job, { hasSpeakers }), make)
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

  return {
    /** Returns the result of the caller's own function for the transcript of a job. */
    read,
    /** Returns the transcript of a job, rendered as the modifier requests. */
    result
  }
})

/** Creates the methods for a job's recording. */
const makeMediaMethods = Effect.gen(function* () {
  const store = yield* JobStore
  const find = yield* makeFindJob
  const mediaStore = yield* MediaStore

  const media = trace("Jobs.media")(function* (principal: Principal, id: string) {
    const job = yield* find(principal, id)
    const found = playableMedia(job)
    if (Option.isSome(found)) return found.value
    return yield* isMediaAwaited(job) ? new MediaAwaited() : new MediaExpired()
  })

  const peaks = trace("Jobs.peaks")(function* (principal: Principal, id: string) {
    const job = yield* find(principal, id)
    const found = yield* store.peaks(job.id)
    return Option.isSome(found) ? toPeaksView(found.value) : yield* new PeaksMissing()
  })

  const readMedia = (
    { media: { key } }: PlayableMedia,
    { from, to }: { readonly from: number; readonly to: number }
  ) =>
    Effect.catchIf(mediaStore.read({ key, from, to }), isMissing, () =>
      Effect.fail(new MediaExpired())
    )

  return {
    /** Finds the recording of a job, if it is still stored. */
    media,
    /**
     * Returns the loudness of a recording over time, if its transcript exists and was produced by a
     * release that stores peaks.
     */
    peaks,
    /**
     * Opens a range of a recording until the scope closes. Fails with `MediaExpired` if the
     * recording was removed after it was found.
     */
    readMedia
  }
})

/** Creates the methods that remove a job. */
const makeRemove = Effect.gen(function* () {
  const store = yield* JobStore
  const find = yield* makeFindJob
  const findOwner = yield* makeFindOwner
  const forgetMedia = yield* makeForgetMedia

  /**
   * The job was found before. If it is now missing after a lost response, this call has removed it.
   */
  const removeJob = ({ id, workspaceId }: Job, statuses?: ReadonlyArray<LegacyStatus>) =>
    Effect.catch(store.remove(workspaceId, id, statuses), (error) =>
      Effect.flatMap(store.find(workspaceId, id), (found) =>
        Option.isSome(found) ? Effect.fail(error) : Effect.succeed(found)
      )
    )

  const remove = trace("Jobs.remove")(function* (scope: JobScope, id: string, ifStatus?: string) {
    const statuses = yield* Effect.fromResult(parseRequiredStatus(ifStatus))
    const found = yield* find(scope, id)
    const outcome = yield* removeJob(found, statuses)
    if (Option.isNone(outcome) && statuses !== undefined) {
      const kept = yield* store.find(found.workspaceId, found.id)
      if (Option.isSome(kept)) return yield* new StatusChanged({ status: legacyStatus(kept.value) })
    }
    const removed = Option.getOrElse(outcome, () => found)
    const key = findMediaKey(removed)
    if (Option.isSome(key)) yield* forgetMedia(key.value)
    yield* coreMetrics.jobsDeleted.record({})
  })

  const removeAny = trace("Jobs.removeAny")(function* (id: string, ifStatus?: string) {
    const { workspace } = yield* findOwner(id)
    yield* remove({ workspaceId: workspace.id }, id, ifStatus)
  })

  return {
    /**
     * Deletes a job with its results and its media. Running work stops at the next lease renewal,
     * and its results are discarded; charges stay. No webhook starts afterwards; a request that
     * started earlier may still arrive, within 30 seconds of its start. A job without the required
     * status stays unchanged: `UNTRANSCRIBED` cancels a job, but never deletes a transcript, and
     * `ENDED` never deletes a job that runs again.
     */
    remove,
    /** Does the same as `remove` for a job of any workspace, for operators. */
    removeAny
  }
})

const none = Option.none<never>()

/**
 * The length above which a transcript is considered long: an hour of speech, about a megabyte of
 * text. Shorter transcripts are rendered without waiting.
 */
const longMillis = Duration.toMillis(Duration.hours(1))

const isMissing = ({ reason }: MediaStoreError): boolean => reason._tag === "Missing"

const isNotFound = (error: unknown): error is RequestNotFound => error instanceof RequestNotFound

const hasTranscript = (job: Job): boolean =>
  job.transcription._tag === "Transcribed" && !isClosed(job)

const decodeModifier = Schema.decodeUnknownOption(Modifier)

/** Maximum length of an invalid modifier in an error message. */
const shownMax = 100

const invalidModifier = (modifier: string) =>
  new InvalidParameter({
    parameter: "modifier",
    detail: `Invalid modifier: ${modifier.slice(0, shownMax).toWellFormed()}`
  })
