/**
 * Runs one attempt of a claimed job, from the claim to the commit that ends it: begin, run, commit.
 * No work starts before the commit that counts the attempt is acknowledged, and a worker without a
 * lease commits nothing.
 */
import { Clock, DateTime, Deferred, Duration, Effect, Exit, Option, Semaphore } from "effect"
import { SecureRandom } from "effect/crypto"
import type { JobId } from "../domain/attempt/Attempt.ts"
import { Failure } from "../domain/attempt/Failure.ts"
import { RetryPolicies } from "../domain/attempt/Verdict.ts"
import { isNotification, type Task } from "../domain/attempt/Work.ts"
import { DeliveryId, frozenOf, type KeptBody } from "../domain/delivery/Delivery.ts"
import * as AttemptEvents from "../domain/job/AttemptEvents.ts"
import type { AttemptUnderway } from "../domain/job/CurrentStep.ts"
import { type Job, pendingWork } from "../domain/job/Job.ts"
import { JobEvent } from "../domain/job/JobEvent.ts"
import type { JobStoreError } from "../ports/JobStore.ts"
import { type LeaseToken, leaseDuration } from "../ports/WorkQueue.ts"
import { type Change, makeCommit } from "../services/jobs/Commits.ts"
import { makeDeliver, makePrepare, type Prepared } from "../services/tasks/Deliveries.ts"
import { makeNotify } from "../services/tasks/Notices.ts"
import { makeSummarize } from "../services/tasks/Summaries.ts"
import type { KeptPiece, Outcome, TaskContext } from "../services/tasks/TaskContext.ts"
import { makeFetch, makeTranscribe } from "../services/tasks/Transcriptions.ts"
import {
  type AttemptExit,
  afterLoss,
  bodyChange,
  closeAttempt,
  countEnd,
  countOpening,
  Ending,
  failureIn,
  isInterrupted,
  makeFailureTally,
  noteEnd,
  noteStart,
  toLogLine,
  traceAttempt
} from "./AttemptEnd.ts"
import { culpritOf } from "./Circuits.ts"
import { type Hold, LeaseLost, makeHold, trustDuration } from "./Leases.ts"
import { makeClean } from "./MediaCollection.ts"

/** A job that `WorkQueue.claim` returned. */
export interface ClaimedJob {
  readonly job: Job
  readonly token: LeaseToken
  /** The time of the claim, on the store's clock. */
  readonly now: DateTime.Utc
  /** The monotonic timestamp just before the claim was sent. */
  readonly sentAt: bigint
  /** An effect that completes when the attempt can begin. */
  readonly ready: Effect.Effect<void>
}

const nanosPerMilli = 1_000_000n

/** Maximum time for releasing an attempt when the worker stops. A stop takes at most 15 s. */
const releaseTimeout: Duration.Duration = Duration.seconds(5)

/**
 * How long a commit may continue once the lease is no longer trusted, because the commit itself may
 * have ended the lease. The commit is abandoned a second before the lease can lapse.
 */
const settleDuration = Duration.subtract(
  Duration.subtract(leaseDuration, trustDuration),
  Duration.seconds(1)
)

/** Creates the functions that run the attempts of a worker, and count its failures. */
export const makeAttempts = Effect.gen(function* () {
  const hold = yield* makeHold
  const tally = makeFailureTally()
  const run = yield* makeRun({ clean: yield* makeClean, own: makeOwnAttempts(), tally })

  /**
   * Runs one attempt of a claimed job. The effect never fails: a problem is committed, or left
   * to the next claim. Interruption releases the attempt.
   */
  const attempt = Effect.fnUntraced(
    function* (claimed: ClaimedJob) {
      const lease = { jobId: claimed.job.id, token: claimed.token }
      return yield* run(claimed, yield* hold(lease, claimed.sentAt))
    },
    Effect.scoped,
    Effect.uninterruptible,
    Effect.catchCause((cause) =>
      Effect.as(
        Effect.logWarning("The end of an attempt was not recorded: the next claim decides", cause),
        Ending.Unjudged()
      )
    ),
    (effect, { job }) => Effect.annotateLogs(traceAttempt(job, effect), { job: job.id })
  )

  /** Counts of the tasks that this worker gave up on in the last hour. */
  const failures = Effect.map(DateTime.now, tally.counts)

  return { attempt, failures }
})

