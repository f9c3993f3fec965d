/**
 * Handles the transcription operations, with one service call each, and maps refusals to the wire.
 * `create` is raw because the service decides when the body is read, `quote` because it must refuse
 * bodies just as `create` does, and `status` because a long transcript is streamed.
 */
import {
  EventStreams,
  Jobs,
  type LinkQuote,
  type Rendered,
  Submissions,
  waitIdle
} from "@verbatim/core/services"
import { MediaLimits } from "@verbatim/core/transcription"
import { isSufficient, toMinutes } from "@verbatim/core/workspace"
import { Duration, Effect, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../contract/Api.ts"
import { Caller } from "../../contract/Authentication.ts"
import { type Quote, readWait } from "../../contract/transcription/TranscriptionApi.ts"
import { toRendered, toResponse } from "../body/StreamedAnswer.ts"
import { FailureLog } from "../edge/FailureLog.ts"
import { note } from "../edge/RequestLogging.ts"
import { answerJobRefusals } from "../Refusals.ts"
import { withJob } from "./JobsHandlers.ts"
import { readJson, toArrival } from "./TranscriptionBody.ts"

/** Responds with a rendering, or with the status of an unfinished job. */
const answer = (rendered: Rendered) =>
  rendered._tag === "Pending"
    ? rendered.view
    : toRendered(rendered.rendering.body, {
        contentType: rendered.rendering.contentType
      })

const answerQuote = ({ balanceMillis, byteLength, contentType, url }: LinkQuote) => {
  const body: typeof Quote.Type = {
    url,
    content_type: Option.getOrNull(contentType),
    size_bytes: Option.getOrNull(byteLength),
    balance_minutes: toMinutes(balanceMillis),
    balance_sufficient: isSufficient(balanceMillis)
  }
  return HttpServerResponse.jsonUnsafe(body)
}

export const layer = HttpApiBuilder.group(
  Api,
  "transcription",
  Effect.fnUntraced(function* (handlers) {
    const jobs = yield* Jobs
    const { quote, submit } = yield* Submissions
    const { awaitStatus } = yield* EventStreams
    const log = yield* FailureLog
    const limits = yield* MediaLimits
    return handlers
      .handleRaw("create", ({ request }) =>
        Effect.flatMap(Caller, (caller) => submit(caller, toArrival(request, limits))).pipe(
          Effect.tap(({ id }) => note({ jobId: id })),
          answerJobRefusals
        )
      )
      .handleRaw("quote", ({ request }) =>
        Effect.flatMap(Caller, (caller) =>
          Effect.flatMap(readJson(request), (pairs) => quote(caller, Object.fromEntries(pairs)))
        ).pipe(Effect.map(answerQuote), answerJobRefusals)
      )
      .handleRaw("status", (request) =>
        withJob(request, (caller, id) =>
          Effect.flatMap(readWait(request.query.wait), (atMost) =>
            Duration.isZero(atMost) ? Effect.void : waitIdle(awaitStatus(caller, { id, atMost }))
          ).pipe(Effect.andThen(jobs.statusText(caller, id)))
        ).pipe(Effect.flatMap(toResponse(log)), answerJobRefusals)
      )
      .handle("result", (request) =>
        // The scope of a request lasts until its response is sent.
        withJob(request, (caller) =>
          Effect.flatMap(Effect.scope, (until) => jobs.result(caller, { ...request.params, until }))
        ).pipe(Effect.map(answer), answerJobRefusals)
      )
  })
)
