/**
 * Runs the pending work of jobs in a loop: claims work, runs it, and claims again. A worker has no
 * state that must survive: if its process dies, another process claims the work again.
 */
import {
  Cause,
  Clock,
  Context,
  type DateTime,
  Duration,
  Effect,
  Fiber,
  Latch,
  Layer,
  MutableRef,
  Option
} from "effect"
import { type Digest, type Mac, SecureRandom } from "effect/crypto"
import type { Task } from "../domain/attempt/Work.ts"
import { type Job, pendingWork } from "../domain/job/Job.ts"
import { fullLanes } from "../domain/job/Lane.ts"
import { coreMetrics } from "../metrics/CoreTable.ts"
import type { AudioDecoder } from "../ports/AudioDecoder.ts"
import type { CorrectionStore } from "../ports/CorrectionStore.ts"
import { JobListener } from "../ports/JobListener.ts"
import type { JobStore } from "../ports/JobStore.ts"
import type { MediaFetcher } from "../ports/MediaFetcher.ts"
import type { MediaStore } from "../ports/MediaStore.ts"
import type { Summarizer } from "../ports/Summarizer.ts"
import { Transcriber } from "../ports/Transcriber.ts"
import type { WebhookSender } from "../ports/WebhookSender.ts"
import type { FailureCount, Outage } from "../ports/WorkerRegistry.ts"
import {
  type Capacity,
  type Claimed,
  type Lease,
  LeaseToken,
  WorkQueue
} from "../ports/WorkQueue.ts"
import type { WorkspaceStore } from "../ports/WorkspaceStore.ts"
import { makeOutageLog, reasonOf } from "../services/OutageLog.ts"
import { MediaIdentity } from "../services/tasks/MediaIdentity.ts"
import { Transcripts } from "../services/tasks/Transcripts.ts"
import { type Admission, type AdmittedJob, make } from "./Admission.ts"
import { type ClaimedJob, makeAttempts } from "./Attempts.ts"
import { makeCircuits } from "./Circuits.ts"
import { type Concurrency, LaneConcurrency, noticesMax, type TaskCounts } from "./Slots.ts"

/**
 * Time between two claims on an empty queue. Claiming costs four small queries a second, and work
 * is delayed by up to a quarter of a second.
 */
const pollInterval: Duration.Duration = Duration.millis(250)

/**
 * Maximum pause after a failed claim. The pause doubles with each failure, so that a returning
 * database is noticed soon, and an unreachable one is not queried four times a second.
 */
const pollIntervalMax: Duration.Duration = Duration.seconds(5)

/**
 * Maximum time for a claim. A slower claim counts as failed, and the leases that it acquired lapse.
 */
const claimTimeout = Duration.seconds(5)

/**
 * Maximum time that a stopping worker waits for its attempts: for engines to end, and up to 5 s for
 * releases. An attempt that a store delays for longer is abandoned as in a crash, and its lease
 * lapses.
 */
const stopTimeout: Duration.Duration = Duration.seconds(8)

/** The tasks that are paused from the start until the first call to `pause`. */
export const FirstPauses: Context.Reference<ReadonlyArray<Task>> = Context.Reference(
  "@verbatim/core/worker/FirstPauses",
  { defaultValue: (): ReadonlyArray<Task> => [] }
)

/** The ports that a worker needs. */
export type Ports =
  | AudioDecoder
  | CorrectionStore
  | Digest.Digest
  | JobStore
  | Mac.Mac
  | MediaFetcher
  | MediaStore
  | SecureRandom.SecureRandom
  | Summarizer
  | Transcriber
  | WebhookSender
  | WorkQueue
  | WorkspaceStore

/** The current state of a worker. */
export interface Activity {
  readonly running: TaskCounts
  /** The time of the last response from the work queue; none before the first one. */
  readonly claimedAt: Option.Option<DateTime.Utc>
  /** The unreachable dependencies. Tasks that need them wait. */
  readonly outages: ReadonlyArray<Outage>
  /** Counts of the tasks that this worker gave up on in the last hour. */
  readonly failures: ReadonlyArray<FailureCount>
}