/** The parts that all attempts of a worker share. */
interface Memory {
  readonly clean: Effect.Success<typeof makeClean>
  readonly own: ReturnType<typeof makeOwnAttempts>
  readonly tally: ReturnType<typeof makeFailureTally>
}

/**
 * Returns the store's time, or a slightly later one: the time of the claim plus the milliseconds
 * since the claim was sent. Counting from a late response would give too early a time, and a
 * webhook would be sent too soon after the previous one.
 */
const timeOf = ({ sentAt, now }: ClaimedJob, clock: Clock.Clock) =>
  Effect.sync(() => {
    const passed = (clock.monotonicTimeNanosUnsafe() - sentAt) / nanosPerMilli
    return DateTime.addDuration(now, Duration.millis(Number(passed)))
  })

/** An attempt that holds its lease, before its start is written. */
interface ClaimedAttempt {
  readonly claimed: ClaimedJob
  readonly commit: FinishedAttempt["commit"]
  readonly lost: Hold["lost"]
  readonly now: Effect.Effect<DateTime.Utc>
}

/**
 * Creates a function that writes the start of an attempt. If the attempt does not begin, it returns
 * the ending.
 */
const makeBegin = Effect.fnUntraced(function* ({ clean, own, tally }: Memory) {
  const prepareDelivery = yield* makePrepare
  const policies = yield* RetryPolicies

  /** Prepares the body of a delivery's first attempt; other attempts need no preparation. */
  const prepare = Effect.fnUntraced(function* (job: Job) {
    const isDelivery = Option.exists(pendingWork(job), ({ kind }) => kind === "Deliver")
    if (!isDelivery || frozenOf(job.delivery) !== undefined) return undefined
    return yield* prepareDelivery(job)
  })

  /**
   * Returns the events of the first commit after a claim. If an attempt is still running, its
   * worker was lost.
   */
  const openingEvents = ({ job }: ClaimedJob, at: DateTime.Utc, prepared: Prepared | undefined) => {
    const attempt = AttemptEvents.attemptUnderway(job)
    if (attempt === undefined) {
      return AttemptEvents.beginEvents(job, { at, frozen: prepared?.frozen })
    }
    const failure = own.lossOf(job.id, attempt)
    return AttemptEvents.failureEvents(job, {
      at,
      attempt,
      failure,
      policy: policies[attempt.task]
    })
  }

  return Effect.fnUntraced(function* ({ claimed, commit, lost, now }: ClaimedAttempt) {
    const before = yield* Effect.andThen(claimed.ready, prepare(claimed.job)).pipe(
      Effect.raceFirst(lost),
      Effect.interruptible,
      Effect.exit
    )
    if (Exit.isFailure(before)) return Ending.NotBegun({ failure: failureIn(before) })
    const prepared = before.value
    const startedAt = yield* now
    const events = openingEvents(claimed, startedAt, prepared)
    const body = afterLoss(events)
    const interrupted = AttemptEvents.attemptUnderway(claimed.job)
    if (interrupted === undefined) own.begin(claimed.job.id, startedAt)
    const beginning = commit({ job: claimed.job, events, body, at: startedAt })
    const job = yield* Effect.raceFirst(beginning, lost)
    if (interrupted !== undefined) tally.note(interrupted.task, events, startedAt)
    yield* countOpening({ claimed: claimed.job, job, events, at: startedAt })
    yield* clean(claimed.job, job)
    const attempt = AttemptEvents.attemptUnderway(job)
    if (attempt === undefined) {
      own.forget(job.id)
      return Ending.Unjudged()
    }
    yield* noteStart(attempt)
    return { _tag: "Begun" as const, attempt, job, prepared }
  })
})

