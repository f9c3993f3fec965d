/** Handles the job operations, with one service call each. */

import { Jobs } from "@verbatim/core/services"
import type { Principal } from "@verbatim/core/workspace"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../contract/Api.ts"
import { Caller } from "../../contract/Authentication.ts"
import { toOneText } from "../../contract/Parameters.ts"
import { readFilters, readPartial } from "../../contract/transcription/JobsApi.ts"
import { toResponse } from "../body/StreamedAnswer.ts"
import { FailureLog } from "../edge/FailureLog.ts"
import { note } from "../edge/RequestLogging.ts"
import { answerJobRefusals, answerRenewalRefusals } from "../Refusals.ts"
import { answerMedia } from "./MediaAnswer.ts"

/** A request whose path contains the id of a job. */
interface AboutJob {
  readonly params: { readonly id: string }
}

/** Records the request's job for the log, and calls the handler with the caller. */
export const withJob = <A, E, R>(
  { params: { id } }: AboutJob,
  answer: (caller: Principal, id: string) => Effect.Effect<A, E, R>
) =>
  Effect.andThen(
    note({ jobId: id }),
    Effect.flatMap(Caller, (caller) => answer(caller, id))
  )

export const layer = HttpApiBuilder.group(Api, "jobs", (handlers) =>
  Effect.map(Effect.all([FailureLog, Jobs]), ([log, jobs]) => {
    const play = answerMedia(log)
    return handlers
      .handle("list", ({ query }) =>
        Effect.flatMap(Caller, (caller) =>
          jobs.list(caller, { ...readFilters(query), q: toOneText(query.q) })
        ).pipe(answerJobRefusals)
      )
      .handleRaw("get", (request) =>
        withJob(request, (caller, id) =>
          Effect.flatMap(readPartial(request.query.partial), (isPartial) =>
            jobs.detailsText(caller, { id, isPartial })
          )
        ).pipe(Effect.flatMap(toResponse(log)), answerJobRefusals)
      )
      .handleRaw("media", (request) =>
        withJob(request, jobs.media).pipe(
          Effect.flatMap((found) => play(found, (range) => jobs.readMedia(found, range))),
          answerJobRefusals
        )
      )
      .handle("peaks", (request) => withJob(request, jobs.peaks).pipe(answerJobRefusals))
      .handle("remove", (request) =>
        withJob(request, (caller, id) =>
          jobs.remove(caller, id, toOneText(request.query.if_status))
        ).pipe(answerJobRefusals)
      )
      .handle("history", (request) => withJob(request, jobs.history).pipe(answerJobRefusals))
      .handle("redeliver", (request) =>
        withJob(request, jobs.redeliver).pipe(answerRenewalRefusals)
      )
      .handle("retry", (request) => withJob(request, jobs.retry).pipe(answerRenewalRefusals))
  })
)
