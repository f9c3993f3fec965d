/** Handles the job operations, with one service call for each job. */

import { Jobs } from "@verbatim/core/services"
import { isAllowed, type Principal } from "@verbatim/core/workspace"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../contract/Api.ts"
import { Caller } from "../../contract/Authentication.ts"
import { makeTranscriptionError } from "../../contract/Errors.ts"
import { toOneText } from "../../contract/Parameters.ts"
import { readFilters, readPartial } from "../../contract/transcription/JobsApi.ts"
import { toResponse } from "../body/StreamedAnswer.ts"
import { FailureLog } from "../edge/FailureLog.ts"
import { note } from "../edge/RequestLogging.ts"
import { answerJobRefusals, answerRenewalRefusals } from "../Refusals.ts"
import { actOnJobs } from "./JobActions.ts"
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

const readScope = "transcriptions:read"

/**
 * Refuses a key that cannot read the list. Such a key could otherwise find out by actions what is
 * in the list, and change jobs that others submitted.
 */
const checkReadable = ({ kind, scopes = null }: Principal) =>
  isAllowed({ kind, scopes }, readScope)
    ? Effect.void
    : Effect.fail(makeTranscriptionError(403, `Forbidden: The key lacks the scope ${readScope}`))

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
      .handleRaw("act", ({ query, request }) =>
        Effect.flatMap(Caller, (caller) =>
          actOnJobs({
            request,
            query,
            list: Effect.andThen(
              checkReadable(caller),
              jobs.list(caller, { ...readFilters(query), q: toOneText(query.q) })
            ),
            actions: {
              retry: (id) => answerRenewalRefusals(jobs.retry(caller, id)),
              redeliver: (id) => answerRenewalRefusals(jobs.redeliver(caller, id)),
              cancel: (id) => answerJobRefusals(jobs.remove(caller, id, "UNTRANSCRIBED")),
              delete: (id) => answerJobRefusals(jobs.remove(caller, id, "ENDED"))
            }
          })
        ).pipe(answerJobRefusals)
      )
  })
)