/** Creates a function that commits the end of an attempt, and logs it. */
const makeEnd = Effect.fnUntraced(function* ({ clean, own, tally }: Memory) {
  const random = yield* SecureRandom.SecureRandom
  const policies = yield* RetryPolicies

  /**
   * Returns the event of a new delivery if the body cannot be sent again unchanged. It is then sent
   * under the new delivery's id.
   */
  const replacementDelivery = Effect.fnUntraced(function* (
    failure: Failure | undefined,
    at: DateTime.Utc
  ) {
    if (failure?._tag !== "BodyChanged") return []
    const id = DeliveryId.make(yield* random.uuidV7())
    const event = { _tag: "RedeliveryRequested" as const, at, id }
    return [JobEvent.cases.Redelivery.make({ event })]
  })

  return Effect.fnUntraced(function* ({
    attempt,
    commit,
    exit,
    job,
    lost,
    now,
    sent
  }: FinishedAttempt) {
    const at = yield* now
    if (Exit.isFailure(exit) && Exit.hasDies(exit)) {
      yield* Effect.logError("An unexpected error ended an attempt", exit.cause)
    }
    const failure = failureIn(exit)
    const change = closeAttempt(job, { at, attempt, exit, policy: policies[attempt.task] })
    if (Option.isNone(change)) return Ending.Unjudged()
    const events = [...change.value.events, ...(yield* replacementDelivery(failure, at))]
    const body = bodyChange(events, { attempt, sent })
    const committed = commit({ ...change.value, events, body, job, at }).pipe(
      Effect.raceFirst(afterGrace(lost))
    )
    // A stopping worker waits only briefly. A lease that it could not release lapses.
    const ended = yield* isInterrupted(exit) ? Effect.timeout(committed, releaseTimeout) : committed
    own.forget(job.id)
    tally.note(attempt.task, events, at)
    yield* countEnd(attempt, { at, exit })
    yield* noteEnd(events, failure)
    yield* logEnd(attempt, { events, failure })
    yield* clean(job, ended)
    if (Exit.isSuccess(exit)) return Ending.Succeeded()
    // A defect says nothing about dependencies, because it may have occurred before any of them was
    // used.
    const isReported = failure !== undefined && !Exit.hasDies(exit)
    return isReported ? Ending.Failed({ failure }) : Ending.Unjudged()
  })
})

/** Creates a function that runs an attempt while its lease is held. */
const makeRun = Effect.fnUntraced(function* (memory: Memory) {
  const writeCommit = yield* makeCommit
  const policies = yield* RetryPolicies
  const clock = yield* Clock.Clock
  const begin = yield* makeBegin(memory)
  const end = yield* makeEnd(memory)

  /** The service that runs each task. Interruption stops the work immediately. */
  const services: Services = {
    Fetch: yield* makeFetch,
    Transcribe: yield* makeTranscribe,
    Summarize: yield* makeSummarize,
    Deliver: yield* makeDeliver,
    Notify: yield* makeNotify
  }

  return Effect.fnUntraced(function* (claimed: ClaimedJob, { lost, note }: Hold) {
    const now = timeOf(claimed, clock)
    const commit = (change: Omit<Change, "token">) =>
      Effect.interruptible(writeCommit({ ...change, token: Option.some(claimed.token) }))
    const begun = yield* begin({ claimed, commit, lost, now })
    if (begun._tag !== "Begun") return begun
    const { attempt, job, prepared } = begun
    const policy = policies[attempt.task]
    const pieces = yield* makePieceCommits({ commit, job, lost, now })
    let sent: KeptBody | undefined
    const onBody = (body: KeptBody) =>
      Effect.sync(() => {
        sent = body
      })

    // No work begins if the lease is already lost.
    const exit = yield* Effect.raceAllFirst([
      lost,
      pieces.lost,
      services[attempt.task]({
        job,
        now,
        onBody,
        onProgress: note,
        keepPiece: pieces.keep,
        prepared: prepared?.body
      }),
      Effect.delay(Effect.fail(policy.overdue), policy.maxDuration)
    ]).pipe(Effect.interruptible, Effect.exit)
    const last = pieces.job()
    const running = AttemptEvents.attemptUnderway(last) ?? attempt
    return yield* end({ attempt: running, commit, exit, job: last, lost, now, sent })
  })
})

/**
 * Creates the functions that commit the pieces of an attempt, one after the other. `lost` never
 * succeeds; it fails if a piece could not be committed. `job` returns the job after the last
 * commit.
 */
