/**
 * Defines the live event operations: server-sent events (HTML, 9.2) for one job, or for all jobs in
 * a workspace.
 */

import type { StreamMessage } from "@verbatim/core/job"
import { HttpApiSchema } from "effect/http-api"
import { TranscriptionAuthentication } from "../Authentication.ts"
import { pickErrors, TranscriptionErrors } from "../Errors.ts"
import { makeGroup } from "../Operation.ts"
import { makeHeader, makeRawParameter, textField } from "../Parameters.ts"
import { explain } from "./Examples.ts"
import { jobParameters } from "./JobsApi.ts"

/** Example refusals at the limit on subscribers or waiting requests. */
const crowded = {
  429: {
    workspace: "Too many subscribers of the workspace at the same time",
    busy: "Too many requests at the same time"
  },
  503: { full: "Too many subscribers" }
}

/** Example refusals of requests that subscribe to events. */
const listeners = {
  ...crowded,
  400: {
    place: "Invalid Last-Event-ID: not an event id of this stream"
  }
}

/** Example refusals of requests that wait for a status. */
export const waits = {
  ...crowded,
  400: { wait: "Invalid 'wait' value. Must be an integer from 0 to 60" }
}

const streamedId = "0194246d-1a2b-7c3b-8d4e-5f6a7b8c9d0e"

const accepted =
  `{"id":"${streamedId}","revision":1,"at":"2026-01-02T03:04:05.678Z","about":"job",` +
  `"event":"accepted"}`

/** The ids of the first and the last event in an example, and the name of the last one. */
type StreamExample = Readonly<Record<"ending" | "first" | "last", string>>

const makeStream = ({ ending, first, last }: StreamExample): string =>
  [
    "retry: 2000",
    "",
    `id: ${first}`,
    "event: event",
    `data: ${accepted}`,
    "",
    "event: progress",
    `data: {"id":"${streamedId}","progress":0.25}`,
    "",
    `id: ${last}`,
    `event: ${ending}`,
    `data: {"id":"${streamedId}"}`,
    "",
    ""
  ].join("\n")

/** Example streams of events, exactly as they are sent. */
const streams = {
  one: makeStream({ first: "1.0", last: "3.end", ending: "end" }),
  all: makeStream({
    first: `w1f3x.5120.${streamedId}.1.0`,
    last: `w1f3x.5131.${streamedId}.4.end`,
    ending: "deleted"
  })
}

/** Clients reconnect after this delay, which is long enough for a server to restart. */
const retryMillis = 2_000

/** Every event stream begins with this text, which sets the delay before clients reconnect. */
export const firstText = `retry: ${retryMillis}\n\n`

/** A comment line that shows clients that the idle connection is still open. */
const heartbeat = ": still here\n\n"

/** Formats an event in one `data` line, because our JSON contains no line breaks. */
export const toText = (message: StreamMessage): string => {
  if (message.event === "quiet") return heartbeat
  const id = "cursor" in message ? `id: ${message.cursor}\n` : ""
  if (message.event === "reached") return `${id}\n`
  const data = "data" in message ? message.data : {}
  return `${id}event: ${message.event}\ndata: ${JSON.stringify(data)}\n\n`
}

/** The media type of server-sent events (HTML, 9.2). */
export const eventStream = "text/event-stream"

const lastEventId = makeHeader({
  description:
    "The `id` of the last received event: the stream resumes after it. Browsers send it " +
    "automatically when they reconnect."
})

const headers = { "last-event-id": lastEventId }

const query = {
  last_event_id: makeRawParameter({
    description:
      "Like `Last-Event-ID`, for clients that cannot set headers. The header takes precedence."
  })
}

const Events = textField("Events as text, until the stream ends.").pipe(
  HttpApiSchema.asText({ contentType: eventStream })
)

const errors = pickErrors(TranscriptionErrors, 400, 403, 429, 500, 503)

const meanings = {
  200: "The events, as they happen.",
  429:
    "The workspace or key has the maximum number of subscribers. `Retry-After` is the number of " +
    "seconds to wait.",
  503:
    "This process has the maximum number of subscribers; another process may have capacity. " +
    "`Retry-After` is the number of seconds to wait."
}

const all = explain({
  summary: "Subscribe to the events of all jobs",
  description:
    "Streams each event in the history of every job of the workspace exactly once, as " +
    "server-sent events, from now on or after `Last-Event-ID`. The data of an `event` is an " +
    "entry of the history with the `id` of its job; `piece_recognised` also has the `segments` " +
    "of the newly available text; `progress` reports the progress of a running job, and " +
    "`deleted` that a job was deleted. The event `reset` means that the events since " +
    "`Last-Event-ID` are not available: list the jobs again. The stream never ends; reconnect " +
    "if it breaks.",
  texts: { [eventStream]: { events: streams.all } },
  refusals: listeners,
  meanings
}).get("all", "/v1/transcriptions/events", {
  headers,
  query,
  success: Events,
  error: errors
})

const one = explain({
  summary: "Subscribe to the events of a job",
  description:
    "Streams each event of the job's history exactly once, as server-sent events, from the " +
    "start or after `Last-Event-ID`, and `progress` while the engine works. The event " +
    "`piece_recognised` has the `segments` of the newly available text, with `partial`: these " +
    "segments replace all text from the start of the first one on, and the transcript can " +
    "differ. After the last event, the stream ends with `end` or `deleted`. A reconnection " +
    "after `end` gets a 204, which makes browsers stop reconnecting.",
  texts: { [eventStream]: { events: streams.one } },
  refusals: listeners,
  meanings: { ...meanings, 204: "The client already received `end`, and no event followed." }
}).get("one", "/v1/transcriptions/:id/events", {
  params: jobParameters,
  headers,
  query,
  success: [Events, HttpApiSchema.NoContent],
  error: [...errors, TranscriptionErrors[404]]
})

export const EventsApi = makeGroup("events", {
  title: "Live events",
  description: "Follow jobs as they progress.",
  resource: "transcriptions"
})
  .add(all, one)
  .middleware(TranscriptionAuthentication)
