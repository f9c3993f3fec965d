/** Reads and writes jobs in the stores for many contract cases. */

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
import { Event, recognisedEvent } from "@verbatim/core/transcription"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { Effect, Option, Record, Stream } from "effect"
import { leaseToken, workspaceId } from "./Ids.ts"
import { attemptStarted, onTranscription, transcriptProduced } from "./SampleEvent.ts"
import { type Change, commitOf, creation, makeUploadJob } from "./SampleJob.ts"
import { transcript } from "./SampleTranscript.ts"
import { instant } from "./SampleWorkspace.ts"

/** Inserts a job with its pending work, and returns the job. */
export const insertJob = Effect.fnUntraced(function* (job: Job) {
  const store = yield* JobStore
  yield* store.insert(creation(job))
  return job
})

/** Commits events for a job, and returns the resulting job. */
export const commitJob = Effect.fnUntraced(function* (job: Job, change: Change) {
  const store = yield* JobStore
  const commit = commitOf(job, change)
  yield* store.commit(commit)
  return commit.next
})

/** Inserts a job and starts its first attempt. Returns the resulting job. */
export const startJob = Effect.fnUntraced(function* (number: number, overrides?: Partial<Job>) {
  const job = yield* insertJob(makeUploadJob(number, overrides))
  return yield* commitJob(job, { events: [attemptStarted()] })
})

/** Commits a half-minute piece for a running job. Returns the resulting job. */
export const recognisePiece = (
  job: Job,
  recognised: {
    readonly index: number
    readonly count: number
    readonly text: string
    readonly plan?: string
  }
) => {
  const { count, index, plan = "plan", text } = recognised
  const before = "pieces" in job.transcription ? job.transcription.pieces : undefined
  const event = Event.cases.PieceRecognised.make({
    at: instant,
    ...recognisedEvent(before, { plan, count, index, isReused: false, engineMillis: 1_000 })
  })
  const piece = {
    index,
    startMillis: index * 30_000,
    endMillis: (index + 1) * 30_000,
    digest: `${plan} ${index}`,
    result: {
      language: "en",
      segments: [{ startMillis: 500, endMillis: 29_500, text }],
      voiceprints: [{ startMillis: 500, endMillis: 3_500, vector: "AID/fw==" }]
    }
  }
  return commitJob(job, { events: [onTranscription(event)], piece })
}

/**
 * Inserts a job, starts it, and commits its transcript. `overrides` change the inserted job, and
 * the other properties change the last commit.
 */
export const transcribeJob = Effect.fnUntraced(function* (
  number: number,
  { overrides, ...change }: Partial<Change> & { readonly overrides?: Partial<Job> } = {}
) {
  const running = yield* startJob(number, overrides)
  return yield* commitJob(running, { events: [transcriptProduced()], transcript, ...change })
})

export const findJob = (id: JobId) => JobStore.use((store) => store.find(workspaceId(1), id))

/** Reads everything stored for a job except its pending work, which only a claim shows. */
export const readWholeJob = Effect.fnUntraced(function* (id: JobId) {
  const jobs = yield* JobStore
  const workspaces = yield* WorkspaceStore
  return {
    job: yield* findJob(id),
    history: yield* jobs.history(id),
    transcript: yield* jobs.transcript(id),
    peaks: yield* jobs.peaks(id),
    pieces: yield* jobs.pieces(id),
    body: yield* jobs.keptBody(id),
    account: yield* workspaces.account(workspaceId(1)),
    ledger: yield* readLedger(workspaces, workspaceId(1))
  }
})

const linesMax = 500

/** A ledger line without its position, because positions differ between stores. */
export type Line = Omit<LedgerLine, "ordinal">

/** Reads all lines in a ledger, page by page, oldest first. */
export const readLedger = (
  store: Pick<WorkspaceStore["Service"], "ledger">,
  workspaceId: WorkspaceId,
  limit = linesMax
): Effect.Effect<ReadonlyArray<Line>, WorkspaceStoreError> =>
  Stream.paginate(null as LedgerLine["ordinal"] | null, (before) =>
    Effect.map(store.ledger({ workspaceId, before, limit }), (page) => {
      const last = page.length < limit ? undefined : page.at(-1)
      return [page, Option.fromUndefinedOr(last?.ordinal)] as const
    })
  ).pipe(
    Stream.map(({ ordinal: _, ...line }): Line => line),
    Stream.runCollect,
    Effect.map((lines) => lines.toReversed())
  )

/** Reads the workspace's balance and the sum of its ledger. */
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

/** Restrictions on a claim. Without restrictions, a claim takes all work in all lanes. */
export interface ClaimOptions {
  readonly kinds?: ReadonlyArray<WorkKind>
  /** The maximum number of tasks of each kind. */
  readonly limit?: number
  readonly lanes?: LaneCapacity
  readonly held?: Capacity["held"]
}

/** The first workspace's lanes, with the number of running tasks in each. */
export const takenLanes = (lanes: Readonly<Record<string, number>>): LaneCapacity["taken"] =>
  Record.mapKeys(lanes, (lane) => laneKey({ workspaceId: workspaceId(1), lane }))

/** Lane capacity in which these lanes of the first workspace are full, and all others empty. */
export const fullLanes = (lanes: ReadonlyArray<string>): LaneCapacity => ({
  max: 1_000,
  taken: takenLanes(Object.fromEntries(lanes.map((lane) => [lane, 1_000])))
})

/** Creates the capacity for a claim. */
export const makeCapacity = ({
  held = {},
  kinds = WorkKind.literals,
  lanes = fullLanes([]),
  limit = 1_000
}: ClaimOptions): Capacity => ({
  kinds: Object.fromEntries(kinds.map((kind) => [kind, limit])),
  held,
  lanes
})

/** Claims work with a token, and returns the jobs. */
export const claimJobs = Effect.fnUntraced(function* (
  token: LeaseToken,
  options: ClaimOptions = {}
) {
  const queue = yield* WorkQueue
  const { jobs } = yield* queue.claim({ token, ...makeCapacity(options) })
  return jobs
})

/** Claims work with a token, and returns the jobs' ids in the claim's order. */
export const claimIds = (token: LeaseToken, options: ClaimOptions = {}) =>
  Effect.map(claimJobs(token, options), (jobs) => jobs.map(({ id }) => id))

/** Reads the store's time with a claim that takes no work. */
export const storeTime = Effect.gen(function* () {
  const queue = yield* WorkQueue
  const { now } = yield* queue.claim({ token: leaseToken(0), ...makeCapacity({ kinds: [] }) })
  return now
})

/** Renews leases with the given token, and returns the ids of the extended leases. */
export const renewLeases = (token: LeaseToken, jobIds: ReadonlyArray<JobId>) =>
  WorkQueue.use((queue) =>
    Effect.map(queue.renew(jobIds.map((jobId) => ({ jobId, token }))), ({ extended }) =>
      [...extended].sort()
    )
  )

/** Releases leases with the given token. */
export const releaseLeases = (token: LeaseToken, jobIds: ReadonlyArray<JobId>) =>
  WorkQueue.use((queue) => queue.release(jobIds.map((jobId) => ({ jobId, token }))))
