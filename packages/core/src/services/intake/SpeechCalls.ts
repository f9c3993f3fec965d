/**
 * Calls in the form of OpenAI's audio API: each is an ordinary job, whose end is waited for. The
 * same call of the same caller joins that job, while it runs and for a day after it began.
 */

import { Context, Duration, Effect, Layer, Schedule, Schema, type Scope, Stream } from "effect"
import { isTransient, sentence } from "../../domain/attempt/Failure.ts"
import type { Job } from "../../domain/job/Job.ts"
import type { Rendering } from "../../domain/rendering/Rendering.ts"
import { refusal } from "../../domain/schema/Refusal.ts"
import { type SpeechEvent, SpeechModels, SpeechRefused } from "../../domain/speech/SpeechAnswer.ts"
import { invalid, knowParameter, type SpeechValue } from "../../domain/speech/SpeechParameters.ts"
import { renderSpeech, toEvents } from "../../domain/speech/SpeechRendering.ts"
import { decodeSpeech, judgeSpeech, type SpeechRequest } from "../../domain/speech/SpeechRequest.ts"
import type { Arrival, ArrivingPart } from "../../domain/transcription/Arrival.ts"
import { withAcceptedExtension } from "../../domain/transcription/MediaType.ts"
import type { Transcript } from "../../domain/transcription/Transcript.ts"
import { isTerminal } from "../../domain/transcription/Transcription.ts"
import { sentAsFile } from "../../domain/transcription/TranscriptionRequest.ts"
import type { Principal } from "../../domain/workspace/ApiKey.ts"
import { JobStoreError } from "../../ports/JobStore.ts"
import { trace } from "../../ports/Trace.ts"
import type { WorkspaceStoreError } from "../../ports/WorkspaceStore.ts"
import { JobFeeds } from "../events/JobFeeds.ts"
import { JobRecords } from "../jobs/JobRecords.ts"
import type { RequestNotFound, TranscriptMissing } from "../jobs/JobRefusals.ts"
import { Jobs } from "../jobs/Jobs.ts"
import type { TooManyReaders } from "../jobs/LargeReads.ts"
import type { ResultsRemoved } from "../jobs/Renewals.ts"
import type { WorkspaceNotFound } from "../workspaces/WorkspaceReads.ts"
import type { NotSubmitted } from "./Submissions.ts"
import { Submissions } from "./Submissions.ts"

/** There will be no transcript. */
export class SpeechFailed extends refusal<SpeechFailed>()("SpeechFailed", {
  fields: {
    sentence: Schema.NonEmptyString,
    /** Whether the recording is to blame, or what was asked of it. */
    isOfRequest: Schema.Boolean
  },
  sentence: ({ sentence }) => sentence
}) {}

/** The job goes on, and the same call will join it. */
export class StillRunning extends refusal<StillRunning>()("StillRunning", {
  sentence: "The transcription is still running; the same request joins it and is not charged again"
}) {}

/** A call whose job is accepted. */
export interface SpeechCall {
  readonly jobId: string
  readonly request: SpeechRequest
}

/** Whose call, and until when what is made of the transcript is held. */
export interface AnswerRequest extends SpeechCall {
  readonly until?: Scope.Scope
}

/** Why a call has no answer although it has a job. */
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

/** A caller waits at most this long; proxies and clients give up before. */
const waitMax = Duration.hours(1)

/** All texts of a call together, in characters: many times what an honest one has. */
const textMax = 262_144

/** All values of a call together: a hundred keywords, and each other parameter a few times. */
const valueMax = 256

/** A short recording is text within a second: it is looked at so soon by itself. */
const firstPauses = [100, 200, 400].map((millis) => Duration.millis(millis))

/** After a while without news a job is looked at all the same: of a thousand, three in a second. */
const quietMax = Duration.minutes(5)

/**
 * Whoever has waited for an hour should not hear of a database that is started anew: it is asked
 * again for a minute.
 */
const askedAgain = { schedule: Schedule.spaced(Duration.seconds(5)), times: 12 }

export class SpeechCalls extends Context.Service<
  SpeechCalls,
  {
    /** Accepts a call: its job is durable, and may be one that the same call has made before. */
    readonly accept: <E>(
      principal: Principal,
      arrival: Arrival<E>
    ) => Effect.Effect<SpeechCall, E | NotSubmitted | SpeechRefused>
    /** The transcript in the form of the call, once it is there. */
    readonly answer: (
      principal: Principal,
      wanted: AnswerRequest
    ) => Effect.Effect<Rendering, NotAnswered>
    /** The transcript as events, once it is there. */
    readonly events: (
      principal: Principal,
      wanted: AnswerRequest
    ) => Effect.Effect<ReadonlyArray<SpeechEvent>, NotAnswered>
  }
