/**
 * Answers the calls of programs written for OpenAI: the service takes the call and waits for its
 * job, and what it refuses is told in the form that they expect.
 */
import { type SpeechCall, SpeechCalls, type Workspaces, waitIdle } from "@verbatim/core/services"
import { SpeechModels } from "@verbatim/core/speech"
import { MediaLimits } from "@verbatim/core/transcription"
import type { Principal } from "@verbatim/core/workspace"
import { Cause, Effect, type Layer, Option } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { Api } from "../../contract/Api.ts"
import { Caller, type SpeechAuthentication } from "../../contract/Authentication.ts"
import { unexpectedMessage } from "../../contract/ErrorBody.ts"
import { jobHeader } from "../../contract/speech/SpeechApi.ts"
import { toSpeechError } from "../../contract/speech/SpeechErrors.ts"
import { toModel } from "../../contract/speech/SpeechModelViews.ts"
import { Authenticator } from "../auth/Authentication.ts"
import * as Body from "../body/Body.ts"
import { toRendered } from "../body/WrittenAnswer.ts"
import { FailureLog } from "../edge/FailureLog.ts"
import { note } from "../edge/Observation.ts"
import { Health, type HealthReport } from "../system/Health.ts"
import { toArrival } from "../transcription/Arrivals.ts"
import { makeUntilRefused } from "../transcription/StillAllowed.ts"
import { refuse, refuseCaller, type SpeechRefusal, toAnswer } from "./SpeechRefusals.ts"
import { toEventStream } from "./SpeechStream.ts"

/** A JSON or no body at all has no file: the parameters in it are not at fault. */
const noForm = Effect.fail<SpeechRefusal>({
  status: 400,
  code: "invalid_body",
  message: "The body must be sent as multipart/form-data, with the recording as 'file'"
})

const namesJob = (jobId: string) => ({ [jobHeader]: jobId })

/** The engine that works now, where the process knows. */
const engineOf = ({ readiness }: HealthReport): string | null =>
  Option.isSome(readiness) && readiness.value._tag === "Ready" ? readiness.value.engine : null

const wait = Effect.gen(function* () {
  const calls = yield* SpeechCalls
  const { tell } = yield* FailureLog
  const untilRefused = yield* makeUntilRefused
  const { isByCredential = false } = yield* Authenticator

  /** Waits only while the caller may still call: hours of transcription may outlive a key. */
  const whileAllowed = Effect.fnUntraced(function* <A, E, R>(waiting: Effect.Effect<A, E, R>) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const end = Effect.andThen(untilRefused(request), refuseCaller({ hasKey: isByCredential }))
    return yield* Effect.raceFirst(waiting, end)
  })

  /** In one answer. The scope of a request ends when that is sent. */
  const answerWhole = Effect.fnUntraced(function* (caller: Principal, call: SpeechCall) {
    const until = yield* Effect.scope
    const answered = Effect.catch(calls.answer(caller, { ...call, until }), refuse)
    const { body, contentType } = yield* waitIdle(whileAllowed(answered))
    return toRendered(body, { contentType, headers: namesJob(call.jobId) })
  })

  const answerStream = Effect.fnUntraced(function* (caller: Principal, call: SpeechCall) {
    const until = yield* Effect.scope
    const request = yield* HttpServerRequest.HttpServerRequest
    const told = calls.events(caller, { ...call, until }).pipe(
      Effect.catch(refuse),
      whileAllowed,
      Effect.mapError(({ status, ...fault }) => toSpeechError(status, fault)),
      Effect.catchDefect((defect) =>
        Effect.andThen(
          tell({ what: "A streamed answer failed", cause: Cause.die(defect) }),
          Effect.fail(toSpeechError(500, { message: unexpectedMessage }))
        )
      ),
      Effect.provideService(HttpServerRequest.HttpServerRequest, request)
    )
    return toEventStream(told, namesJob(call.jobId))
  })

  return (caller: Principal, call: SpeechCall) =>
    call.request.isStreamed
      ? answerStream(caller, call)
      : answerWhole(caller, call).pipe(
          Effect.catch((refusal) =>
            Effect.succeed(HttpServerResponse.setHeaders(toAnswer(refusal), namesJob(call.jobId)))
          )
        )
})

/** The operations over the services `SpeechCalls` and `Health`. */
export const layer: Layer.Layer<
  HttpApiGroup.Service<"verbatim", "speech">,
  never,
  Authenticator | FailureLog | Health | SpeechAuthentication | SpeechCalls | Workspaces
> = HttpApiBuilder.group(
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
        Effect.map(report, (told) => ({
          object: "list" as const,
          data: names.map((id) => toModel(id, engineOf(told)))
        }))
      )
      .handle("model", ({ params }) =>
        names.includes(params.model)
          ? Effect.map(report, (told) => toModel(params.model, engineOf(told)))
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