export class Worker extends Context.Service<
  Worker,
  {
    readonly activity: Effect.Effect<Activity>
    /** Stops claiming work. Running attempts continue until the layer ends. */
    readonly drain: Effect.Effect<void>
    /** Sets the paused tasks. No new attempts at them begin, but running attempts continue. */
    readonly pause: (tasks: ReadonlyArray<Task>) => Effect.Effect<void>
  }
>()("@verbatim/core/worker/Worker") {
  /**
   * A worker that runs until the layer's scope closes, and calls the `JobListener`, if there is
   * one. When the scope closes, the worker stops claiming, stops its attempts, and releases their
   * work.
   */
  static readonly layer = (concurrency: Concurrency): Layer.Layer<Worker, never, Ports> =>
    Layer.effect(
      Worker,
      Effect.gen(function* () {
        const { attempt, failures } = yield* makeAttempts
        const circuits = yield* makeCircuits
        const clock = yield* Clock.Clock
        const listener = yield* Effect.serviceOption(JobListener)
        const paused = MutableRef.make(yield* FirstPauses)
        const admission = make({
          circuits,
          clock,
          concurrency: countsOf(concurrency, listener),
          laneConcurrency: yield* LaneConcurrency,
          media: yield* MediaIdentity,
          paused,
          transcriber: yield* Transcriber
        })
        const claims = yield* makeClaims(clock)
        const state: LoopState = { claimedAt: Option.none(), isStopping: false }
        const starts = yield* makeStarts({ admission, attempt, state })
        const poll = yield* makePoll({ admission, claims, starts, state })

        const rest = Effect.raceFirst(starts.hasCapacity.await, Effect.sleep(pollInterval)).pipe(
          Effect.andThen(starts.hasCapacity.close)
        )

        // Finalizers run in reverse order: claiming stops first, then polling ends, then attempts
        // are interrupted.
        yield* Effect.addFinalizer(() => starts.interruptAll)

        yield* poll().pipe(
          Effect.catchCause(claims.failed),
          Effect.flatMap((mayBeMore) => (mayBeMore ? Effect.yieldNow : rest)),
          Effect.forever,
          Effect.forkScoped
        )

        const drain = Effect.sync(() => {
          state.isStopping = true
        })
        yield* Effect.addFinalizer(() => drain)

        return Worker.of({
          activity: Effect.map(failures, (given) => ({
            running: admission.running(),
            claimedAt: state.claimedAt,
            outages: withClaims(circuits.outages(), claims.failures()),
            failures: given
          })),
          drain,
          pause: (tasks) => Effect.sync(() => MutableRef.set(paused, tasks))
        })
      })
    ).pipe(Layer.provide([Layer.fresh(Transcripts.layer), MediaIdentity.layer]))
}

interface LoopState {
  claimedAt: Option.Option<DateTime.Utc>
  isStopping: boolean
}

/** The parts of a worker's loop that begin attempts. */
interface Loop {
  readonly admission: Admission
  readonly state: LoopState
}

