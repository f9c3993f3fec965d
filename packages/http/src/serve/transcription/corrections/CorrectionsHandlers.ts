/**
 * Answers the operations on corrections: one service call each, and what its refusals are on the
 * wire. The writes are raw, because the service decides when their body is read.
 */
import { ExactNumber } from "@verbatim/core/schema"
import { Corrections, type CorrectionWrite } from "@verbatim/core/services"
import { InvalidParameter } from "@verbatim/core/transcription"
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../../contract/Api.ts"
import { toOneText } from "../../../contract/Parameters.ts"
import { makeEntityTag, parseMatch } from "../../../contract/preset/PresetHeaders.ts"
import { readJson } from "../../body/Body.ts"
import { answerJobRefusals } from "../../Refusals.ts"
import { withJob } from "../JobsHandlers.ts"
import { MalformedBody } from "../TranscriptionBody.ts"

type Request = HttpServerRequest.HttpServerRequest

/** 8 MiB: a thousand segments of the longest texts take 5 to 15, and of usual ones 0.1. */
const byteMax = 8_388_608

/** JSON within the limits of all bodies. What it may say is judged by the service. */
const readBody = (request: Request): Effect.Effect<unknown, MalformedBody> =>
  readJson(request, byteMax).pipe(
    Effect.map(ExactNumber.toNumbers),
    Effect.mapError(() => new MalformedBody())
  )

const malformedMatch = new InvalidParameter({
  parameter: "If-Match",
  detail: "Invalid 'If-Match' value. Must be * or a list of entity tags in double quotes"
})

/** Reads a write of corrections. */
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

/** Answers with the tag of the version, so that a write can be made conditional on it. */
const answer = (standing: { readonly version: number }) =>
  HttpServerResponse.jsonUnsafe(standing, {
    headers: { etag: makeEntityTag(String(standing.version)) }
  })

/** The operations over the service `Corrections`. */
export const layer = HttpApiBuilder.group(
  Api,
  "corrections",
  Effect.fnUntraced(function* (handlers) {
    const corrections = yield* Corrections

    const write =
      (act: (typeof corrections)["nameSpeakers"]) =>
      (asked: { readonly params: { readonly id: string }; readonly request: Request }) =>
        withJob(asked, (caller, id) =>
          Effect.flatMap(readWrite(asked.request), (wish) => act(caller, { ...wish, id }))
        ).pipe(Effect.map(answer), answerJobRefusals)

    return handlers
      .handleRaw("nameSpeakers", write(corrections.nameSpeakers))
      .handleRaw("correctSegments", write(corrections.correctSegments))
      .handleRaw("goBack", write(corrections.goBack))
      .handle("list", (asked) =>
        withJob(asked, (caller, id) => {
          const { before, from_segment, limit } = asked.query
          return corrections.read(caller, {
            id,
            before: toOneText(before),
            limit: toOneText(limit),
            fromSegment: toOneText(from_segment)
          })
        }).pipe(Effect.map(answer), answerJobRefusals)
      )
      .handle("get", (asked) =>
        withJob(asked, (caller) => corrections.version(caller, asked.params)).pipe(
          answerJobRefusals
        )
      )
  })
)
