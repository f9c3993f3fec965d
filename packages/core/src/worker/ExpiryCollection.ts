/**
 * Takes from old jobs what is kept no longer, beside the work on jobs. One process at a time has
 * the turn: it goes round the workspaces, some steps for each, until nothing is left to do.
 */
import { Cause, Clock, DateTime, Duration, Effect, Layer, Option, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { firstPlace } from "../domain/job/Expiry.ts"
import type { Workspace, WorkspaceId } from "../domain/workspace/Workspace.ts"
import { JobStore, type JobStoreError } from "../ports/JobStore.ts"
import { RetentionStore } from "../ports/RetentionStore.ts"
import { WorkspaceStore } from "../ports/WorkspaceStore.ts"
import { Expiries } from "../services/retention/Expiries.ts"
import * as StoreClock from "./StoreClock.ts"

/** Between two questions for the turn: one small statement each. */
const askInterval = Duration.minutes(15)

/** Between the end of a round and the next one, of any process. Rules count days. */
const roundPause = Duration.hours(1)

/** How long a turn is held without a word: longer than a visit takes. */
const hold = Duration.minutes(15)

/** How long a store may take over one answer: anything longer would put an end to all looks. */
const answerTimeout = Duration.seconds(30)

/** Steps for a workspace before the next one has its turn. */
const visitMax = 20

/** Between two steps: the database has other things to do. */
const restMin = Duration.millis(50)
const restMax = Duration.seconds(10)

/**
 * How much longer than a step the rest after it is: a slow database is asked less often, and this
 * takes a fifth of one session at most.
 */
const restShare = 4

/** Workspaces that are read at a time. */
const workspaceMax = 100

/**
 * How long the clock of the store and the monotonic one of this process agree before anything is
 * removed by them: removal cannot be undone, and a clock that is wrong at the start is soon set.
 */
const steadyTime = Duration.hours(1)

/** Reads the clock of the store, and says whether it may be trusted with removals. */
const makeMayRemove = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const store = yield* JobStore
  let known: StoreClock.StoreClock | undefined
  return Effect.gen(function* () {
    const askedAt = clock.monotonicTimeNanosUnsafe()
    const now = yield* Effect.timeout(store.now, answerTimeout)
    const answeredAt = clock.monotonicTimeNanosUnsafe()
    const seen = { askedAt, answeredAt, storeMillis: DateTime.toEpochMillis(now) }
    known =
      known === undefined
        ? StoreClock.first(seen, clock.currentTimeMillisUnsafe())
        : StoreClock.look(known, seen)
    return StoreClock.isSteady(known, { now: answeredAt, time: steadyTime })
  })
})

/** Takes some steps for a workspace, and says whether more is left. */
const makeVisit = Effect.fnUntraced(function* (
  mayRemove: Effect.Effect<boolean, Cause.TimeoutError | JobStoreError>
) {
  const clock = yield* Clock.Clock
  const { step } = yield* Expiries

  const visit = Effect.fnUntraced(function* (workspace: Workspace) {
    let place = Option.some(firstPlace)
    for (let steps = 0; steps < visitMax && Option.isSome(place); steps += 1) {
      // A clock may be set while a round is under way.
      if (!(yield* mayRemove)) return false
      const begunAt = clock.monotonicTimeNanosUnsafe()
      place = yield* step(workspace, place.value)
      const took = Duration.nanos(clock.monotonicTimeNanosUnsafe() - begunAt)
      const rest = Duration.clamp(Duration.times(took, restShare), {
        minimum: restMin,
        maximum: restMax
      })
      yield* Effect.sleep(rest)
    }
    return Option.isSome(place)
  })

  /** A workspace of which nothing can go now holds up none of the others. */
  return (workspace: Workspace) =>
    Effect.catchCause(visit(workspace), (cause) =>
      Cause.hasInterrupts(cause)
        ? Effect.interrupt
        : Effect.as(
            Effect.logWarning(`Old jobs of workspace ${workspace.id} stay for now`, cause),
            false
          )
    )
})

/** The workspaces that have a rule. */
const makeRuled = Effect.gen(function* () {
  const { ruleOf } = yield* Expiries
  const workspaces = yield* WorkspaceStore
  // What a deleted one has goes another way.
  const isRuled = (workspace: Workspace) =>
    (workspace._tag === "Active" || workspace._tag === "Disabled") &&
    Option.isSome(ruleOf(workspace))
  const read = (after: WorkspaceId | null) =>
    Effect.timeout(workspaces.accounts({ after, limit: workspaceMax }), answerTimeout)
  return Stream.paginate(null as WorkspaceId | null, (after) =>
    Effect.map(read(after), (page) => {
      const last = page.length < workspaceMax ? undefined : page.at(-1)
      const ruled = page.map(({ workspace }) => workspace).filter(isRuled)
      return [ruled, Option.fromUndefinedOr(last?.workspace.id)] as const
    })
  )
})

/**
 * Asks for the turn once the clock is steady, and visits each workspace once if it gets it.
 * `false` when more is left.
 */
const makeLook = Effect.gen(function* () {
  const ruled = yield* makeRuled
  const mayRemove = yield* makeMayRemove
  const visit = yield* makeVisit(mayRemove)
  const store = yield* RetentionStore
  const random = yield* SecureRandom.SecureRandom
  const holder = yield* random.uuidV4()
  const takeTurn = Effect.timeout(store.takeTurn({ holder, hold }), answerTimeout)

  return Effect.gen(function* () {
    // The turn is for processes that can use it.
    if (!(yield* mayRemove)) return true
    if (!(yield* takeTurn)) return true
    const hasMore = yield* ruled.pipe(
      Stream.mapEffect((workspace) =>
        Effect.flatMap(takeTurn, (isMine) => (isMine ? visit(workspace) : Effect.succeed(false)))
      ),
      Stream.runFold(
        () => false,
        (left, isLeft) => left || isLeft
      )
    )
    const pause = hasMore ? Duration.zero : roundPause
    yield* Effect.timeout(store.passTurn({ holder, pause }), answerTimeout)
    return !hasMore
  }).pipe(
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.interrupt
        : Effect.as(Effect.logWarning("Old jobs stay for now", cause), true)
    )
  )
})

/**
 * Looks at the start, and again and again, and removes from the second hour on. Any number of
 * processes may do so side by side.
 */
export const layer: Layer.Layer<
  never,
  never,
  Expiries | JobStore | RetentionStore | SecureRandom.SecureRandom | WorkspaceStore
> = Layer.effectDiscard(
  Effect.gen(function* () {
    const look = yield* makeLook
    yield* look.pipe(
      Effect.flatMap((isDone) => Effect.sleep(isDone ? askInterval : restMax)),
      Effect.forever,
      Effect.forkScoped
    )
  })
)