/** Creates the functions that begin attempts for claimed jobs, or release these jobs. */
const makeStarts = Effect.fnUntraced(function* ({
  admission,
  attempt,
  state
}: Loop & Pick<Effect.Success<typeof makeAttempts>, "attempt">) {
  const queue = yield* WorkQueue
  const hasCapacity = yield* Latch.make()
  const underway = new Set<Fiber.Fiber<void>>()

  const release = (leases: ReadonlyArray<Lease>) =>
    Effect.timeout(queue.release(leases), claimTimeout)

  /** Runs an attempt, and releases the lease if the attempt never began. */
  const run = Effect.fnUntraced(function* (
    { finish, ready }: AdmittedJob,
    { sentAt, job, now, token }: ReceivedJob
  ) {
    const ending = yield* attempt({ job, token, now, sentAt, ready })
    yield* finish(ending)
    // If something failed before the attempt began, the lease is kept, so that the job is claimed
    // again only once the lease lapses.
    if (ending._tag !== "NotBegun" || ending.failure !== undefined) return
    yield* Effect.ignore(release([{ jobId: job.id, token }]))
  }, Effect.uninterruptible)

  /** Begins an attempt. Returns `false` if the job must be released. */
  const start = Effect.fnUntraced(function* (received: ReceivedJob) {
    const work = pendingWork(received.job)
    if (Option.isNone(work)) {
      // A broken row must not block the jobs that were claimed with it. Its lease lapses.
      yield* Effect.logError("Work was claimed for a job that has no pending work").pipe(
        Effect.annotateLogs({ job: received.job.id })
      )
      return true
    }
    const claimedWork = { job: received.job, work: work.value }
    const entry = state.isStopping ? "NotNow" : yield* admission.admit(claimedWork)
    if (typeof entry === "string") return entry === "OutOfReach"
    const fiber = yield* Effect.forkDetach(run(entry, received))
    underway.add(fiber)
    fiber.addObserver(() => {
      underway.delete(fiber)
      hasCapacity.openUnsafe()
    })
    return true
  })

  return {
    hasCapacity,
    interruptAll: Effect.suspend(() =>
      Effect.timeoutOption(Fiber.interruptAll(underway), stopTimeout)
    ),
    release,
    start
  }
})

/** Creates a function that claims once, and returns `true` if there may be more work. */
const makePoll = Effect.fnUntraced(function* ({
  admission,
  claims,
  starts,
  state
}: Loop & {
  readonly claims: Effect.Success<ReturnType<typeof makeClaims>>
  readonly starts: Effect.Success<ReturnType<typeof makeStarts>>
}) {
  const queue = yield* WorkQueue
  const random = yield* SecureRandom.SecureRandom
  const clock = yield* Clock.Clock

  return Effect.fnUntraced(function* () {
    claims.begin()
    const capacity = yield* admission.capacity
    // This is checked again, because the worker may have been stopped in the meantime.
    if (state.isStopping || Object.keys(capacity.kinds).length === 0) return false
    const token = LeaseToken.make(yield* random.uuidV4())
    const sentAt = clock.monotonicTimeNanosUnsafe()
    // Claims belong to no trace, because they run four times a second without a request.
    const claim = Effect.withTracerEnabled(queue.claim({ token, ...capacity }), false)
    const claimed = yield* Effect.timeout(Effect.interruptible(claim), claimTimeout)
    const { hasMore, jobs, now } = claimed
    state.claimedAt = Option.some(now)
    yield* claims.worked
    const answeredAt = clock.monotonicTimeNanosUnsafe()
    yield* countClaim({ capacity, claimed, sentAt, answeredAt })
    yield* admission.observeClock({ sentAt, answeredAt, storeMillis: now.epochMilliseconds })
    const unstarted = yield* Effect.filter(isolatedFirst(jobs), (job) =>
      Effect.map(starts.start({ job, token, now, sentAt }), (hasBegun) => !hasBegun)
    )
    if (unstarted.length > 0)
      yield* starts.release(unstarted.map(({ id }) => ({ jobId: id, token })))
    // If the claim skipped locked rows, the next claim finds them.
    return !state.isStopping && hasMore && jobs.length > unstarted.length
  }, Effect.uninterruptible)
})

