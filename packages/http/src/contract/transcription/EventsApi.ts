/**
 * The operations that report what happens to jobs while it happens: server-sent events (HTML,
 * 9.2) of one job, and of all jobs of a workspace.
 */

import type { StreamMessage } from "@verbatim/core/job"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Resource, TranscriptionAuthentication } from "../Authentication.ts"
import { TranscriptionErrors } from "../Errors.ts"
import { pickErrors } from "../Operation.ts"
import { makeRawParameter } from "../Parameters.ts"
import { explain } from "./Examples.ts"
import { jobParameters } from "./JobsApi.ts"

/** As many listen or wait as may. */
const crowded = {
  429: {
    workspace: "Too many subscribers of the workspace at the same time",
    busy: "Too many requests at the same time"
  },
  503: { full: "Too many subscribers" }
}

/** Why somebody may not listen. */
const listeners = {
  ...crowded,
  400: {
    place: "Invalid Last-Event-ID: not an event id of this stream"
  }
}

/** Why nobody waits for a status. */
export const waits = {
  ...crowded,
  400: { wait: "Invalid 'wait' value. Must be an integer from 0 to 60" }
}

const streamedId = "0194246d-1a2b-7c3b-8d4e-5f6a7b8c9d0e"

const accepted =
  `{"id":"${streamedId}","revision":1,"at":"2026-01-02T03:04:05.678Z","about":"job",` +
  `"event":"accepted"}`

/** Where the first and the last event of a stream are, and what the last one is. */
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

/** What is told, as it travels. */
const streams = {
  one: makeStream({ first: "1.0", last: "3.end", ending: "end" }),
  all: makeStream({
    first: `w1f3x.5120.${streamedId}.1.0`,
    last: `w1f3x.5131.${streamedId}.4.end`,
    ending: "deleted"
  })
}

/** How long a client waits before it connects again: a server is restarted in that time. */
const retryMillis = 2_000

/** The beginning of every stream. */
export const firstText = `retry: ${retryMillis}\n\n`

/** A comment, so that nobody takes a silent connection for a dead one. */
const heartbeat = ": still here\n\n"

/** One event. JSON has no line breaks of its own. */
export const toText = (told: StreamMessage): string => {
  if (told.event === "quiet") return heartbeat
  const id = "cursor" in told ? `id: ${told.cursor}\n` : ""
  if (told.event === "reached") return `${id}\n`
  const data = "data" in told ? told.data : {}
  return `${id}event: ${told.event}\ndata: ${JSON.stringify(data)}\n\n`
}

/** The media type of server-sent events (HTML, 9.2). */
export const eventStream = "text/event-stream"

const lastEventId = Schema.optionalKey(
  Schema.String.annotate({
    "x-schema": {
      type: "string",
      description:
        "The `id` of the last event that was heard: the stream goes on behind it. Browsers send " +
        "it by themselves when they connect again."
    }
  })
)

const headers = { "last-event-id": lastEventId }

const query = {
  last_event_id: makeRawParameter({
    type: "string",
    description: "The same for those who cannot set a header. The header comes first."
  })
}

const Events = Schema.String.annotate({
  description: "Events as text, until the stream ends."
}).pipe(HttpApiSchema.asText({ contentType: eventStream }))

const errors = pickErrors(TranscriptionErrors, 400, 403, 429, 500, 503)

const meanings = {
  200: "The events, while they happen.",
  429: "As many listen as may. `Retry-After` says in how many seconds to come again.",
  503:
    "As many listen to this process as may: another one may have room. `Retry-After` says in how " +
    "many seconds to come again."
}

const all = HttpApiEndpoint.get("all", "/v1/transcriptions/events", {
  headers,
  query,
  success: Events,
  error: errors
}).annotateMerge(
  explain({
    summary: "Listen to all jobs",
    description:
      "Server-sent events: every event of the history of every job of the workspace, from now " +
      "on or from `Last-Event-ID` on, each once. The data of an `event` is an entry of the " +
      "history with the `id` of its job; `progress` tells how far a job at work has come, and " +
      "`deleted` that a job is gone. After a `reset`, what came since `Last-Event-ID` cannot " +
      "be told: list the jobs again. The stream has no end; connect again when it breaks off.",
    texts: { [eventStream]: { events: streams.all } },
    refusals: listeners,
    meanings
  })
)

const one = HttpApiEndpoint.get("one", "/v1/transcriptions/:id/events", {
  params: jobParameters,
  headers,
  query,
  success: [Events, HttpApiSchema.NoContent],
  error: [...errors, TranscriptionErrors[404]]
}).annotateMerge(
  explain({
    summary: "Listen to a job",
    description:
      "Server-sent events: every event of its history from the beginning, or from " +
      "`Last-Event-ID` on, each once, and `progress` while the engine works. After its last " +
      "event the stream ends with `end`, or with `deleted`. Whoever connects again after `end` " +
      "is answered with 204, at which browsers stop.",
    texts: { [eventStream]: { events: streams.one } },
    refusals: listeners,
    meanings: { ...meanings, 204: "The end was heard, and nothing has happened since." }
  })
)

/** Operations that tell what happens. */
export const EventsApi = HttpApiGroup.make("events")
  .add(all, one)
  .middleware(TranscriptionAuthentication)
  .annotate(Resource, "transcriptions")
  .annotateMerge(
    OpenApi.annotations({
      title: "Live events",
      description: "Listen to what happens to jobs."
    })
  )
