/**
 * Handles the correction operations, with one service call each, and maps refusals to the wire.
 * Write operations are raw, because the service decides when the body is read.
 */
import { ExactNumber } from "@verbatim/core/schema"
import { Corrections, type CorrectionWrite } from "@verbatim/core/services"
import { InvalidParameter } from "@verbatim/core/transcription"
import { Effect, Result } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../../contract/Api.ts"
import { toOneText } from "../../../contract/Parameters.ts"
import { isNamedBy, makeEntityTag, parseMatch } from "../../../contract/preset/PresetHeaders.ts"
import { readJson } from "../../body/Body.ts"
import { answerJobRefusals } from "../../Refusals.ts"
import { withJob } from "../JobsHandlers.ts"
import { MalformedBody } from "../TranscriptionBody.ts"

type Request = HttpServerRequest.HttpServerRequest

/**
 * A body with corrections has at most 8 MiB. A thousand segments take 0.1 MiB with typical texts,
 * and 5 to 15 MiB with the longest ones.
 */
const byteMax = 8_388_608

/** Reads JSON within the limits of all bodies. The service validates the value. */
const readBody = (request: Request): Effect.Effect<unknown, MalformedBody> =>
  readJson(request, byteMax).pipe(
    Effect.map(ExactNumber.toNumbers),
    Effect.mapError(() => new MalformedBody())
  )

const malformedMatch = new InvalidParameter({
  parameter: "If-Match",
  detail: "Invalid 'If-Match' value. Must be * or a list of entity tags in double quotes"
})

const readWrite = (request: Request) => {
  const { headers } = request
  return Effect.map(
    Effect.mapError(Effect.fromResult(parseMatch(headers)), () => malformedMatch),
    (match): Omit<CorrectionWrite<MalformedBody>, "id"> => ({
      body: readBody(request),
      match,
      idempotencyKey: headers["idempotency-key"]
    })
  )
}

/** Adds the version's entity tag to the response, so that a write can be conditional on it. */
const answer = (standing: { readonly version: number }) =>
  HttpServerResponse.jsonUnsafe(standing, {
    headers: { etag: makeEntityTag(String(standing.version)) }
  })

/**
 * Responds without a body if the client already has this version. A malformed header is ignored.
 */
const answerRead =
  (headers: Readonly<Record<string, string | undefined>>) =>
  (standing: { readonly version: number }) => {
    const tag = String(standing.version)
    const isKnown = Result.match(isNamedBy(headers), {
      onFailure: () => false,
      onSuccess: (isNamed) => isNamed(tag)
    })
    return isKnown
      ? HttpServerResponse.empty({ status: 304, headers: { etag: makeEntityTag(tag) } })
      : answer(standing)
  }

export const layer = HttpApiBuilder.group(
  Api,
  "corrections",
  Effect.fnUntraced(function* (handlers) {
    const corrections = yield* Corrections

    const write =
      (act: (typeof corrections)["nameSpeakers"]) =>
      (call: { readonly params: { readonly id: string }; readonly request: Request }) =>
        withJob(call, (caller, id) =>
          Effect.flatMap(readWrite(call.request), (correction) =>
            act(caller, { ...correction, id })
          )
        ).pipe(Effect.map(answer), answerJobRefusals)

    return handlers
      .handleRaw("nameSpeakers", write(corrections.nameSpeakers))
      .handleRaw("correctSegments", write(corrections.correctSegments))
      .handleRaw("goBack", write(corrections.goBack))
      .handle("list", (call) =>
        withJob(call, (caller, id) => {
          const { before, from_segment, limit } = call.query
          return corrections.read(caller, {
            id,
            before: toOneText(before),
            limit: toOneText(limit),
            fromSegment: toOneText(from_segment)
          })
        }).pipe(Effect.map(answerRead(call.headers)), answerJobRefusals)
      )
      .handle("get", (call) =>
        withJob(call, (caller) => corrections.version(caller, call.params)).pipe(answerJobRefusals)
      )
  })
)
