/**
 * Streams live events to subscribers. A subscriber who loses access is disconnected within half a
 * minute.
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
import { logBreak } from "../body/StreamedAnswer.ts"
import { FailureLog } from "../edge/FailureLog.ts"
import { answerJobRefusals } from "../Refusals.ts"
import { withJob } from "./JobsHandlers.ts"
import { makeAwaitRefusal } from "./RecheckAccess.ts"

interface StreamRequest {
  readonly headers: { readonly "last-event-id"?: string }
  readonly query: { readonly last_event_id?: RawParameter }
}

/**
 * Reads the id of the event after which to resume. A client that has not received an event yet
 * sends an empty header.
 */
const readLastEventId = ({ headers, query }: StreamRequest): string | undefined => {
  const text = toOneText(headers["last-event-id"] ?? query.last_event_id)
  return text === "" ? undefined : text
}

const streamHeaders = {
  "cache-control": "no-store",
  // Without this header, a proxy that buffers responses would deliver all events at the end.
  "x-accel-buffering": "no"
}

const encoder = new TextEncoder()

const firstBytes = encoder.encode(firstText)

/** All subscribers of a channel share one message object, so it is encoded only once. */
const written = new WeakMap<StreamMessage, Uint8Array>()

const toBytes = (reported: StreamMessage): Uint8Array => {
  const bytes = written.get(reported) ?? encoder.encode(toText(reported))
  written.set(reported, bytes)
  return bytes
}

/** Creates a streamed response, and logs the duration when the stream ends. */
const makeAnswer = Effect.gen(function* () {
  const awaitRefusal = yield* makeAwaitRefusal
  const log = yield* FailureLog

  return Effect.fnUntraced(function* (events: Stream.Stream<StreamMessage, JobStoreError>) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const begun = yield* Clock.currentTimeMillis
    const logEnd = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.logInfo(`A subscriber left after ${Math.round((now - begun) / 1_000)} s`)
    )
    const reported = yield* logBreak(log, {
      stream: Stream.map(events, toBytes),
      what: "A stream of events failed"
    })
    const bytes = reported.pipe(Stream.haltWhen(awaitRefusal(request)), Stream.ensuring(logEnd))
    return HttpServerResponse.stream(Stream.concat(Stream.make(firstBytes), bytes), {
      contentType: eventStream,
      headers: streamHeaders
    })
  })
})

export const layer = HttpApiBuilder.group(
  Api,
  "events",
  Effect.fnUntraced(function* (handlers) {
    const streams = yield* EventStreams
    const answer = yield* makeAnswer
    return handlers
      .handleRaw("all", (call) =>
        Effect.flatMap(Caller, (caller) => streams.followAll(caller, readLastEventId(call))).pipe(
          Effect.flatMap(answer),
          answerJobRefusals
        )
      )
      .handleRaw("one", (call) =>
        withJob(call, (caller, id) =>
          streams.followJob(caller, { id, after: readLastEventId(call) })
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
