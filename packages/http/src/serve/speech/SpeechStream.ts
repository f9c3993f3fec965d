/**
 * The events of a call as server-sent events. Until the transcript is there a comment is sent now
 * and then, so that nobody on the way takes the connection for dead. A failure is an event too: the
 * status was sent long before.
 */
import type { SpeechEvent } from "@verbatim/core/speech"
import { Duration, type Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import type { SpeechErrorBody } from "../../contract/speech/SpeechErrors.ts"

/** Proxies close a silent connection after 30 seconds, or after 60. */
const heartbeat = Duration.seconds(10)

/** A line that every reader of server-sent events ignores. */
const comment = ": the transcription is running\n\n"

const write = (name: string, value: unknown): string =>
  `event: ${name}\ndata: ${JSON.stringify(value)}\n\n`

const beats: Stream.Stream<string> = Stream.map(Stream.tick(heartbeat), () => comment)

/** What is told in the end. */
export type Told = Effect.Effect<ReadonlyArray<SpeechEvent>, SpeechErrorBody>

/** Events are written in batches of this size: each piece costs a call of the socket. */
const batchLength = 256

const pieces = (told: Told): Stream.Stream<string> =>
  Stream.fromIterableEffect(told).pipe(
    Stream.map((event) => write(event.type, event)),
    Stream.grouped(batchLength),
    Stream.map((batch) => batch.join("")),
    Stream.catch((body) => Stream.make(write("error", body)))
  )

/** Answers with the events, and until they are there with comments. */
export const toEventStream = (told: Told, headers: Readonly<Record<string, string>>) =>
  HttpServerResponse.stream(
    Stream.encodeText(Stream.merge(beats, pieces(told), { haltStrategy: "right" })),
    {
      contentType: "text/event-stream; charset=utf-8",
      headers: {
        ...headers,
        "cache-control": "no-store",
        // Nginx would keep the events until its buffer is full.
        "x-accel-buffering": "no"
      }
    }
  )