/** Tracks failing claims: logs them, and pauses for longer after each failure. */
const makeClaims = Effect.fnUntraced(function* (clock: Clock.Clock) {
  const log = yield* makeOutageLog({
    failing: "The worker cannot use the database",
    working: "The worker can use the database"
  })
  /** Number of consecutive claims that failed. */
  let failures = 0
  /** The monotonic timestamp of the last claim, in nanoseconds. */
  let begunAt = 0n

  /** Logs a failed claim, pauses, and then returns `true`, because another claim may follow. */
  const failed = Effect.fnUntraced(function* (cause: Cause.Cause<unknown>) {
    failures += 1
    // A defect is a bug in this project, so its stack is logged.
    if (failures === 1 && Cause.hasDies(cause)) {
      yield* Effect.logError("An unexpected error ended a claim", cause)
    }
    yield* log.failed(reasonOf(cause))
    yield* countFailedClaim
    const doubled = Duration.times(pollInterval, 2 ** Math.min(failures, 5))
    // The interval is measured from start to start, so no further pause follows a claim that timed
    // out.
    const passed = Duration.nanos(clock.monotonicTimeNanosUnsafe() - begunAt)
    const remaining = Duration.subtract(Duration.min(doubled, pollIntervalMax), passed)
    yield* Effect.sleep(Duration.max(remaining, pollInterval))
    return true
  })

  return {
    begin: () => {
      begunAt = clock.monotonicTimeNanosUnsafe()
    },
    failed,
    failures: () => failures,
    worked: Effect.suspend(() => {
      failures = 0
      return log.worked
    })
  }
})

/** Adds the database to the outages if claims are failing. */
const withClaims = (outages: ReadonlyArray<Outage>, failures: number): ReadonlyArray<Outage> =>
  failures === 0 || outages.some(({ dependency }) => dependency === "Database")
    ? outages
    : [...outages, { dependency: "Database", failures }]

/**
 * Maximum number of concurrent attempts of each task. A process without a listener sends no
 * notices.
 */
const countsOf = (
  concurrency: Concurrency,
  listener: Option.Option<JobListener["Service"]>
): TaskCounts => ({
  ...concurrency,
  Notify: Option.isSome(listener) ? (concurrency.Notify ?? noticesMax) : 0
})

/** A job in the response to a claim. */
type ReceivedJob = Omit<ClaimedJob, "ready">

const isIsolated = (job: Job): boolean =>
  Option.exists(pendingWork(job), ({ kind }) => kind === "Isolate")

/** Puts jobs that must run alone first, because no other job can run beside them. */
const isolatedFirst = (jobs: ReadonlyArray<Job>): ReadonlyArray<Job> => {
  const isolated = jobs.filter(isIsolated)
  return isolated.length === 0
    ? jobs
    : [...isolated, ...jobs.filter((job) => !isolated.includes(job))]
}

/** A claim that got a response. */
interface AnsweredClaim {
  readonly capacity: Capacity
  readonly claimed: Claimed
  /** The monotonic timestamps before and after the claim. */
  readonly sentAt: bigint
  readonly answeredAt: bigint
}

const secondsOf = (instant: DateTime.Utc): number => instant.epochMilliseconds / 1_000

/** Records the metrics of a claim that got a response. */
const countClaim = ({
  answeredAt,
  sentAt,
  claimed: { jobs, now },
  capacity: { lanes }
}: AnsweredClaim): Effect.Effect<void> =>
  Effect.gen(function* () {
    yield* coreMetrics.claims.record({ outcome: jobs.length > 0 ? "work" : "empty" })
    yield* coreMetrics.claimDuration.record({}, Number(answeredAt - sentAt) / 1e9)
    if (jobs.length > 0) yield* coreMetrics.jobsClaimed.record({}, jobs.length)
    yield* coreMetrics.lanesFull.record({}, fullLanes(lanes).length)
    yield* coreMetrics.lastClaim.record({}, secondsOf(now))
  })

/** Counts a failed claim. */
const countFailedClaim: Effect.Effect<void> = coreMetrics.claims.record({
  outcome: "failed"
})

/**
 * Drains the worker of a process, if there is one, when the layer ends. The layer that was built
 * last ends first, so build this layer on top of all others, because they may take long to end.
 */
export const drainFirst: Layer.Layer<never> = Layer.effectDiscard(
  Effect.flatMap(Effect.serviceOption(Worker), (worker) =>
    Option.match(worker, {
      onNone: () => Effect.void,
      onSome: ({ drain }) => Effect.addFinalizer(() => drain)
    })
  )
)