const makePieceCommits = Effect.fnUntraced(function* (
  attempt: Pick<FinishedAttempt, "commit" | "job" | "lost" | "now">
) {
  const { commit, lost: leaseLost, now } = attempt
  const lost = yield* Deferred.make<never, LeaseLost>()
  const { withPermit } = Semaphore.makeUnsafe(1)
  let { job } = attempt

  // The write is uninterruptible, because an interruption after the commit would lose the new
  // revision.
  const write = Effect.fnUntraced(function* ({ piece, ...planned }: KeptPiece) {
    const at = yield* now
    const events = AttemptEvents.pieceEvents(job, { at, index: piece.index, ...planned })
    const committed = commit({ job, events, piece, at })
    job = yield* Effect.raceFirst(committed, afterGrace(leaseLost))
  }, Effect.uninterruptible)
  const giveUp = (error: JobStoreError | LeaseLost) => {
    // This is logged only at debug level, because the job was deleted or another worker has it.
    const isSuperseded = error._tag === "JobStoreError" && error.reason._tag === "Superseded"
    const log = isSuperseded ? Effect.logDebug : Effect.logWarning
    return Effect.andThen(
      log("A recognised piece could not be stored", error),
      Deferred.fail(lost, new LeaseLost())
    )
  }
  // After a failure, the outcome of the last commit is unknown, so no more pieces are written.
  const keep = (kept: KeptPiece) =>
    withPermit(
      Effect.suspend(() =>
        Deferred.isDoneUnsafe(lost)
          ? Effect.never
          : Effect.catch(write(kept), (error) => Effect.andThen(giveUp(error), Effect.never))
      )
    )
  return { keep, lost: Deferred.await(lost), job: () => job }
})

/** Fails when a commit must be abandoned because its lease has been lost for too long. */
const afterGrace = (lost: Hold["lost"]) =>
  Effect.catch(lost, (gone) => Effect.delay(Effect.fail(gone), settleDuration))

type Services = Readonly<Record<Task, (assignment: TaskContext) => Effect.Effect<Outcome, Failure>>>

/**
 * Logs the end of an attempt. If a circuit logs the problem for all jobs together, the level is
 * only debug.
 */
const logEnd = (
  attempt: AttemptUnderway,
  ended: { readonly events: ReadonlyArray<JobEvent>; readonly failure: Failure | undefined }
): Effect.Effect<void> => {
  const { failure } = ended
  const line = toLogLine(attempt, ended)
  if (failure === undefined) return Effect.logInfo(line)
  return culpritOf(attempt.task, failure) !== undefined && isPostponed(ended.events)
    ? Effect.logDebug(line)
    : Effect.logWarning(line)
}

const isPostponed = (events: ReadonlyArray<JobEvent>): boolean =>
  events.some(({ event }) => event._tag === "AttemptPostponed")

/** An attempt that has finished its work, with everything needed to commit its end. */
interface FinishedAttempt {
  readonly attempt: AttemptUnderway
  readonly commit: (change: Omit<Change, "token">) => Effect.Effect<Job, JobStoreError>
  readonly exit: AttemptExit<Outcome>
  readonly job: Job
  readonly lost: Hold["lost"]
  readonly now: Effect.Effect<DateTime.Utc>
  /** The webhook body that the attempt sent. */
  readonly sent: KeptBody | undefined
}

/**
 * Number of recent attempts to remember, which is many times the number that run in a process
 * concurrently.
 */
const rememberedMax = 1_000

/** Remembers the attempts that this process began and has not ended in the store yet. */
const makeOwnAttempts = () => {
  const begun = new Map<JobId, DateTime.Utc>()
  return {
    /**
     * Records that the start of an attempt is about to be written. From then on, it may be stored.
     */
    begin: (id: JobId, startedAt: DateTime.Utc) => {
      begun.delete(id)
      begun.set(id, startedAt)
      const [oldest] = begun.keys()
      if (begun.size > rememberedMax && oldest !== undefined) begun.delete(oldest)
    },
    /** Records that the end or the loss of an attempt is written. */
    forget: (id: JobId) => {
      begun.delete(id)
    },
    /**
     * Returns why an attempt lost its worker. If another process ran it, that process is considered
     * dead, because this process cannot see whether the other one died or could not reach the store
     * for the duration of a lease.
     */
    lossOf: (id: JobId, { startedAt, task }: Pick<AttemptUnderway, "startedAt" | "task">) => {
      const own = begun.get(id)
      const isOwn = own !== undefined && DateTime.Equivalence(own, startedAt)
      // The receiver or the listener may have been called, so the attempt counts, no matter which
      // process lost it.
      return isOwn && !isNotification(task)
        ? Failure.cases.StorageFailed.make({ detail: "the lease could not be renewed" })
        : Failure.cases.WorkerLost.make({})
    }
  }
}
