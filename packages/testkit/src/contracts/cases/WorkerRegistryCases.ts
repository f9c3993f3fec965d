/** Contract cases for `WorkerRegistry`. */
import { shownLanesMax } from "@verbatim/core/job"
import {
  type BacklogCounts,
  type JobStore,
  type LaneBacklog,
  type RegisteredWorker,
  WorkerId,
  WorkerRegistry,
  type WorkerReport,
  type WorkQueue,
  type WorkspaceStore,
  workerTtl
} from "@verbatim/core/ports"
import { State } from "@verbatim/core/transcription"
import { DateTime, Duration, Effect, Option } from "effect"
import {
  claimIds,
  insertJob,
  jobId,
  leaseToken,
  makeFinishedJob,
  makeOldJob,
  makePendingJob,
  makeUploadJob,
  storeTime,
  upTo,
  workspaceId
} from "../../samples/index.ts"
import { advance, atOnce, type Cases, type Contract, workspaceCases } from "../Contract.ts"
import * as Expect from "../Expect.ts"

type Ports = JobStore | WorkerRegistry | WorkQueue | WorkspaceStore

const workerId = (number: number): WorkerId =>
  WorkerId.make(`019000aa-0000-7000-8000-${number.toString(16).padStart(12, "0")}`)

const idle = { Fetch: 0, Transcribe: 0, Summarize: 0, Deliver: 0, Notify: 0 }

const signOf = (number: number, overrides: Partial<WorkerReport> = {}): WorkerReport => ({
  id: workerId(number),
  name: `host ${number}`,
  running: idle,
  outages: [],
  failures: [],
  ...overrides
})

const sign = (number: number, overrides: Partial<WorkerReport> = {}) =>
  WorkerRegistry.use((registry) => registry.report(signOf(number, overrides)))

const survey = WorkerRegistry.use((registry) => registry.survey)

const idsSeen = Effect.map(survey, ({ workers }) => workers.map(({ id }) => id))

/** Returns the ages of a worker and its last heartbeat, in whole seconds by the store's clock. */
const agesOf = ({ seenAt, startedAt }: RegisteredWorker, now: DateTime.Utc) => {
  const seconds = (then: DateTime.Utc) =>
    Math.round(Duration.toSeconds(DateTime.distance(then, now)))
  return { up: seconds(startedAt), seen: seconds(seenAt) }
}

/** Inserts a pending webhook for a host, by default in the first workspace. */
interface PendingWebhook {
  readonly number: number
  readonly host: string
  readonly dueAt: DateTime.Utc
  readonly owner?: number
}

/** The lane of media downloads. */
const downloads = "from https://media.example.com"

const laneTo = (host: string): string => `https://${host}.example.com`

const insertWebhooks = (webhooks: ReadonlyArray<PendingWebhook>) =>
  Effect.forEach(webhooks, ({ dueAt, host, number, owner = 1 }) => {
    const receiver = `${laneTo(host)}/in`
    const job = makePendingJob(number, { kind: "Deliver", dueAt, receiver })
    return insertJob({ ...job, workspaceId: workspaceId(owner) })
  })

/** Returns the expected backlog entry for a host. */
const inLane = (owner: number, host: string, counts: Partial<BacklogCounts>): LaneBacklog => ({
  workspaceId: workspaceId(owner),
  lane: laneTo(host),
  ...{ due: 0, later: 0, leased: 0, dueSince: Option.none() },
  ...counts
})

