/**
 * Answers the operations on jobs beyond the specification: one service call each.
 */
import { Jobs } from "@verbatim/core/services/Jobs"
import { Effect, type Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { Api } from "../Api.ts"
import { Caller, type TranscriptionAuthentication } from "../Authentication.ts"
import { notFound, repeat, stores } from "./TranscriptionRefusals.ts"

/** A parameter that was sent twice is no value that any rule accepts. */
const once = (value: string | ReadonlyArray<string> | undefined): string | undefined =>
  value === undefined || typeof value === "string" ? value : value.join(", ")

/** The operations over the service `Jobs`. */
export const layer: Layer.Layer<
  HttpApiGroup.Service<"verbatim", "jobs">,
  never,
  Jobs | TranscriptionAuthentication
> = HttpApiBuilder.group(
  Api,
  "jobs",
  Effect.fnUntraced(function* (handlers) {
    const jobs = yield* Jobs
    return handlers
      .handleRaw("list", ({ query: { cursor, limit, status } }) =>
        Effect.flatMap(Caller, (caller) =>
          jobs.list(caller, { cursor: once(cursor), limit: once(limit), status: once(status) })
        ).pipe(
          Effect.map(HttpServerResponse.jsonUnsafe),
          Effect.catchTag("InvalidParameter", repeat(400)),
          Effect.catchTag(stores, Effect.die)
        )
      )
      .handleRaw("remove", ({ params: { id } }) =>
        Effect.flatMap(Caller, (caller) => jobs.remove(caller, id)).pipe(
          Effect.as(HttpServerResponse.empty({ status: 204 })),
          Effect.catchTag("RequestNotFound", notFound),
          Effect.catchTag("JobStoreError", Effect.die)
        )
      )
      .handleRaw("history", ({ params: { id } }) =>
        Effect.flatMap(Caller, (caller) => jobs.history(caller, id)).pipe(
          Effect.map(HttpServerResponse.jsonUnsafe),
          Effect.catchTag("RequestNotFound", notFound),
          Effect.catchTag("JobStoreError", Effect.die)
        )
      )
      .handleRaw("redeliver", ({ params: { id } }) =>
        Effect.flatMap(Caller, (caller) => jobs.redeliver(caller, id)).pipe(
          Effect.map(HttpServerResponse.jsonUnsafe),
          Effect.catchTags({
            CallbackMissing: repeat(400),
            RequestNotFound: notFound,
            WebhookPending: repeat(409)
          }),
          Effect.catchTag(stores, Effect.die)
        )
      )
      .handleRaw("retry", ({ params: { id } }) =>
        Effect.flatMap(Caller, (caller) => jobs.retry(caller, id)).pipe(
          Effect.map(HttpServerResponse.jsonUnsafe),
          Effect.catchTags({
            MediaExpired: repeat(409),
            NotFailed: repeat(409),
            RequestNotFound: notFound,
            WebhookPending: repeat(409)
          }),
          Effect.catchTag(stores, Effect.die)
        )
      )
  })
)
