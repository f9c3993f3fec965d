/** Lists jobs: those of a workspace for its callers, and those of all workspaces for operators. */

import { Effect } from "effect"
import type { Job } from "../../domain/job/Job.ts"
import {
  type AllJobsParameters,
  type JobListParameters,
  parse,
  parseForOperator,
  toPage,
  toWorkspaceJobPage
} from "../../domain/job/JobListing.ts"
import type { Principal } from "../../domain/workspace/ApiKey.ts"
import { JobStore } from "../../ports/JobStore.ts"
import { trace } from "../../ports/Trace.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"

/** Number of transcripts that are searched at a time for passages that match. */
const momentReadMax = 16

/** Number of workspaces that are read at a time. */
const accountReadMax = 16

/** A page of rows, and the last of them if more rows follow. */
export interface RowPage<Row> {
  readonly rows: ReadonlyArray<Row>
  /**
   * The last row on the page, after which the next page begins; undefined if no more rows follow.
   */
  readonly last: Row | undefined
}

/**
 * Reads a page of at most `limit` rows. `read` is called with the maximum number of rows to return.
 */
export const readPage = <Row, E, R>(
  limit: number,
  read: (limit: number) => Effect.Effect<ReadonlyArray<Row>, E, R>
): Effect.Effect<RowPage<Row>, E, R> =>
  Effect.map(read(limit + 1), (found) => ({
    rows: found.slice(0, limit),
    last: found.length > limit ? found[limit - 1] : undefined
  }))

/** Creates the method that lists a workspace's jobs. */
export const makeList = Effect.gen(function* () {
  const store = yield* JobStore
  const workspaces = yield* Workspaces

  /** Finds the passages that match a search in the transcripts of jobs. */
  const momentsOf = (jobs: ReadonlyArray<Job>, words: ReadonlyArray<string>) =>
    Effect.map(
      Effect.forEach(
        jobs,
        ({ id }) => Effect.map(store.moments(id, words), (found) => [id, found] as const),
        { concurrency: momentReadMax }
      ),
      (entries) => new Map(entries)
    )

  return trace("Jobs.list")(function* (principal: Principal, wanted: JobListParameters) {
    const { kind: audience, workspaceId } = principal
    const { limit, ...query } = yield* Effect.fromResult(parse(workspaceId, wanted))
    const { last, rows: jobs } = yield* readPage(limit, (rowMax) =>
      store.list({ ...query, limit: rowMax })
    )
    const moments = query.words === undefined ? undefined : yield* momentsOf(jobs, query.words)
    const balanceMillis = yield* workspaces.balance(workspaceId)
    return toPage({ jobs, hasMore: last !== undefined, moments }, { balanceMillis, audience })
  })
})

/** Creates the method that lists jobs for operators. */
export const makeListAll = Effect.gen(function* () {
  const store = yield* JobStore
  const workspaces = yield* Workspaces

  return trace("Jobs.listAll")(function* (wanted: AllJobsParameters) {
    const { limit, ...query } = yield* Effect.fromResult(parseForOperator(wanted))
    if (query.workspaceId !== null) yield* workspaces.account(query.workspaceId)
    const { last, rows } = yield* readPage(limit, (rowMax) =>
      store.list({ ...query, limit: rowMax })
    )
    const owners = new Set(rows.map(({ workspaceId }) => workspaceId))
    const accounts = yield* Effect.forEach(owners, workspaces.account, {
      concurrency: accountReadMax
    })
    const accountOf = new Map(accounts.map((account) => [account.workspace.id, account]))
    const owned = rows.flatMap((job) => {
      const account = accountOf.get(job.workspaceId)
      return account === undefined ? [] : [{ job, ...account }]
    })
    return toWorkspaceJobPage(owned, last !== undefined)
  })
})
