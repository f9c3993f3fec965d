/**
 * Handles the operations on workspaces and work, with one service call each. Operations with a body
 * are raw, because this package reads bodies by its own rules.
 */
import type { WorkspaceJob } from "@verbatim/core/job"
import type { Account, BacklogCounts } from "@verbatim/core/ports"
import { Jobs, type RowPage, readPage, Workspaces } from "@verbatim/core/services"
import {
  type DayOverview,
  Heartbeat,
  QueueHistory,
  type QueueSample,
  sumFailures,
  WorkerOverviews
} from "@verbatim/core/worker"
import type { Workspace } from "@verbatim/core/workspace"
import { DateTime, Effect, Layer, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../contract/Api.ts"
import type { PresetError } from "../../contract/Errors.ts"
import { pageDefault, toOneText } from "../../contract/Parameters.ts"
import { readFilters } from "../../contract/transcription/JobsApi.ts"
import type { QueueSampleView, WorkAnswer } from "../../contract/WorkApi.ts"
import {
  toAccountView,
  toBalanceView,
  toWorkspaceView
} from "../../contract/workspace/WorkspaceAnswers.ts"
import { note } from "../edge/RequestLogging.ts"
import { answerJobActionRefusals, answerRefusals } from "../Refusals.ts"
import { toOutageView } from "../system/Health.ts"
import { actOnJobs } from "../transcription/JobActions.ts"
import {
  readChange,
  readCredit,
  readExternalId,
  readPausedTasks,
  readWorkspaceId,
  readWorkspaceOrder
} from "./WorkspaceReads.ts"

const answerWith = <E extends object, R>(found: Effect.Effect<Workspace, E, R>) =>
  found.pipe(
    Effect.map((workspace) => ({ data: toWorkspaceView(workspace) })),
    answerRefusals
  )

const toPageView = ({ last, rows }: RowPage<Account>) => ({
  data: rows.map(toAccountView),
  next_cursor: last?.workspace.id ?? null
})

export const layer = HttpApiBuilder.group(
  Api,
  "workspaces",
  Effect.fnUntraced(function* (handlers) {
    const workspaces = yield* Workspaces
    return handlers
      .handleRaw("create", ({ request }) =>
        answerWith(Effect.flatMap(readWorkspaceOrder(request), workspaces.create))
      )
      .handle("ensure", ({ params, request }) =>
        answerWith(Effect.flatMap(readExternalId(params.external_id, request), workspaces.ensure))
      )
      .handle("list", ({ query: { cursor = null, limit = pageDefault } }) =>
        readPage(limit, (accountMax) =>
          workspaces.accounts({ after: cursor, limit: accountMax })
        ).pipe(Effect.map(toPageView), Effect.orDie)
      )
      .handle("get", ({ params }) =>
        Effect.flatMap(readWorkspaceId(params.id), workspaces.account).pipe(
          Effect.map((account) => ({ data: toAccountView(account) })),
          answerRefusals
        )
      )
      .handleRaw("revise", ({ params, request }) =>
        answerWith(
          Effect.flatMap(readChange(request), (change) =>
            Effect.flatMap(readWorkspaceId(params.id), (id) => workspaces.change(id, change))
          )
        )
      )
      .handle("remove", ({ params }) =>
        answerWith(Effect.flatMap(readWorkspaceId(params.id), workspaces.remove))
      )
      .handleRaw("credit", ({ params, request }) =>
        Effect.flatMap(readCredit(request), (gift) =>
          Effect.flatMap(readWorkspaceId(params.id), (id) => workspaces.credit(id, gift))
        ).pipe(
          Effect.map((balance) => ({ data: toBalanceView(balance) })),
          answerRefusals
        )
      )
  })
)

const toCounts = ({ due, dueSince, later, leased }: BacklogCounts) => ({
  due,
  later,
  leased,
  due_since: Option.getOrNull(Option.map(dueSince, DateTime.formatIso))
})

/**
 * Shows workers and pending work in the format of the API. Tasks that a worker does not run are
 * omitted.
 */
const toSurveyView = ({
  backlog,
  hours,
  now,
  paused,
  workers
}: DayOverview): typeof WorkAnswer.Type => ({
  data: {
    at: DateTime.formatIso(now),
    workers: workers.map((worker) => ({
      id: worker.id,
      name: worker.name,
      alive: Heartbeat.isAlive(worker, now),
      started_at: DateTime.formatIso(worker.startedAt),
      seen_at: DateTime.formatIso(worker.seenAt),
      running: Object.fromEntries(Object.entries(worker.running).filter(([, count]) => count > 0)),
      outages: worker.outages.map((outage) => toOutageView(outage, { isTrusted: true }))
    })),
    backlog: backlog.map((ofKind) => ({
      kind: ofKind.kind,
      ...toCounts(ofKind),
      lane_count: ofKind.laneCount,
      lanes: ofKind.lanes.map((ofLane) => ({
        workspace_id: ofLane.workspaceId,
        lane: ofLane.lane,
        ...toCounts(ofLane)
      }))
    })),
    paused,
    failures: sumFailures(
      workers.filter((worker) => Heartbeat.isAlive(worker, now)).flatMap(({ failures }) => failures)
    ),
    hours: hours.map(({ from, ...counts }) => ({ from: DateTime.formatIso(from), ...counts }))
  }
})

const toSampleView = ({ at, due, later, leased }: QueueSample): typeof QueueSampleView.Type => ({
  at: DateTime.formatIso(at),
  due,
  later,
  leased
})

/** Records the request's job for the log, and acts on the job. */
const actOnJob = <A, E, R>(id: string, act: (id: string) => Effect.Effect<A, E, R>) =>
  Effect.andThen(note({ jobId: id }), act(id))

const toData = (data: WorkspaceJob) => ({ data })

/** Keeps the status and the message of a refused action on one of many jobs. */
const toRefusal = <A, R>(acting: Effect.Effect<A, PresetError, R>) =>
  Effect.mapError(acting, ({ error: { code, message } }) => ({ status: code, detail: message }))

/** Handlers for the operations on workers, pending work and jobs in all workspaces. */
export const workLayer = HttpApiBuilder.group(
  Api,
  "work",
  Effect.fnUntraced(function* (handlers) {
    const { pause, survey } = yield* WorkerOverviews
    const { samples } = yield* QueueHistory
    const { listAll, redeliverAny, removeAny, retryAny } = yield* Jobs
    return handlers
      .handle("survey", () => Effect.orDie(Effect.map(survey, toSurveyView)))
      .handle("jobs", ({ query }) =>
        Effect.flatMap(HttpServerRequest.ParsedSearchParams, ({ q }) =>
          listAll({
            ...readFilters(query),
            q: toOneText(q),
            workspaceId: toOneText(query.workspace_id)
          })
        ).pipe(answerRefusals)
      )
      .handle("retry", ({ params: { id } }) =>
        actOnJob(id, retryAny).pipe(Effect.map(toData), answerJobActionRefusals)
      )
      .handle("redeliver", ({ params: { id } }) =>
        actOnJob(id, redeliverAny).pipe(Effect.map(toData), answerJobActionRefusals)
      )
      .handle("remove", ({ params, query }) =>
        actOnJob(params.id, (id) => removeAny(id, toOneText(query.if_status))).pipe(
          answerJobActionRefusals
        )
      )
      .handleRaw("act", ({ query, request }) =>
        actOnJobs({
          request,
          query,
          list: listAll({ ...readFilters(query), workspaceId: toOneText(query.workspace_id) }),
          actions: {
            retry: (id) => toRefusal(answerJobActionRefusals(retryAny(id))),
            redeliver: (id) => toRefusal(answerJobActionRefusals(redeliverAny(id))),
            cancel: (id) => toRefusal(answerJobActionRefusals(removeAny(id, "UNTRANSCRIBED"))),
            delete: (id) => toRefusal(answerJobActionRefusals(removeAny(id, "ENDED")))
          }
        }).pipe(answerRefusals)
      )
      .handleRaw("pause", ({ request }) =>
        readPausedTasks(request).pipe(
          Effect.flatMap(({ tasks }) => Effect.orDie(pause(tasks))),
          Effect.map((paused) => ({ data: { tasks: paused } })),
          answerRefusals
        )
      )
      .handle("queueHistory", () => Effect.map(samples, (all) => ({ data: all.map(toSampleView) })))
  })
).pipe(Layer.provide([QueueHistory.layer, WorkerOverviews.layer]))
