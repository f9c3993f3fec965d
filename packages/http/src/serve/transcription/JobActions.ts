/**
 * Acts on many jobs: on a page of a list, or on jobs that the request names. Each job is changed on
 * its own by the service method for one job.
 */
import { InvalidParameter } from "@verbatim/core/transcription"
import { Clock, Duration, Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { type RawParameter, toOneText } from "../../contract/Parameters.ts"
import { JobAction, type JobActionResult } from "../../contract/transcription/JobsApi.ts"
import { makeReader, refuseProblems } from "../body/Body.ts"

/** Number of jobs that a request acts on at a time. */
const atOnce = 4

/** No job is started after this time, so that a busy store does not exceed a proxy's timeout. */
const startWithin = Duration.seconds(10)

/** The response to the operation on one job that was refused. */
interface Refusal {
  readonly status: number
  readonly detail: string
}

type Action = (typeof JobAction.Type)["action"]

type Query = Readonly<Record<string, RawParameter | undefined>>

/** The jobs to act on, in order, and the cursor of the jobs after them. */
interface Page {
  readonly ids: ReadonlyArray<string>
  readonly next: string | null
}

interface Options<E, R> {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly query: Query
  /** Reads a page of the list with the request's query. */
  readonly list: Effect.Effect<
    { readonly data: ReadonlyArray<{ readonly id: string }>; readonly next_cursor: string | null },
    E,
    R
  >
  /** The operations on one job. */
  readonly actions: Readonly<Record<Action, (id: string) => Effect.Effect<unknown, Refusal, R>>>
}

const readBody = makeReader(JobAction)

const refuse = (parameter: string, detail: string) =>
  Effect.fail(new InvalidParameter({ parameter, detail }))

/**
 * Refuses a query that could select other jobs than intended: a list ignores a parameter that is
 * empty or misspelt.
 */
const checkQuery = Effect.fnUntraced(function* (query: Query, ids?: ReadonlyArray<string>) {
  const sent = Object.keys(yield* HttpServerRequest.ParsedSearchParams)
  const unknown = sent.filter((name) => !Object.hasOwn(query, name))
  yield* refuseProblems(unknown.map((path) => ({ path, rule: "unknown parameter" })))
  const empty = sent.find((name) => toOneText(query[name]) === "")
  if (empty !== undefined) {
    return yield* refuse(empty, `Invalid '${empty}' value. Must not be empty`)
  }
  const parts = sent.filter((name) => name !== "cursor")
  if (ids === undefined) {
    if (parts.every((name) => name === "limit"))
      return yield* refuse("ids", "Send a filter or 'ids'")
    return
  }
  if (parts.length > 0) return yield* refuse("ids", "Send either 'ids' or a query, not both")
  if (query.cursor !== undefined && !ids.includes(String(query.cursor))) {
    return yield* refuse("cursor", "Invalid 'cursor' value. Must be the next_cursor of a page")
  }
})

/** The result for one job: its refusal, if the time was sufficient to attempt the action. */
type Outcome = { readonly id: string; readonly refusal?: Refusal } | undefined

/** Groups refused jobs by the reason. */
const groupRefusals = (outcomes: ReadonlyArray<Outcome>) => {
  const refused = outcomes.flatMap((outcome) =>
    outcome?.refusal === undefined ? [] : { id: outcome.id, ...outcome.refusal }
  )
  const groups = Map.groupBy(refused, ({ detail }) => detail)
  return [...groups].map(([detail, jobs]) => ({
    status: jobs[0]?.status ?? 409,
    detail,
    ids: jobs.map(({ id }) => id)
  }))
}

/** Acts on the jobs of a page in order, until the time is up. */
const actOnPage = Effect.fnUntraced(function* <R>(
  { ids, next }: Page,
  act: (id: string) => Effect.Effect<unknown, Refusal, R>
) {
  const end = (yield* Clock.currentTimeMillis) + Duration.toMillis(startWithin)
  const attempt = Effect.fnUntraced(function* (id: string): Effect.fn.Return<Outcome, never, R> {
    if ((yield* Clock.currentTimeMillis) > end) return undefined
    return yield* Effect.match(act(id), {
      onSuccess: () => ({ id }),
      onFailure: (refusal) => ({ id, refusal })
    })
  })
  const outcomes = yield* Effect.forEach(ids, attempt, { concurrency: atOnce })
  const reached = outcomes.indexOf(undefined)
  const last = reached < 1 ? undefined : ids[reached - 1]
  const result: typeof JobActionResult.Type = {
    done: outcomes.filter((outcome) => outcome && outcome.refusal === undefined).length,
    refused: groupRefusals(outcomes),
    next_cursor: last ?? next
  }
  return result
})

/** Handles an action on many jobs. */
export const actOnJobs = Effect.fnUntraced(function* <E, R>({
  actions,
  list,
  query,
  request
}: Options<E, R>) {
  const { action, ids } = yield* readBody(request)
  yield* checkQuery(query, ids)
  if (ids !== undefined) {
    const named = [...new Set(ids)]
    const rest = named.slice(named.indexOf(String(query.cursor)) + 1)
    return yield* actOnPage({ ids: rest, next: null }, actions[action])
  }
  const { data, next_cursor } = yield* list
  return yield* actOnPage({ ids: data.map(({ id }) => id), next: next_cursor }, actions[action])
})
