/**
 * Answers the operations on corrections: one service call each, and what its refusals are on the
 * wire. The writes are raw, because the service decides when their body is read.
 */
import { ExactNumber } from "@verbatim/core/schema"
import { Corrections, type CorrectionWrite } from "@verbatim/core/services"
import { InvalidParameter } from "@verbatim/core/transcription"
import { Effect, type Layer } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { Api } from "../../Api.ts"
import { Caller, type TranscriptionAuthentication } from "../../Authentication.ts"
import { readJson } from "../../Body.ts"
import { makeEntityTag, parseMatch } from "../../preset/EntityTag.ts"
import { note } from "../../RequestNotes.ts"
import { MalformedBody } from "../MalformedBody.ts"
import {
  correctionRefusals,
  correctionsRefusals,
  correctionVersionRefusals
} from "../TranscriptionRefusals.ts"

type Request = HttpServerRequest.HttpServerRequest

/** 8 MiB: a thousand segments of the longest texts take 5 to 15, and of usual ones 0.1. */
const byteMax = 8_388_608

/** The limits of JSON, and its digits, are as everywhere; what it may hold is the service's. */
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

/** Joins a parameter that was sent twice into a text that every rule refuses. */
const toText = (value: string | ReadonlyArray<string> | undefined): string | undefined =>
  value === undefined || typeof value === "string" ? value : value.join(", ")

/** The operations over the service `Corrections`. */
export const layer: Layer.Layer<
  HttpApiGroup.Service<"verbatim", "corrections">,
  never,
  Corrections | TranscriptionAuthentication
> = HttpApiBuilder.group(
  Api,
  "corrections",
  Effect.fnUntraced(function* (handlers) {
    const corrections = yield* Corrections

    const write =
      (act: (typeof corrections)["nameSpeakers"]) =>
      ({
        params: { id },
        request
      }: {
        readonly params: { readonly id: string }
        readonly request: Request
      }) =>
        Effect.gen(function* () {
          yield* note({ jobId: id })
          const caller = yield* Caller
          const wish = yield* readWrite(request)
          return answer(yield* act(caller, { ...wish, id }))
        }).pipe(Effect.catchTags(correctionRefusals))

    return handlers
      .handleRaw("nameSpeakers", write(corrections.nameSpeakers))
      .handleRaw("correctSegments", write(corrections.correctSegments))
      .handleRaw("goBack", write(corrections.goBack))
      .handle("list", ({ params: { id }, query: { before, from_segment, limit } }) =>
        Effect.andThen(note({ jobId: id }), Caller).pipe(
          Effect.flatMap((caller) =>
            corrections.standing(caller, {
              id,
              before: toText(before),
              limit: toText(limit),
              fromSegment: toText(from_segment)
            })
          ),
          Effect.map(answer),
          Effect.catchTags(correctionsRefusals)
        )
      )
      .handle("get", ({ params }) =>
        Effect.andThen(note({ jobId: params.id }), Caller).pipe(
          Effect.flatMap((caller) => corrections.version(caller, params)),
          Effect.catchTags(correctionVersionRefusals)
        )
      )
  })
)
