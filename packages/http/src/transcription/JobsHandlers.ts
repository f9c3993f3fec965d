/**
 * Answers the operations on jobs: one service call each, and what its refusals are on the wire.
 */
import { Jobs } from "@verbatim/core/services"
import type { Principal } from "@verbatim/core/workspace"
import { Effect, type Layer } from "effect"
import { HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { Api } from "../Api.ts"
import { Caller, type TranscriptionAuthentication } from "../Authentication.ts"
import { FailureLog } from "../FailureLog.ts"
import { note } from "../RequestNotes.ts"
import { toResponse } from "../WrittenAnswer.ts"
import { answerMedia } from "./MediaAnswer.ts"
import {
  jobRefusals,
  listRefusals,
  mediaRefusals,
  peaksRefusals,
  redeliveryRefusals,
  retryRefusals,
  statusRefusals
} from "./TranscriptionRefusals.ts"

/** Joins a parameter that was sent twice into a text that every rule refuses. */
const toText = (value: string | ReadonlyArray<string> | undefined): string | undefined =>
  value === undefined || typeof value === "string" ? value : value.join(", ")

/** Does what the caller asks of the job that the request names. */
const about = <A, E>(
  { params: { id } }: { readonly params: { readonly id: string } },
  act: (caller: Principal, id: string) => Effect.Effect<A, E>
) =>
  Effect.andThen(
    note({ jobId: id }),
    Effect.flatMap(Caller, (caller) => act(caller, id))
  )

/** The operations over the service `Jobs`. */
export const layer: Layer.Layer<
  HttpApiGroup.Service<"verbatim", "jobs">,
  never,
  FailureLog | Jobs | TranscriptionAuthentication
> = HttpApiBuilder.group(Api, "jobs", (handlers) =>
  Effect.map(Effect.all([FailureLog, Jobs]), ([log, jobs]) => {
    const play = answerMedia(log)
    return handlers
      .handle("list", ({ query }) =>
        Effect.flatMap(Caller, (caller) =>
          jobs.list(caller, {
            callbackId: toText(query.callback_id),
            createdAfter: toText(query.created_after),
            createdBefore: toText(query.created_before),
            cursor: toText(query.cursor),
            limit: toText(query.limit),
            status: toText(query.status)
          })
        ).pipe(Effect.catchTags(listRefusals))
      )
      .handleRaw("get", (request) =>
        about(request, jobs.detailsText).pipe(
          Effect.flatMap(toResponse(log)),
          Effect.catchTags(statusRefusals)
        )
      )
      .handleRaw("media", (request) =>
        about(request, jobs.media).pipe(
          Effect.flatMap((found) => play(found, (stretch) => jobs.readMedia(found, stretch))),
          Effect.catchTags(mediaRefusals)
        )
      )
      .handle("peaks", (request) =>
        about(request, jobs.peaks).pipe(Effect.catchTags(peaksRefusals))
      )
      .handle("remove", (request) =>
        about(request, jobs.remove).pipe(Effect.catchTags(jobRefusals))
      )
      .handle("history", (request) =>
        about(request, jobs.history).pipe(Effect.catchTags(jobRefusals))
      )
      .handle("redeliver", (request) =>
        about(request, jobs.redeliver).pipe(Effect.catchTags(redeliveryRefusals))
      )
      .handle("retry", (request) =>
        about(request, jobs.retry).pipe(Effect.catchTags(retryRefusals))
      )
  })
)
