/**
 * Answers those who listen: an answer that is sent while it happens. Whoever may no longer listen
 * is cut off within half a minute.
 */
import type { StreamMessage } from "@verbatim/core/job"
import type { JobStoreError } from "@verbatim/core/ports"
import { EventStreams } from "@verbatim/core/services"
import { Clock, Effect, Layer, Option, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../contract/Api.ts"
import { Caller } from "../../contract/Authentication.ts"
import { type RawParameter, toOneText } from "../../contract/Parameters.ts"
import { eventStream, firstText, toText } from "../../contract/transcription/EventsApi.ts"
import { FailureLog } from "../edge/FailureLog.ts"
import { answerJobRefusals } from "../Refusals.ts"
import { withJob } from "./JobsHandlers.ts"
import { makeAwaitRefusal } from "./RecheckAccess.ts"

interface Asked {
  readonly headers: { readonly "last-event-id"?: string }
  readonly query: { readonly last_event_id?: RawParameter }
}

/** The place to go on from. An empty header is what a client sends that has heard nothing. */
const readLastEventId = ({ headers, query }: Asked): string | undefined => {
  const text = toOneText(headers["last-event-id"] ?? query.last_event_id)
  return text === "" ? undefined : text
}

const streamHeaders = {
  "cache-control": "no-store",
  // Proxies that collect answers before they pass them on would tell everything at the end.
  "x-accel-buffering": "no"
}

const encoder = new TextEncoder()

const firstBytes = encoder.encode(firstText)

/** What all listeners of a channel are reported is one object: it is written once for all of them. */
const written = new WeakMap<StreamMessage, Uint8Array>()

const toBytes = (reported: StreamMessage): Uint8Array => {
  const bytes = written.get(reported) ?? encoder.encode(toText(reported))
  written.set(reported, bytes)
  return bytes
}

/** Makes the answer of a stream. When it is over, a line of the log says how long it lasted. */
const makeAnswer = Effect.gen(function* () {
  const awaitRefusal = yield* makeAwaitRefusal
  const { report } = yield* FailureLog

  return Effect.fnUntraced(function* (events: Stream.Stream<StreamMessage, JobStoreError>) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const begun = yield* Clock.currentTimeMillis
    const logEnd = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.logInfo(`A listener left after ${Math.round((now - begun) / 1_000)} s`)
    )
    const reported = Stream.tapCause(Stream.map(events, toBytes), (cause) =>
      report({ what: "A listener could not be reported", cause }).pipe(
        Effect.provideService(HttpServerRequest.HttpServerRequest, request)
      )
    )
    const bytes = reported.pipe(Stream.haltWhen(awaitRefusal(request)), Stream.ensuring(logEnd))
    return HttpServerResponse.stream(Stream.concat(Stream.make(firstBytes), bytes), {
      contentType: eventStream,
      headers: streamHeaders
    })
  })
})

/** The streams over the service `EventStreams`. */
export const layer = HttpApiBuilder.group(
  Api,
  "events",
  Effect.fnUntraced(function* (handlers) {
    const followings = yield* EventStreams
    const answer = yield* makeAnswer
    return handlers
      .handleRaw("all", (asked) =>
        Effect.flatMap(Caller, (caller) =>
          followings.followAll(caller, readLastEventId(asked))
        ).pipe(Effect.flatMap(answer), answerJobRefusals)
      )
      .handleRaw("one", (asked) =>
        withJob(asked, (caller, id) =>
          followings.followJob(caller, { id, after: readLastEventId(asked) })
        ).pipe(
          Effect.flatMap(
            Option.match({
              onNone: () => Effect.succeed(HttpServerResponse.empty()),
              onSome: answer
            })
          ),
          answerJobRefusals
        )
      )
  })
)

/** Ends all streams before the server closes its connections. */
export const endStreams: Layer.Layer<never, never, EventStreams> = Layer.effectDiscard(
  Effect.flatMap(EventStreams, ({ end }) => Effect.addFinalizer(() => end))
)
