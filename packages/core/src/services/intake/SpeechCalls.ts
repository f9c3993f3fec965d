/**
 * Handles calls in OpenAI's audio format. Each call is an ordinary job, and its response is sent
 * when the job ends. An identical call by the same caller joins the job while it runs and for a day
 * after it began.
 */

import {
  Context,
  Duration,
  Effect,
  Layer,
  Option,
  Schedule,
  Schema,
  type Scope,
  Stream
} from "effect"
import { isTransient, sentence } from "../../domain/attempt/Failure.ts"
import type { Job } from "../../domain/job/Job.ts"
import { refusal } from "../../domain/schema/Refusal.ts"
import { type SpeechEvent, SpeechModels, SpeechRefused } from "../../domain/speech/SpeechAnswer.ts"
import { findParameter, invalid, type SpeechValue } from "../../domain/speech/SpeechParameters.ts"
import { renderSpeech, toDelta, toEvents } from "../../domain/speech/SpeechRendering.ts"
import {
  decodeSpeech,
  type SpeechRequest,
  validateSpeech
} from "../../domain/speech/SpeechRequest.ts"
import { withAcceptedExtension } from "../../domain/transcription/MediaType.ts"
import type { Transcript } from "../../domain/transcription/Transcript.ts"
import { isTerminal } from "../../domain/transcription/Transcription.ts"
import {
  type IncomingPart,
  type IncomingRequest,
  sentAsFile
} from "../../domain/transcription/TranscriptionRequest.ts"
import type { Principal } from "../../domain/workspace/ApiKey.ts"
import { type JobStore, JobStoreError } from "../../ports/JobStore.ts"
import { trace } from "../../ports/Trace.ts"
import type { WorkspaceStoreError } from "../../ports/WorkspaceStore.ts"
import { JobFeeds } from "../events/JobFeeds.ts"
import { makeFindJob, type RequestNotFound, type TranscriptMissing } from "../jobs/JobReads.ts"
import { Jobs } from "../jobs/Jobs.ts"
import type { TooManyReaders } from "../jobs/LargeReads.ts"
import {
  makeReadPieces,
  type PieceRange,
  pieceBatch,
  readablePieces
} from "../jobs/PartialTranscripts.ts"
import type { ResultsRemoved } from "../jobs/Renewals.ts"
import type { WorkspaceNotFound } from "../workspaces/WorkspaceReads.ts"
import { Submissions } from "./Submissions.ts"

/** The job ended without a transcript. */
export class SpeechFailed extends refusal<SpeechFailed>()("SpeechFailed", {
  fields: {
    sentence: Schema.NonEmptyString,
    /** Whether the recording or the request caused the failure, and not the server. */
    isOfRequest: Schema.Boolean
  },
  sentence: ({ sentence }) => sentence
}) {}

/** The caller waited too long. The job continues, and an identical call will join it. */
export class StillRunning extends refusal<StillRunning>()("StillRunning", {
  sentence: "The transcription is still running; the same request joins it and is not charged again"
}) {}

/** A call, and the job that was accepted for it. */
export interface SpeechCall {
  readonly jobId: string
  readonly request: SpeechRequest
}

/** An accepted call, and the scope during which its text is kept in memory. */
export interface AnswerRequest extends SpeechCall {
  readonly until?: Scope.Scope
}

/** The reasons why an accepted call returns no transcript. */
export type NotAnswered =
  | JobStoreError
  | RequestNotFound
  | ResultsRemoved
  | SpeechFailed
  | SpeechRefused
  | StillRunning
  | TooManyReaders
  | TranscriptMissing
  | WorkspaceNotFound
  | WorkspaceStoreError

/** The text that a stream has already sent. */
interface SentText {
  /** The plan of the pieces that were sent; undefined before the first one. */
  plan: string | undefined
  /** The number of sent pieces. */
  ready: number
  text: string
}

/** Maximum time that a caller waits. Proxies and clients usually time out earlier. */
const waitMax = Duration.hours(1)

/**
 * Maximum total length of a call's text values, in characters, which is many times that of a
 * typical call.
 */
const textMax = 262_144

/** Maximum number of values in a call: a hundred keywords, and each other parameter a few times. */
const valueMax = 256

/**
 * The first pauses between reads of the job. They are short, because a short recording is
 * transcribed within a second.
 */
const firstPauses = [100, 200, 400].map((millis) => Duration.millis(millis))

/**
 * Time after which a job is read even if it did not change. A thousand callers then cause three
 * reads a second.
 */
