/**
 * Answers the operations on jobs: one service call each, and what its refusals are on the wire.
 */
import { Jobs } from "@verbatim/core/services"
import { Effect, type Layer } from "effect"
import { HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { Api } from "../Api.ts"
import { Caller, type TranscriptionAuthentication } from "../Authentication.ts"
import {
  jobRefusals,
  listRefusals,
  redeliveryRefusals,
  retryRefusals
} from "./TranscriptionRefusals.ts"

/** Joins a parameter that was sent twice into a text that every rule refuses. */
const toText = (value: string | ReadonlyArray<string> | undefined): string | undefined =>
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
      .handle("list", ({ query: { cursor, limit, status } }) =>
        Effect.flatMap(Caller, (caller) =>
          jobs.list(caller, {
            cursor: toText(cursor),
            limit: toText(limit),
            status: toText(status)
          })
        ).pipe(Effect.catchTags(listRefusals))
      )
      .handle("remove", ({ params: { id } }) =>
        Effect.flatMap(Caller, (caller) => jobs.remove(caller, id)).pipe(
          Effect.catchTags(jobRefusals)
        )
      )
      .handle("history", ({ params: { id } }) =>
        Effect.flatMap(Caller, (caller) => jobs.history(caller, id)).pipe(
          Effect.catchTags(jobRefusals)
        )
      )
      .handle("redeliver", ({ params: { id } }) =>
        Effect.flatMap(Caller, (caller) => jobs.redeliver(caller, id)).pipe(
          Effect.catchTags(redeliveryRefusals)
        )
      )
      .handle("retry", ({ params: { id } }) =>
        Effect.flatMap(Caller, (caller) => jobs.retry(caller, id)).pipe(
          Effect.catchTags(retryRefusals)
        )
      )
  })
)
