/**
 * Deletes the expired parts of old jobs in the background. One process at a time holds the lock and
 * visits the workspaces in rounds. It takes a few steps in each, until there is nothing left to do.
 */
import { Cause, Clock, DateTime, Duration, Effect, Layer, Option, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { type SweepPosition, sweepStart } from "../domain/job/Expiry.ts"
import type { Workspace, WorkspaceId } from "../domain/workspace/Workspace.ts"
import { JobStore, type JobStoreError } from "../ports/JobStore.ts"
import { RetentionStore } from "../ports/RetentionStore.ts"
import { type Account, WorkspaceStore } from "../ports/WorkspaceStore.ts"
import { Expiries } from "../services/retention/Expiries.ts"
import * as StoreClock from "./StoreClock.ts"

/** Time between two attempts to get the lock. Each attempt executes one small statement. */
const lockInterval = Duration.minutes(15)

/**
 * Time between the end of a round and the start of the next one, in any process. It can be long,
 * because retention rules count in days.
 */
const roundPause = Duration.hours(1)

/** How long the lock is held without renewal, which is longer than a visit takes. */
const lockDuration = Duration.minutes(15)

/** Maximum time for a response from a store. A hanging store would otherwise stop all rounds. */
const answerTimeout = Duration.seconds(30)

/** Number of steps that are taken in a workspace before the next workspace is visited. */
const visitMax = 5

/**
 * Maximum number of visits in a round: enough for a million jobs. More visits follow immediately,
 * in the next round.
 */
const roundMax = 2_000

/** Pause between two steps, in which the database can do other work. */
const restMin = Duration.millis(50)
const restMax = Duration.seconds(10)

/**
 * The pause after a step, as a multiple of the step's duration. A slow database is thus queried
 * less often, and the steps take at most a fifth of one session's time.
 */
const restShare = 4

/** Number of workspaces that are read at a time. */
const workspaceMax = 100

/**
 * Maximum number of workspaces that are remembered for another visit in the same round, which takes
 * less than a megabyte. If there are more, the next round begins with the workspaces after them.
 */
const leftMax = 1_000

/**
 * How long the store's clock and this process's monotonic clock must agree before anything is
 * removed. A removal cannot be undone, and a clock that is wrong at first is soon corrected.
 */
const steadyTime = Duration.hours(1)

/** Creates an effect that reads the store's clock, and returns whether removals can rely on it. */
const makeMayRemove = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const store = yield* JobStore
  const storeClock = StoreClock.watch(clock)
  return Effect.gen(function* () {
    const sentAt = clock.monotonicTimeNanosUnsafe()
    const now = yield* Effect.timeout(store.now, answerTimeout)
    const answeredAt = clock.monotonicTimeNanosUnsafe()
    storeClock.observe({ sentAt, answeredAt, storeMillis: DateTime.toEpochMillis(now) })
    return storeClock.isSteady(steadyTime)
  })
})

/** A visit to a workspace, with the position at which it begins. */
interface Visit {
  readonly workspace: Workspace
  readonly position: SweepPosition
}

/**
 * Creates a function that visits a workspace. It takes a few steps, and returns the next visit, or
 * none if nothing is left to do.
 */
const makeVisit = Effect.fnUntraced(function* (
  mayRemove: Effect.Effect<boolean, Cause.TimeoutError | JobStoreError>
) {
  const clock = yield* Clock.Clock
  const { step } = yield* Expiries

  const visit = Effect.fnUntraced(function* ({ position: first, workspace }: Visit) {
    let position = Option.some(first)
    for (let steps = 0; steps < visitMax && Option.isSome(position); steps += 1) {
      // The clock is checked again, because it can be set during a round.
      if (!(yield* mayRemove)) return Option.none()
      const begunAt = clock.monotonicTimeNanosUnsafe()
      position = yield* step(workspace, position.value)
      const took = Duration.nanos(clock.monotonicTimeNanosUnsafe() - begunAt)
      const rest = Duration.clamp(Duration.times(took, restShare), {
        minimum: restMin,
        maximum: restMax
      })
      yield* Effect.sleep(rest)
    }
    return Option.map(position, (next): Visit => ({ workspace, position: next }))
  })

  /** Visits a workspace. If the visit fails, it does not block the others. */
  return (each: Visit) =>
    Effect.catchCause(visit(each), (cause) =>
      Cause.hasInterrupts(cause)
        ? Effect.interrupt
        : Effect.as(
            Effect.logWarning(
              `Old jobs of workspace ${each.workspace.id} could not be removed yet`,
              cause
            ),
            Option.none<Visit>()
          )
    )
})

