/**
 * The operations that tell what happens to jobs while it happens, as values: server-sent events of
 * one job, and of all jobs of a workspace.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Resource, TranscriptionAuthentication } from "../Authentication.ts"
import { TranscriptionErrors } from "../ErrorBody.ts"
import { makeLate } from "../LateParameters.ts"
import { describe } from "../OperationDescription.ts"
import { showExamples } from "../OperationExamples.ts"
import { listeners, streams } from "./EventExamples.ts"
import { jobParameters } from "./JobParameters.ts"
import * as refusals from "./RefusalExamples.ts"

/** The media type of server-sent events (HTML, 9.2). */
export const eventStream = "text/event-stream"

const place = Schema.optionalKey(
  Schema.String.annotate({
    "x-schema": {
      type: "string",
      description:
        "The `id` of the last event that was heard: the stream goes on behind it. Browsers send " +
        "it by themselves when they connect again."
    }
  })
)

const headers = { "last-event-id": place }

const query = {
  last_event_id: makeLate({
    type: "string",
    description: "The same for those who cannot set a header. The header comes first."
  })
}

const Events = Schema.String.annotate({
  description: "Events as text, until the stream ends."
}).pipe(HttpApiSchema.asText({ contentType: eventStream }))

const errors = [
  TranscriptionErrors[400],
  TranscriptionErrors[403],
  TranscriptionErrors[429],
  TranscriptionErrors[500],
  TranscriptionErrors[503]
] as const

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
})
  .annotateMerge(
    describe(
      "Listen to all jobs",
      "Server-sent events: every event of the history of every job of the workspace, from now",
      "on or from `Last-Event-ID` on, each once. The data of an `event` is an entry of the",
      "history with the `id` of its job; `progress` tells how far a job at work has come, and",
      "`deleted` that a job is gone. After a `reset`, what came since `Last-Event-ID` cannot be",
      "told: list the jobs again. The stream has no end; connect again when it breaks off."
    )
  )
  .annotateMerge(
    showExamples({
      answers: { 200: { [eventStream]: { events: streams.all } }, ...listeners },
      meanings
    })
  )

const one = HttpApiEndpoint.get("one", "/v1/transcriptions/:id/events", {
  params: jobParameters,
  headers,
  query,
  success: [Events, HttpApiSchema.NoContent],
  error: [...errors, TranscriptionErrors[404]]
})
  .annotateMerge(
    describe(
      "Listen to a job",
      "Server-sent events: every event of its history from the beginning, or from",
      "`Last-Event-ID` on, each once, and `progress` while the engine works. After its last event",
      "the stream ends with `end`, or with `deleted`. Whoever connects again after `end` is",
      "answered with 204, at which browsers stop."
    )
  )
  .annotateMerge(
    showExamples({
      answers: {
        200: { [eventStream]: { events: streams.one } },
        ...listeners,
        ...refusals.unknown
      },
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
