/**
 * Answers the transcription operations: one service call each, and what its refusals are on the
 * wire.
 */

import { MediaLimits } from "@verbatim/core/domain/transcription/MediaLimits"
import { Jobs, type Rendered } from "@verbatim/core/services/Jobs"
import { Submissions } from "@verbatim/core/services/Submissions"
import { Effect, type Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { Api } from "../Api.ts"
import { Caller, type TranscriptionAuthentication } from "../Authentication.ts"
import { ofWritten } from "../WrittenAnswer.ts"
import { arrivalOf } from "./Arrivals.ts"
import { notFound, refuse, repeat, stores } from "./TranscriptionRefusals.ts"

/** Why there is no transcript, by what the job was doing when it failed. */
const missing = {
  Fetching: "Failed to access the file or invalid URL",
  Running: "Transcription result not found"
} as const

/** What is JSON already is written without another look at its schema: transcripts are long. */
const answer = (rendered: Rendered) =>
  rendered._tag === "Pending"
    ? HttpServerResponse.jsonUnsafe(rendered.view)
    : HttpServerResponse.text(rendered.rendering.body, {
        contentType: rendered.rendering.contentType
      })

/** The transcription operations over the service `Jobs`. */
export const layer: Layer.Layer<
  HttpApiGroup.Service<"verbatim", "transcription">,
  never,
  Jobs | Submissions | TranscriptionAuthentication
> = HttpApiBuilder.group(
  Api,
  "transcription",
  Effect.fnUntraced(function* (handlers) {
    const jobs = yield* Jobs
    const submissions = yield* Submissions
    const limits = yield* MediaLimits
    return handlers
      .handleRaw("create", ({ request }) =>
        Effect.flatMap(Caller, (caller) =>
          submissions.submit(caller, arrivalOf(request, limits))
        ).pipe(
          Effect.map(HttpServerResponse.jsonUnsafe),
          Effect.catchTags({
            InsufficientBalance: () => refuse(403, "Insufficient balance"),
            InvalidParameter: repeat(400),
            MalformedBody: repeat(400),
            UrlUnresolved: repeat(400),
            UrlUnreachable: repeat(400),
            IdempotencyConflict: repeat(409),
            FileTooLarge: repeat(413),
            UnsupportedExtension: repeat(415)
          }),
          Effect.catchTag([...stores, "MediaStoreError"], Effect.die)
        )
      )
      .handleRaw("status", ({ params: { id } }) =>
        Effect.flatMap(Caller, (caller) => jobs.statusText(caller, id)).pipe(
          Effect.map(ofWritten),
          Effect.catchTag("RequestNotFound", notFound),
          Effect.catchTag(stores, Effect.die)
        )
      )
      .handleRaw("result", ({ params }) =>
        Effect.flatMap(Caller, (caller) => jobs.result(caller, params)).pipe(
          Effect.map(answer),
          Effect.catchTags({
            InvalidParameter: repeat(400),
            RequestNotFound: notFound,
            TranscriptMissing: ({ during }) => refuse(500, missing[during])
          }),
          Effect.catchTag(stores, Effect.die)
        )
      )
  })
)