/** The workspaces that still have expired data after a round. */
interface Remaining {
  readonly visits: Array<Visit>
  /** Whether all workspaces that still have expired data are remembered. */
  isAll: boolean
}

/**
 * Creates a function that lists visits to all workspaces with a retention rule, in order of id:
 * first those after a given workspace, then the others. Each visit begins at the first position.
 */
const makeVisits = Effect.gen(function* () {
  const { ruleOf } = yield* Expiries
  const workspaces = yield* WorkspaceStore
  // `workspaceCollection` removes the data of deleted workspaces.
  const isRuled = (workspace: Workspace) =>
    (workspace._tag === "Active" || workspace._tag === "Disabled") &&
    Option.isSome(ruleOf(workspace))
  const read = (after: WorkspaceId | null) =>
    Effect.timeout(workspaces.accounts({ after, limit: workspaceMax }), answerTimeout)
  const follow = (first: WorkspaceId | null) =>
    Stream.paginate(first, (after) =>
      Effect.map(read(after), (page) => {
        const last = page.length < workspaceMax ? undefined : page.at(-1)
        return [page, Option.fromUndefinedOr(last?.workspace.id)] as const
      })
    )
  return (after: WorkspaceId | null) => {
    const upTo = ({ workspace }: Account) => after !== null && workspace.id <= after
    return Stream.concat(follow(after), Stream.takeWhile(follow(null), upTo)).pipe(
      Stream.filter(({ workspace }) => isRuled(workspace)),
      Stream.map(({ workspace }): Visit => ({ workspace, position: sweepStart }))
    )
  }
})

/**
 * Creates an effect that runs a round: it acquires the lock once the clock is steady, and visits
 * the workspaces. It returns false if there is more to do.
 */
const makeRound = Effect.gen(function* () {
  const visitsAfter = yield* makeVisits
  const mayRemove = yield* makeMayRemove
  const visit = yield* makeVisit(mayRemove)
  const store = yield* RetentionStore
  const random = yield* SecureRandom.SecureRandom
  const holder = yield* random.uuidV4()
  const acquireLock = Effect.timeout(
    store.acquireLock({ holder, hold: lockDuration }),
    answerTimeout
  )

  /**
   * Visits all workspaces once, while this process holds the lock, and returns those that still
   * have expired data.
   */
  const visitAll = <E>(visits: Stream.Stream<Visit, E>) =>
    visits.pipe(
      Stream.mapEffect((each) =>
        Effect.flatMap(acquireLock, (isMine) =>
          isMine ? visit(each) : Effect.succeed(Option.none<Visit>())
        )
      ),
      Stream.runFold(
        (): Remaining => ({ visits: [], isAll: true }),
        (remaining, next) => {
          if (Option.isNone(next)) return remaining
          if (remaining.visits.length < leftMax) remaining.visits.push(next.value)
          else remaining.isAll = false
          return remaining
        }
      )
    )

  /**
   * The workspace after which the next round begins: the last one that the previous round
   * remembered.
   */
  let begin: WorkspaceId | null = null

  return Effect.gen(function* () {
    // Only a process that can remove data acquires the lock.
    if (!(yield* mayRemove)) return true
    if (!(yield* acquireLock)) return true
    const first = yield* visitAll(visitsAfter(begin))
    begin = first.isAll ? null : (first.visits.at(-1)?.workspace.id ?? null)
    let remaining: ReadonlyArray<Visit> = first.visits
    for (let visits = 0; remaining.length > 0 && visits < roundMax; visits += remaining.length) {
      remaining = (yield* visitAll(Stream.fromIterable(remaining))).visits
    }
    const isDone = remaining.length === 0 && first.isAll
    const pause = isDone ? roundPause : Duration.zero
    yield* Effect.timeout(store.releaseLock({ holder, pause }), answerTimeout)
    return isDone
  }).pipe(
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.interrupt
        : Effect.as(Effect.logWarning("Old jobs could not be removed yet", cause), true)
    )
  )
})

/**
 * Runs rounds from the start, one after the other, and removes data only from the second hour on.
 * Any number of processes can run rounds concurrently.
 */
export const layer: Layer.Layer<
  never,
  never,
  Expiries | JobStore | RetentionStore | SecureRandom.SecureRandom | WorkspaceStore
> = Layer.effectDiscard(
  Effect.gen(function* () {
    const look = yield* makeRound
    yield* look.pipe(
      Effect.flatMap((isDone) => Effect.sleep(isDone ? lockInterval : restMax)),
      Effect.forever,
      Effect.forkScoped
    )
  })
)