>()("@verbatim/core/services/SpeechCalls") {
  static readonly layer: Layer.Layer<
    SpeechCalls,
    never,
    JobFeeds | JobRecords | Jobs | Submissions
  > = Layer.effect(
    SpeechCalls,
    Effect.gen(function* () {
      const feeds = yield* JobFeeds
      const records = yield* JobRecords
      const jobs = yield* Jobs
      const submissions = yield* Submissions
      const models = yield* SpeechModels

      const accept = trace("SpeechCalls.accept")(function* <E>(
        principal: Principal,
        arrival: Arrival<E>
      ) {
        const reading = readCall(arrival, models)
        const { job } = yield* submissions.accept(principal, reading.arrival)
        return { jobId: job.id, request: yield* reading.request }
      })

      /** Waits until a recording has become text, or never will, also while the store is away. */
      const transcribed = Effect.fnUntraced(function* (principal: Principal, id: string) {
        const look = Effect.retry(records.find(principal, id), { while: isAway, ...askedAgain })
        let job = yield* look
        for (const pause of firstPauses) {
          if (isTerminal(job.transcription)) return job
          yield* Effect.sleep(pause)
          job = yield* look
        }
        while (!isTerminal(job.transcription)) {
          yield* feeds.awaitChange(job.id, { beyond: job.revision, atMost: quietMax })
          job = yield* look
        }
        return job
      })

      /** What is made of the transcript, once it is there. */
      const make = Effect.fnUntraced(function* <A>(
        principal: Principal,
        { jobId, make, until }: AnswerRequest & { readonly make: (transcript: Transcript) => A }
      ) {
        const job = yield* transcribed(principal, jobId).pipe(
          Effect.timeoutOrElse({
            duration: waitMax,
            orElse: () => Effect.fail(new StillRunning())
          })
        )
        yield* mustBeTranscribed(job)
        const made = yield* jobs.read(principal, {
          id: jobId,
          make,
          ...(until === undefined ? {} : { until })
        })
        // Somebody has it run again: it is under way once more.
        return made._tag === "Pending" ? yield* new StillRunning() : made.rendering
      })

      return SpeechCalls.of({
        accept,
        answer: trace("SpeechCalls.answer")((principal, wanted) =>
          Effect.flatMap(
            make(principal, {
              ...wanted,
              make: (transcript) => renderSpeech(wanted.request, transcript)
            }),
            Effect.fromResult
          )
        ),
        events: trace("SpeechCalls.events")((principal, wanted) =>
          make(principal, {
            ...wanted,
            make: (transcript) => [...toEvents(wanted.request, transcript)]
          })
        )
      })
    })
  )
}

const mustBeTranscribed = ({ transcription }: Job) =>
  transcription._tag === "Failed"
    ? Effect.fail(
        new SpeechFailed({
          sentence: sentence(transcription.failure),
          isOfRequest:
            !isTransient(transcription.failure) && transcription.failure._tag !== "EngineRefused"
        })
      )
    : Effect.void

type Part<E> = ArrivingPart<E | SpeechRefused>

/**
 * Reads a call while its file goes by: what its parameters break is told before the file is stored,
 * as far as they come before it. Our own parameters follow at the end.
 */
const readCall = <E>({ idempotencyKey, parts }: Arrival<E>, models: ReadonlyArray<string>) => {
  const sent = new Map<string, Array<SpeechValue>>()
  let length = 0
  let count = 0
  let hasFile = false

  const keep = Effect.fnUntraced(function* (written: string, value: SpeechValue) {
    const name = yield* Effect.fromResult(knowParameter(written))
    length += written.length + (typeof value === "string" ? value.length : 0)
    count += 1
    if (length > textMax) return yield* tooMuch(name, `${textMax} characters`)
    if (count > valueMax) return yield* tooMuch(name, `${valueMax} values`)
    sent.set(written, [...(sent.get(written) ?? []), value])
    const none: ReadonlyArray<Part<E>> = []
    return none
  })

  const take = (
    part: ArrivingPart<E>
  ): Effect.Effect<ReadonlyArray<Part<E>>, E | SpeechRefused> => {
    if (part._tag === "Parameter") return keep(part.name, String(part.value))
    if (part.name !== "file") {
      return Effect.andThen(Stream.runDrain(part.content), keep(part.name, sentAsFile))
    }
    hasFile = true
    // Some clients name their files by nothing that is known here: then their type tells.
    const filename = withAcceptedExtension(part.filename, part.contentType)
    return Effect.as(Effect.fromResult(judgeSpeech(sent, models)), [{ ...part, filename }])
  }

  const request = Effect.suspend(() =>
    Effect.andThen(Effect.fromResult(decodeSpeech(sent, models)), (found) =>
      hasFile ? Effect.succeed(found) : Effect.fail(fileMissing)
    )
  )

  const own = Effect.map(request, ({ parameters }) =>
    Object.entries(parameters).map(([name, value]): Part<E> => ({ _tag: "Parameter", name, value }))
  )

  const arrival: Arrival<E | SpeechRefused> = {
    // The parameters are written by ourselves, with JSON values.
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

/** What cannot be read now cannot be read in a minute either. */
const isAway = (error: JobStoreError | RequestNotFound): boolean =>
  error instanceof JobStoreError && error.reason._tag === "Unavailable"
