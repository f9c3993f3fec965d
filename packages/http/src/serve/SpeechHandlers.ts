/**
 * Handles OpenAI-compatible calls. The service accepts a call and waits for its job. Refusals have
 * the OpenAI format, and a header `x-should-retry` that OpenAI's packages check before they retry.
 */
import {
  type NotAnswered,
  type NotSubmitted,
  type SpeechCall,
  SpeechCalls,
  waitIdle
} from "@verbatim/core/services"
import { type SpeechEvent, SpeechModels, type SpeechRefused } from "@verbatim/core/speech"
import { knownExtensions, MediaLimits } from "@verbatim/core/transcription"
import type { Principal } from "@verbatim/core/workspace"
import { Array as Arr, Cause, Duration, Effect, Option, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../contract/Api.ts"
import { Caller } from "../contract/Authentication.ts"
import {
  challengeHeaders,
  type SpeechErrorBody,
  type SpeechFault,
  type SpeechStatus,
  toSpeechError,
  unexpectedMessage
} from "../contract/Errors.ts"
import { jobHeader, toModel } from "../contract/SpeechApi.ts"
import { Authenticator } from "./auth/Authentication.ts"
import * as Body from "./body/Body.ts"
import { toRendered } from "./body/StreamedAnswer.ts"
import { FailureLog } from "./edge/FailureLog.ts"
import { note } from "./edge/RequestLogging.ts"
import { Health, type HealthReport } from "./system/Health.ts"
import { makeAwaitRefusal } from "./transcription/RecheckAccess.ts"
import { type PartsError, toArrival } from "./transcription/TranscriptionBody.ts"

interface SpeechRefusal extends SpeechFault {
  readonly status: SpeechStatus
  readonly headers?: Readonly<Record<string, string>>
}

/** Builds the response for a refusal. */
const toAnswer = ({ headers = {}, status, ...fault }: SpeechRefusal) =>
  HttpServerResponse.jsonUnsafe(toSpeechError(status, fault), { status, headers })

/**
 * Refuses a caller who lost access while the call was waiting. The message mentions a key only if
 * the caller has one, because a host can authenticate callers without keys.
 */
const refuseCaller = ({ hasKey }: { readonly hasKey: boolean }) =>
  Effect.fail<SpeechRefusal>({
    status: 401,
    message: hasKey
      ? "The API key was revoked or has expired, or its workspace no longer accepts requests"
      : "The caller's access has ended",
    headers: challengeHeaders
  })

/** Headers of a refusal that a retry cannot change. */
const final = { "x-should-retry": "false" } as const

const retryAfterHeader = (seconds: number) => ({
  "retry-after": String(Math.max(1, Math.ceil(seconds)))
})

type Failed = NotAnswered | NotSubmitted | PartsError | SpeechRefused

type Defect = "JobStoreError" | "MediaStoreError" | "WorkspaceNotFound" | "WorkspaceStoreError"

/** The errors that become refusals. Store failures do not, because they are defects. */
type Refused = Exclude<Failed, { readonly _tag: Defect }>

type Table = {
  readonly [Tag in Refused["_tag"]]: (
    refused: Extract<Refused, { readonly _tag: Tag }>
  ) => SpeechRefusal
}

const about =
  (status: SpeechStatus, more: Partial<SpeechRefusal> = {}) =>
  ({ message }: { readonly message: string }): SpeechRefusal => ({ status, message, ...more })

const quota = { type: "insufficient_quota", code: "insufficient_quota", headers: final }

const supported = `Supported: ${knownExtensions.join(", ")}`

/** This refusal also covers a request that has a string, such as a URL, in place of the file. */
const fileNameless =
  "Unsupported 'file': it must be sent as a file, with the name or the Content-Type of a " +
  `recording. ${supported}`

const table: Table = {
  SpeechRefused: ({ code, message, parameter }) => ({
    status: 400,
    message,
    code,
    param: parameter
  }),
  InvalidParameter: ({ message, parameter }) => ({
    status: 400,
    message,
    code: "invalid_value",
    param: parameter
  }),
  MalformedBody: about(400, { code: "invalid_body" }),
  UrlUnresolved: about(400),
  UrlUnreachable: about(400),
  InsufficientBalance: about(429, quota),
  IdempotencyConflict: about(409, { headers: final }),
  FileEmpty: about(400, {
    message: "Invalid 'file': it is empty",
    code: "invalid_value",
    param: "file"
  }),
  FileTooLarge: about(413, { param: "file" }),
  UnsupportedExtension: ({ extension, message }) => ({
    status: 415,
    message: extension === "" ? fileNameless : `${message}. ${supported}`,
    param: "file"
  }),
  LimitReached: ({ message, retryAfter }) => ({
    status: 429,
    message,
    headers: retryAfterHeader(Duration.toSeconds(retryAfter))
  }),
  TooManyRepeats: about(429, { headers: retryAfterHeader(1) }),
  TooManyUrlChecks: about(429, { headers: retryAfterHeader(1) }),
  TooManyReaders: about(429, { headers: retryAfterHeader(1) }),
  RequestNotFound: about(404, { message: "The transcription was deleted", headers: final }),
  ResultsRemoved: about(404),
  TranscriptMissing: about(500, { headers: final }),
  SpeechFailed: ({ isOfRequest, message }) =>
    isOfRequest
      ? { status: 400, message, code: "invalid_value", param: "file" }
      : { status: 500, message, code: "transcription_failed", headers: final },
  StillRunning: about(503, { headers: retryAfterHeader(1) })
}

const isRefused = ({ _tag }: Failed): boolean => Object.hasOwn(table, _tag)

/**
 * Converts an error to a refusal. A store failure is a defect, and is logged and reported at the
 * edge.
 */
const refuse = (failed: Failed): Effect.Effect<never, SpeechRefusal> => {
  if (!isRefused(failed)) return Effect.die(failed)
  const toRefusal = table[failed._tag as Refused["_tag"]] as (same: Failed) => SpeechRefusal
  return Effect.fail(toRefusal(failed))
}

/** Interval between comments. Proxies close a silent connection after 30 or 60 seconds. */
const heartbeat = Duration.seconds(10)

/** A comment line, which readers of server-sent events ignore. */
const keepAlive = ": the transcription is running\n\n"

const write = (name: string, value: unknown): string =>
  `event: ${name}\ndata: ${JSON.stringify(value)}\n\n`

const beats: Stream.Stream<string> = Stream.map(Stream.tick(heartbeat), () => keepAlive)

type Events = Stream.Stream<SpeechEvent, SpeechErrorBody>

/** Number of events per write. Batches save calls, because each write costs a socket call. */
const batchLength = 256

const pieces = (events: Events): Stream.Stream<string> =>
  events.pipe(
    Stream.map((event) => write(event.type, event)),
    Stream.mapArray((texts) =>
      Arr.map(Arr.chunksOf(texts, batchLength), (batch) => batch.join(""))
    ),
    Stream.catch((body) => Stream.make(write("error", body)))
  )

/**
 * Responds with a stream of events. Until the first event is ready, the stream contains comments.
 */
const toEventStream = (events: Events, headers: Readonly<Record<string, string>>) =>
  HttpServerResponse.stream(
    Stream.encodeText(Stream.merge(beats, pieces(events), { haltStrategy: "right" })),
    {
      contentType: "text/event-stream; charset=utf-8",
      headers: {
        ...headers,
        "cache-control": "no-store",
        // Without this header, nginx holds back the events until its buffer is full.
        "x-accel-buffering": "no"
      }
    }
  )

/**
 * A JSON body or an empty body is refused because the file is missing, not because a parameter is
 * invalid.
 */
const noForm = Effect.fail<SpeechRefusal>({
  status: 400,
  code: "invalid_body",
  message: "The body must be sent as multipart/form-data, with the recording as 'file'"
})

const makeJobHeader = (jobId: string) => ({ [jobHeader]: jobId })

/** Returns the name of the engine, or null if it is not ready or not in this process. */
const findEngine = ({ readiness }: HealthReport): string | null =>
  Option.isSome(readiness) && readiness.value._tag === "Ready" ? readiness.value.engine : null

const wait = Effect.gen(function* () {
  const calls = yield* SpeechCalls
  const { report } = yield* FailureLog
  const awaitRefusal = yield* makeAwaitRefusal
  const { isByCredential = false } = yield* Authenticator

  /**
   * Fails when the caller loses access, which can happen during a transcription of several hours.
   */
  const endAccess = (request: HttpServerRequest.HttpServerRequest) =>
    Effect.andThen(awaitRefusal(request), refuseCaller({ hasKey: isByCredential }))

  /**
   * Responds with the whole transcript at the end. The scope of a request lasts until its response
   * is sent.
   */
  const answerWhole = Effect.fnUntraced(function* (caller: Principal, call: SpeechCall) {
    const until = yield* Effect.scope
    const end = endAccess(yield* HttpServerRequest.HttpServerRequest)
    const answered = Effect.catch(calls.answer(caller, { ...call, until }), refuse)
    const { body, contentType } = yield* waitIdle(Effect.raceFirst(answered, end))
    return toRendered(body, { contentType, headers: makeJobHeader(call.jobId) })
  })

  const answerStream = Effect.fnUntraced(function* (caller: Principal, call: SpeechCall) {
    const until = yield* Effect.scope
    const request = yield* HttpServerRequest.HttpServerRequest
    const events = calls.events(caller, { ...call, until }).pipe(
      Stream.catch((failed) => Stream.fromEffect(refuse(failed))),
      Stream.interruptWhen(endAccess(request)),
      Stream.mapError(({ status, ...fault }) => toSpeechError(status, fault)),
      Stream.catchDefect((defect) =>
        Stream.fromEffect(
          Effect.andThen(
            report({ what: "A streamed answer failed", cause: Cause.die(defect) }),
            Effect.fail(toSpeechError(500, { message: unexpectedMessage }))
          )
        )
      ),
      Stream.provideService(HttpServerRequest.HttpServerRequest, request)
    )
    return toEventStream(events, makeJobHeader(call.jobId))
  })

  return (caller: Principal, call: SpeechCall) =>
    call.request.isStreamed
      ? answerStream(caller, call)
      : answerWhole(caller, call).pipe(
          Effect.catch((refusal) =>
            Effect.succeed(
              HttpServerResponse.setHeaders(toAnswer(refusal), makeJobHeader(call.jobId))
            )
          )
        )
})

export const layer = HttpApiBuilder.group(
  Api,
  "speech",
  Effect.fnUntraced(function* (handlers) {
    const { accept } = yield* SpeechCalls
    const { report } = yield* Health
    const limits = yield* MediaLimits
    const names = yield* SpeechModels
    const answer = yield* wait

    const transcribe = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const caller = yield* Caller
      if (Body.parseEssence(request.headers) !== "multipart/form-data") return yield* noForm
      const call = yield* Effect.catch(accept(caller, toArrival(request, limits)), refuse)
      yield* note({ jobId: call.jobId })
      return yield* answer(caller, call)
    })

    return handlers
      .handleRaw("transcribe", ({ request }) =>
        Effect.catch(transcribe(request), (refusal) => Effect.succeed(toAnswer(refusal)))
      )
      .handle("models", () =>
        Effect.map(report, (current) => ({
          object: "list" as const,
          data: names.map((id) => toModel(id, findEngine(current)))
        }))
      )
      .handle("model", ({ params }) =>
        names.includes(params.model)
          ? Effect.map(report, (current) => toModel(params.model, findEngine(current)))
          : Effect.fail(
              toSpeechError(404, {
                message: `The model '${params.model.slice(0, 100).toWellFormed()}' does not exist`,
                param: "model",
                code: "model_not_found"
              })
            )
      )
  })
)
