/**
 * Commits events of a job even if responses of the store are lost: the history then shows whether
 * the events were written.
 */
import {
  type DateTime,
  Duration,
  Effect,
  Equal,
  DateTime as Instant,
  identity,
  Option,
  Schedule
} from "effect"
import { applyCommit, isTerminal, isUnderway, type Job, pendingWork } from "../../domain/job/Job.ts"
import type { JobEvent } from "../../domain/job/JobEvent.ts"
import type { Piece } from "../../domain/transcription/Piece.ts"
import { coreMetrics } from "../../metrics/CoreTable.ts"
import { withDeadline } from "../../ports/Deadline.ts"
import {
  type BodyChange,
  type Commit,
  JobStore,
  type JobStoreError,
  type TextRemoval,
  unanswered
} from "../../ports/JobStore.ts"
import { trace } from "../../ports/Trace.ts"
import type { LeaseToken } from "../../ports/WorkQueue.ts"
import type { Outcome } from "../tasks/TaskContext.ts"
/** A change to commit to a job. */
export interface Change extends Partial<Pick<Outcome, "transcript" | "peaks" | "chargeMillis">> {
  readonly job: Job
  /** The lease of a worker; none for a caller's request. */
  readonly token: Option.Option<LeaseToken>
  readonly events: ReadonlyArray<JobEvent>
  readonly at: DateTime.Utc
  readonly body?: Option.Option<BodyChange>
  readonly piece?: Piece
  readonly forgotten?: TextRemoval | undefined
}

/**
 * Maximum number of retries of a commit. With the delays below, they take about six seconds: long
 * enough for a store to restart, and short enough for the lease to still be held.
 */
const retryMax = 5

/**
 * Maximum time for a response from the store, which needs far less, even for the longest
 * transcript. A slower call is considered to hang, because it could otherwise block one of the
 * worker's slots forever.
 */
export const answerTimeout: Duration.Duration = Duration.seconds(10)

const retryDelays = Schedule.exponential(Duration.millis(200))

/**
 * Creates a function that writes a job's events exactly once, however many responses are lost, and
 * returns the resulting job. `Superseded` means that another writer changed the job first, or now
 * holds the lease: the worker then stops and writes nothing more. If the job does not accept the
 * events, which is a bug, the call dies.
 */
export const makeCommit = Effect.map(JobStore, (store) => {
  /**
   * Whether the history contains this commit at its revision. A lease token belongs to one claim,
   * and each caller's request has its own id.
   */
  const isWritten = Effect.fnUntraced(function* ({ events, next, token }: Commit) {
    const history = yield* store.history(next.id)
    const entry = history.find(({ revision }) => revision === next.revision)
    return (
      entry !== undefined && Equal.equals(entry.token, token) && Equal.equals(entry.events, events)
    )
  })

  const write = (commit: Commit) =>
    answerInTime("commit", store.commit(commit)).pipe(
      Effect.catch((error) =>
        Effect.flatMap(answerInTime("history", isWritten(commit)), (isOurs) =>
          isOurs ? Effect.void : Effect.fail(error)
        )
      ),
      Effect.retry({ schedule: retryDelays, times: retryMax, while: isUnavailable }),
      // A worker can write while it holds its lease, but a caller only until a deadline.
      Option.isSome(commit.token)
        ? identity
        : withDeadline({ timeoutError: () => unanswered("commit") })
    )

  return trace("Commits.commit")(function* (change: Change) {
    const next = yield* Effect.fromResult(applyCommit(change.job, change.events)).pipe(Effect.orDie)
    yield* write({
      next,
      events: change.events,
      at: change.at,
      token: change.token,
      work: pendingWork(next),
      isLeaseKept: isUnderway(next),
      transcript: change.transcript ?? Option.none(),
      ...(change.piece === undefined ? {} : { piece: change.piece }),
      ...(change.peaks === undefined ? {} : { peaks: change.peaks }),
      chargeMillis: change.chargeMillis ?? Option.none(),
      body: change.body ?? Option.none(),
      ...(change.forgotten === undefined ? {} : { forgotten: change.forgotten })
    })
    yield* countCommit({
      before: change.job,
      after: next,
      at: change.at,
      chargeMillis: change.chargeMillis ?? Option.none()
    })
    return next
  })
})

/** Waits for a response from the store. A late response counts as lost. */
export const answerInTime = <A>(
  operation: string,
  question: Effect.Effect<A, JobStoreError>
): Effect.Effect<A, JobStoreError> =>
  Effect.timeoutOrElse(question, {
    duration: answerTimeout,
    orElse: () => Effect.fail(unanswered(operation))
  })

const isUnavailable = (error: JobStoreError): boolean => error.reason._tag === "Unavailable"

const webhookOf = ({ delivery }: Job) => {
  if (delivery === null) return "none"
  return delivery._tag === "Delivered" ? "delivered" : "failed"
}

/** Counts an accepted job. */
export const countAccepted = ({ request: { source } }: Job): Effect.Effect<void> =>
  coreMetrics.jobsAccepted.record({ source: source._tag === "Url" ? "url" : "upload" })

/** Counts the end of a job and its charge, if a commit contains them. */
const countCommit = (change: {
  readonly before: Job
  readonly after: Job
  readonly at: DateTime.Utc
  readonly chargeMillis: Option.Option<number>
}): Effect.Effect<void> => {
  const { after, at, before, chargeMillis } = change
  const charged = Option.match(chargeMillis, {
    onNone: () => Effect.void,
    onSome: (millis) => coreMetrics.audioTranscribed.record({}, millis / 1_000)
  })
  if (!isTerminal(after) || isTerminal(before)) return charged
  const transcription = after.transcription._tag === "Failed" ? "failed" : "transcribed"
  const sentAt = after.renewedAt ?? after.acceptedAt
  const seconds = Duration.toSeconds(Instant.distance(sentAt, at))
  return charged.pipe(
    Effect.andThen(coreMetrics.jobsEnded.record({ transcription, webhook: webhookOf(after) })),
    Effect.andThen(coreMetrics.jobDuration.record({ transcription }, Math.max(0, seconds)))
  )
}