const quietMax = Duration.minutes(5)

/**
 * Reading is retried for a minute, so that a waiting caller does not notice a restart of the
 * database.
 */
const unavailableRetries = { schedule: Schedule.spaced(Duration.seconds(5)), times: 12 }

const makeSpeechCalls = Effect.gen(function* () {
  const submissions = yield* Submissions
  const models = yield* SpeechModels
  const watch = yield* makeWatch
  const make = yield* makeAwaitTranscript(watch)
  const readUnsent = yield* makeReadUnsent

  const accept = trace("SpeechCalls.accept")(function* <E>(
    principal: Principal,
    arrival: IncomingRequest<E>
  ) {
    const reading = readCall(arrival, models)
    const { job } = yield* submissions.accept(principal, reading.arrival)
    return { jobId: job.id, request: yield* reading.request }
  })

  const events = (principal: Principal, wanted: AnswerRequest) =>
    Stream.suspend(() => {
      const sent: SentText = { plan: undefined, ready: 0, text: "" }
      const whileRecognised = watch(principal, wanted.jobId).pipe(
        Stream.flatMap((job) => readUnsent(job, sent)),
        Stream.interruptWhen(Effect.delay(Effect.fail(new StillRunning()), waitMax))
      )
      const atEnd = make(principal, {
        ...wanted,
        make: (transcript) => [...toEvents(wanted.request, transcript, sent.text)]
      })
      return Stream.concat(whileRecognised, Stream.fromIterableEffect(atEnd))
    })

  return {
    /** Accepts a call. Its job is durable, and may be that of an earlier identical call. */
    accept,
    /** Returns the transcript in the requested format, as soon as it is available. */
    answer: trace("SpeechCalls.answer")((principal: Principal, wanted: AnswerRequest) =>
      Effect.flatMap(
        make(principal, {
          ...wanted,
          make: (transcript) => renderSpeech(wanted.request, transcript)
        }),
        Effect.fromResult
      )
    ),
    /**
     * Streams the text during recognition, and then the rest of the transcript as soon as it is
     * available.
     */
    events
  }
})

export class SpeechCalls extends Context.Service<
  SpeechCalls,
  Effect.Success<typeof makeSpeechCalls>
>()("@verbatim/core/services/SpeechCalls") {
  static readonly layer: Layer.Layer<SpeechCalls, never, JobFeeds | Jobs | JobStore | Submissions> =
    Layer.effect(SpeechCalls, makeSpeechCalls)
}

/**
 * Creates a function that streams the states of a job until its transcription has ended, even if
 * the store is unavailable for a while.
 */
const makeWatch = Effect.gen(function* () {
  const feeds = yield* JobFeeds
  const find = yield* makeFindJob

  return (principal: Principal, id: string) => {
    const findJob = Effect.retry(find(principal, id), {
      while: isUnavailable,
      ...unavailableRetries
    })
    return Stream.paginate(
      { reads: 0, before: Option.none<Job>() },
      Effect.fnUntraced(function* ({ before, reads }) {
        if (Option.isSome(before)) {
          const { id: jobId, revision } = before.value
          const waiting = { beyond: revision, atMost: quietMax }
          const pause = firstPauses[reads - 1]
          yield* pause === undefined ? feeds.awaitChange(jobId, waiting) : Effect.sleep(pause)
        }
        const job = yield* findJob
        const next = { reads: reads + 1, before: Option.some(job) }
        const hasEnded = isTerminal(job.transcription)
        return [[job], hasEnded ? Option.none() : Option.some(next)] as const
      })
    )
  }
})

/** Creates a function that waits for the transcript, and passes it to `make`. */
const makeAwaitTranscript = Effect.fnUntraced(function* (watch: Effect.Success<typeof makeWatch>) {
  const jobs = yield* Jobs

  return Effect.fnUntraced(function* <A>(
    principal: Principal,
    { jobId, make, until }: AnswerRequest & { readonly make: (transcript: Transcript) => A }
  ) {
    const job = yield* Stream.runLast(watch(principal, jobId)).pipe(
      Effect.timeoutOrElse({
        duration: waitMax,
        orElse: () => Effect.fail(new StillRunning())
      })
    )
    if (Option.isSome(job)) yield* requireTranscript(job.value)
    const made = yield* jobs.read(principal, {
      id: jobId,
      make,
      ...(until === undefined ? {} : { until })
    })
    // The job is running again, because a retry was requested.
    return made._tag === "Pending" ? yield* new StillRunning() : made.rendering
  })
})