const cases: Cases<Ports> = workspaceCases(WorkerRegistry, {
  *"shows no workers and no backlog in an empty store"() {
    yield* insertJob(makeFinishedJob(1))
    const { backlog, workers } = yield* survey
    yield* Expect.that("nothing is there", [...workers, ...backlog]).is([])
  },
  *"keeps a worker's last heartbeat, and the time of its first heartbeat"() {
    yield* sign(1)
    yield* advance(Duration.seconds(20))
    const running = { ...idle, Transcribe: 3, Notify: 2 }
    const outages = [
      { dependency: "SpeechEngine" as const, failures: 3, cause: "401 invalid_api_key" },
      { dependency: "Database" as const, failures: 1 }
    ]
    const failures = [{ task: "Deliver" as const, reason: "ReceiverRefused", count: 2 }]
    yield* sign(1, { name: "renamed", running, outages, failures })
    yield* advance(Duration.seconds(10))
    const { now, workers } = yield* survey
    yield* Expect.that(
      "the only worker, with its last heartbeat",
      workers.map(({ seenAt: _seen, startedAt: _started, ...report }) => report)
    ).is([signOf(1, { name: "renamed", running, outages, failures })])
    yield* Expect.that(
      "the worker is 30 s old and was seen 10 s ago",
      workers.map((worker) => agesOf(worker, now))
    ).is([{ up: 30, seen: 10 }])
  },
  *"shows every worker that sends heartbeats, the oldest first"() {
    yield* sign(9)
    yield* advance(Duration.seconds(1))
    yield* atOnce([3, 1, 2], (number) => sign(number))
    const { now, workers } = yield* survey
    yield* Expect.that("all workers are listed", workers.map(({ id }) => id).sort()).is(
      [1, 2, 3, 9].map(workerId)
    )
    const ages = workers.map((worker) => agesOf(worker, now).up)
    yield* Expect.that("the workers are ordered by age", ages).is(ages.toSorted((a, b) => b - a))
    yield* Expect.that("the first is the oldest", workers[0]?.id).is(workerId(9))
  },
  *"removes only the worker that leaves"(registry) {
    yield* Effect.forEach(upTo(3), (number) => sign(number))
    yield* registry.leave(workerId(2))
    yield* registry.leave(workerId(2))
    yield* Expect.that("the other workers remain", (yield* idsSeen).toSorted()).is(
      [1, 3].map(workerId)
    )
  },
  *"reports the paused tasks to every worker until the list is replaced"({ pause, report }) {
    const paused = Effect.map(survey, (overview) => overview.paused)
    yield* report(signOf(1)).pipe(Expect.gives("no task is paused", []))
    yield* pause(["Fetch", "Transcribe"])
    yield* report(signOf(1)).pipe(Expect.gives("two tasks are paused", ["Fetch", "Transcribe"]))
    yield* report(signOf(2)).pipe(Expect.gives("for each worker", ["Fetch", "Transcribe"]))
    yield* paused.pipe(Expect.gives("the operator sees them", ["Fetch", "Transcribe"]))
    yield* atOnce([1, 2, 3], () => pause(["Deliver"]))
    yield* report(signOf(1)).pipe(Expect.gives("the other tasks resume", ["Deliver"]))
    yield* pause([])
    yield* paused.pipe(Expect.gives("all tasks resume", []))
  },
  *"removes a worker that has been silent for a day once another worker sends a heartbeat"() {
    yield* sign(1)
    yield* advance(Duration.subtract(workerTtl, Duration.minutes(1)))
    yield* sign(2)
    yield* idsSeen.pipe(Expect.gives("for a day it is kept", [1, 2].map(workerId)))
    yield* advance(Duration.minutes(2))
    yield* sign(2)
    yield* idsSeen.pipe(Expect.gives("the silent worker is removed", [workerId(2)]))
  },
  *"counts the work of each kind that is due, due later, or held"() {
    const now = yield* storeTime
    const at = (seconds: number) => DateTime.add(now, { seconds })
    yield* insertJob(makePendingJob(1, { kind: "Transcribe", dueAt: at(-60) }))
    yield* claimIds(leaseToken(1))
    yield* Effect.forEach([2, 3], (number) =>
      insertJob(makePendingJob(number, { kind: "Transcribe", dueAt: at(-number) }))
    )
    yield* insertJob(makePendingJob(4, { kind: "Transcribe", dueAt: at(3_600) }))
    yield* insertJob(makePendingJob(5, { kind: "Deliver", dueAt: at(3_600) }))
    const { backlog } = yield* survey
    yield* Expect.that("the backlog has the expected counts", backlog).is([
      {
        kind: "Deliver",
        ...{ due: 0, later: 1, leased: 0, dueSince: Option.none(), laneCount: 1 },
        lanes: [inLane(1, "hooks", { later: 1 })]
      },
      {
        kind: "Transcribe",
        ...{ due: 2, later: 1, leased: 1, dueSince: Option.some(at(-3)) },
        ...{ laneCount: 0, lanes: [] }
      }
    ])
  },
  *"shows the backlog by lane and workspace, the lanes with the most due work first"() {
    const now = yield* storeTime
    const at = (seconds: number) => DateTime.add(now, { seconds })
    yield* insertWebhooks([{ number: 1, host: "a", dueAt: at(-60) }])
    yield* claimIds(leaseToken(1))
    yield* insertWebhooks([
      { number: 2, host: "a", dueAt: at(-2) },
      { number: 3, host: "a", dueAt: at(-9), owner: 2 },
      { number: 4, host: "a", dueAt: at(-5), owner: 2 },
      ...[5, 6].map((number) => ({ number, host: "b", dueAt: at(3_600) })),
      { number: 7, host: "b", dueAt: at(-1) },
      { number: 8, host: "0", dueAt: at(-3) }
    ])
    yield* insertJob(makePendingJob(9, { kind: "Fetch", dueAt: at(3_600) }))
    const { backlog } = yield* survey
    yield* Expect.that(
      "lanes of one name are of two workspaces",
      backlog.map(({ laneCount, lanes }) => ({ laneCount, lanes }))
    ).is([
      {
        laneCount: 4,
        lanes: [
          inLane(2, "a", { due: 2, dueSince: Option.some(at(-9)) }),
          inLane(1, "b", { due: 1, later: 2, dueSince: Option.some(at(-1)) }),
          inLane(1, "a", { due: 1, leased: 1, dueSince: Option.some(at(-2)) }),
          inLane(1, "0", { due: 1, dueSince: Option.some(at(-3)) })
        ]
      },
      {
        laneCount: 1,
        lanes: [{ ...inLane(1, "", { later: 1 }), lane: downloads }]
      }
    ])
  },
  *"shows the first lanes of a long backlog, and counts all lanes"() {
    const now = yield* storeTime
    const hosts = upTo(shownLanesMax + 3).map((number) => String(number).padStart(2, "0"))
    const dueAt = DateTime.subtract(now, { seconds: 1 })
    yield* insertWebhooks(hosts.map((host, index) => ({ number: index + 1, host, dueAt })))
    yield* insertWebhooks([{ number: 99, host: hosts.at(-1) ?? "", dueAt }])
    yield* insertJob(makePendingJob(98, { kind: "Fetch", dueAt }))
    const { backlog } = yield* survey
    const counts = { due: 1, dueSince: Option.some(dueAt) }
    yield* Expect.that(
      "the one with the most work, the next by name, and other kinds",
      backlog.map(({ due, laneCount, lanes }) => ({ due, laneCount, lanes }))
    ).is([
      {
        due: hosts.length + 1,
        laneCount: hosts.length,
        lanes: [
          inLane(1, hosts.at(-1) ?? "", { ...counts, due: 2 }),
          ...hosts.slice(0, shownLanesMax - 1).map((host) => inLane(1, host, counts))
        ]
      },
      { due: 1, laneCount: 1, lanes: [{ ...inLane(1, "", counts), lane: downloads }] }
    ])
  },
  *"counts the jobs that ended in the last day by hour and outcome, in all workspaces"({ ended }) {
    const now = yield* storeTime
    const hour = DateTime.startOf(now, "hour")
    const before = (hours: number) => DateTime.subtract(hour, { hours })
    const ends = [hour, before(3), before(3), before(3), before(25), before(50)]
    yield* Effect.forEach(ends, (at, index) =>
      insertJob({ ...makeOldJob(index + 1, { at }), workspaceId: workspaceId((index % 2) + 1) })
    )
    const failed = { id: jobId(9), during: "Running", failure: { _tag: "AudioMissing" } } as const
    const transcription = State.cases.Failed.make({ ...failed, endedAt: before(3) })
    yield* insertJob(makeUploadJob(9, { transcription }))
    yield* insertJob(makeUploadJob(10))
    yield* ended.pipe(
      Expect.gives("two hours have ended jobs", [
        { from: before(3), completed: 3, failed: 1 },
        { from: hour, completed: 1, failed: 0 }
      ])
    )
  },
  *"counts work whose lease has expired as due"() {
    const dueAt = yield* storeTime
    yield* insertJob(makePendingJob(1, { kind: "Deliver", dueAt }))
    yield* claimIds(leaseToken(1)).pipe(Expect.gives("the job is claimed", [jobId(1)]))
    yield* advance(Duration.seconds(31))
    const { backlog } = yield* survey
    yield* Expect.that(
      "no claim holds it any more",
      backlog.map(({ due, leased }) => ({ due, leased }))
    ).is([{ due: 1, leased: 0 }])
  }
})

export const contract: Contract<Ports> = { port: "WorkerRegistry", cases }
