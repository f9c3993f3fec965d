/** The things that cases do with the job stores again and again, one word each. */

import { type JobId, WorkKind } from "@verbatim/core/attempt"
import { type Job, type LaneCapacity, type LedgerLine, laneKey } from "@verbatim/core/job"
import {
  type Capacity,
  JobStore,
  type LeaseToken,
  WorkQueue,
  WorkspaceStore,
  type WorkspaceStoreError
} from "@verbatim/core/ports"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { Effect, Option, Record, Stream } from "effect"
import { leaseToken, workspaceId } from "./Ids.ts"
import { attemptStarted, transcriptProduced } from "./SampleEvent.ts"
import { type Change, commitOf, creation, makeUploadJob } from "./SampleJob.ts"
import { transcript } from "./SampleTranscript.ts"

/** Inserts a job with the work it owes, and answers with the job. */
export const insertJob = Effect.fnUntraced(function* (job: Job) {
  const store = yield* JobStore
  yield* store.insert(creation(job))
  return job
})

/** Commits events of a job, and answers with the job after them. */
export const commitJob = Effect.fnUntraced(function* (job: Job, change: Change) {
  const store = yield* JobStore
  const commit = commitOf(job, change)
  yield* store.commit(commit)
  return commit.next
})

/** Inserts a job and starts its first attempt, and answers with the job after that. */
export const startJob = Effect.fnUntraced(function* (number: number, wishes?: Partial<Job>) {
  const job = yield* insertJob(makeUploadJob(number, wishes))
  return yield* commitJob(job, { events: [attemptStarted()] })
})

/** A job whose first attempt has produced a transcript, and whatever else comes with it. */
export const transcribeJob = Effect.fnUntraced(function* (
  number: number,
  { wishes, ...change }: Partial<Change> & { readonly wishes?: Partial<Job> } = {}
) {
  const running = yield* startJob(number, wishes)
  return yield* commitJob(running, { events: [transcriptProduced()], transcript, ...change })
})

/** The job as the store has it. */
export const storedJob = (id: JobId) =>
  Effect.flatMap(JobStore, (store) => store.find(workspaceId(1), id))

/** Everything that a job has in the store, except its work, which only a claim shows. */
export const storedWhole = Effect.fnUntraced(function* (id: JobId) {
  const jobs = yield* JobStore
  const workspaces = yield* WorkspaceStore
  return {
    job: yield* storedJob(id),
    history: yield* jobs.history(id),
    transcript: yield* jobs.transcript(id),
    account: yield* workspaces.account(workspaceId(1)),
    ledger: yield* readLedger(workspaces, workspaceId(1))
  }
})

/** Lines of a ledger in one question. */
const linesMax = 500

/** A line without its place, which differs from store to store. */
export type Line = Omit<LedgerLine, "place">

/** All lines of a ledger, page by page, the oldest first. */
export const readLedger = (
  store: Pick<WorkspaceStore["Service"], "ledger">,
  workspaceId: WorkspaceId,
  limit = linesMax
): Effect.Effect<ReadonlyArray<Line>, WorkspaceStoreError> =>
  Stream.paginate(null as LedgerLine["place"] | null, (before) =>
    Effect.map(store.ledger({ workspaceId, before, limit }), (page) => {
      const last = page.length < limit ? undefined : page.at(-1)
      return [page, Option.fromUndefinedOr(last?.place)] as const
    })
  ).pipe(
    Stream.map(({ place: _, ...line }): Line => line),
    Stream.runCollect,
    Effect.map((lines) => lines.toReversed())
  )

/** What the workspace has left, and what its ledger sums to. */
export const balances = Effect.gen(function* () {
  const store = yield* WorkspaceStore
  const account = yield* store.account(workspaceId(1))
  const ledger = yield* readLedger(store, workspaceId(1))
  return {
    balance: Option.match(account, {
      onNone: () => undefined,
      onSome: ({ balanceMillis }) => balanceMillis
    }),
    sum: ledger.reduce((sum, { millis }) => sum + millis, 0)
  }
})

/** How a claim may be narrowed. By default it takes everything, in every lane. */
export interface Narrowed {
  readonly kinds?: ReadonlyArray<WorkKind>
  /** Of each kind. */
  readonly limit?: number
  readonly lanes?: LaneCapacity
  readonly held?: Capacity["held"]
}

/** Lanes of the first workspace with this much under way. */
export const takenLanes = (lanes: Readonly<Record<string, number>>): LaneCapacity["taken"] =>
  Record.mapKeys(lanes, (lane) => laneKey({ workspaceId: workspaceId(1), lane }))

/** Lanes of the first workspace that take nothing, while all others take everything. */
export const fullLanes = (lanes: ReadonlyArray<string>): LaneCapacity => ({
  max: 1_000,
  taken: takenLanes(Object.fromEntries(lanes.map((lane) => [lane, 1_000])))
})

/** Capacity as a claim asks for it. */
export const roomOf = ({
  held = {},
  kinds = WorkKind.literals,
  lanes = fullLanes([]),
  limit = 1_000
}: Narrowed): Capacity => ({
  kinds: Object.fromEntries(kinds.map((kind) => [kind, limit])),
  held,
  lanes
})

/** Claims work under a token, and answers with the jobs. */
export const claimJobs = Effect.fnUntraced(function* (token: LeaseToken, narrowed: Narrowed = {}) {
  const queue = yield* WorkQueue
  const { jobs } = yield* queue.claim({ token, ...roomOf(narrowed) })
  return jobs
})

/** Claims work under a token, and answers with the ids of the jobs, in the order given out. */
export const claimIds = (token: LeaseToken, narrowed: Narrowed = {}) =>
  Effect.map(claimJobs(token, narrowed), (jobs) => jobs.map(({ id }) => id))

/** The store's own time, as told by a claim of nothing. */
export const storeTime = Effect.gen(function* () {
  const queue = yield* WorkQueue
  const { now } = yield* queue.claim({ token: leaseToken(0), ...roomOf({ kinds: [] }) })
  return now
})

/** Renews leases of that token, and answers with the ids of those that were extended. */
export const renewedIds = (token: LeaseToken, jobIds: ReadonlyArray<JobId>) =>
  Effect.flatMap(WorkQueue, (queue) =>
    Effect.map(queue.renew(jobIds.map((jobId) => ({ jobId, token }))), ({ extended }) =>
      [...extended].sort()
    )
  )

/** Gives leases of that token back. */
export const givenBack = (token: LeaseToken, jobIds: ReadonlyArray<JobId>) =>
  Effect.flatMap(WorkQueue, (queue) => queue.release(jobIds.map((jobId) => ({ jobId, token }))))