/** Creates a function that reads the text that has become readable since a job's previous state. */
const makeReadUnsent = Effect.map(makeReadPieces, (readPieces) => {
  const readAgain = (range: PieceRange) =>
    Effect.retry(readPieces(range), { while: isUnavailable, ...unavailableRetries })

  return (job: Job, sent: SentText): Stream.Stream<SpeechEvent, JobStoreError> => {
    const pieces = Option.getOrUndefined(readablePieces(job))
    if (pieces === undefined) return Stream.empty
    const { plan, ready } = pieces
    sent.plan ??= plan
    // Text of pieces from another plan would not continue the text that was already sent.
    if (sent.plan !== plan) return Stream.empty
    return Stream.paginate(
      sent.ready,
      Effect.fnUntraced(function* (from) {
        if (from >= ready) return [[], Option.none<number>()] as const
        const to = Math.min(from + pieceBatch, ready)
        const delta = toDelta(sent.text, yield* readAgain({ id: job.id, plan, from, to }))
        sent.ready = to
        sent.text += delta
        const events = delta === "" ? [] : [{ type: "transcript.text.delta" as const, delta }]
        return [events, Option.some(to)] as const
      })
    )
  }
})

const requireTranscript = ({ transcription }: Job) =>
  transcription._tag === "Failed"
    ? Effect.fail(
        new SpeechFailed({
          sentence: sentence(transcription.failure),
          isOfRequest:
            !isTransient(transcription.failure) && transcription.failure._tag !== "EngineRefused"
        })
      )
    : Effect.void

type Part<E> = IncomingPart<E | SpeechRefused>

/**
 * Reads a call while its file is still arriving, so that an invalid parameter before the file is
 * refused before the file is stored. The parameters under our own names are added after the file.
 */
const readCall = <E>(
  { idempotencyKey, parts }: IncomingRequest<E>,
  models: ReadonlyArray<string>
) => {
  const sent = new Map<string, Array<SpeechValue>>()
  let length = 0
  let count = 0
  let hasFile = false

  const keep = Effect.fnUntraced(function* (written: string, value: SpeechValue) {
    const name = yield* Effect.fromResult(findParameter(written))
    length += written.length + (typeof value === "string" ? value.length : 0)
    count += 1
    if (length > textMax) return yield* tooMuch(name, `${textMax} characters`)
    if (count > valueMax) return yield* tooMuch(name, `${valueMax} values`)
    sent.set(written, [...(sent.get(written) ?? []), value])
    const none: ReadonlyArray<Part<E>> = []
    return none
  })

  const take = (
    part: IncomingPart<E>
  ): Effect.Effect<ReadonlyArray<Part<E>>, E | SpeechRefused> => {
    if (part._tag === "Parameter") return keep(part.name, String(part.value))
    if (part.name !== "file") {
      return Effect.andThen(Stream.runDrain(part.content), keep(part.name, sentAsFile))
    }
    hasFile = true
    // Some clients send file names with an unknown extension. The content type then decides.
    const filename = withAcceptedExtension(part.filename, part.contentType)
    return Effect.as(Effect.fromResult(validateSpeech(sent, models)), [{ ...part, filename }])
  }

  const request = Effect.suspend(() =>
    Effect.andThen(Effect.fromResult(decodeSpeech(sent, models)), (found) =>
      hasFile ? Effect.succeed(found) : Effect.fail(fileMissing)
    )
  )

  const own = Effect.map(request, ({ parameters }) =>
    Object.entries(parameters).map(([name, value]): Part<E> => ({ _tag: "Parameter", name, value }))
  )

  const arrival: IncomingRequest<E | SpeechRefused> = {
    // The parameters are not text from a form: they already have our own names and JSON values.
    isTextual: false,
    isJoining: true,
    idempotencyKey,
    parts: parts.pipe(
      Stream.mapEffect(take),
      Stream.flattenIterable,
      Stream.concat(Stream.fromIterableEffect(own))
    )
  }
  return { arrival, request }
}

const fileMissing = new SpeechRefused({
  parameter: "file",
  code: "missing_required_parameter",
  detail: "Missing required parameter: 'file'"
})

const tooMuch = (name: string, what: string) =>
  invalid(name, `the parameters have more than ${what} together`)

/** Retries help only if the store is unavailable, because an unreadable job stays unreadable. */
const isUnavailable = (error: JobStoreError | RequestNotFound): boolean =>
  error instanceof JobStoreError && error.reason._tag === "Unavailable"
