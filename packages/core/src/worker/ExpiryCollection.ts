/**
 * Takes from old jobs what is kept no longer, beside the work on jobs. One process at a time has
 * the turn: it goes round the workspaces, some steps for each, until nothing is left to do.
 */
import { Cause, Clock, DateTime, Duration, Effect, Layer, Option, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { firstPlace, type RoundPlace } from "../domain/job/Expiry.ts"
import type { Workspace, WorkspaceId } from "../domain/workspace/Workspace.ts"
import { JobStore, type JobStoreError } from "../ports/JobStore.ts"
import { RetentionStore } from "../ports/RetentionStore.ts"
import { type Account, WorkspaceStore } from "../ports/WorkspaceStore.ts"
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
const visitMax = 5

/** Visits of a look: a million jobs. What is left then follows in the next, at once. */
const roundMax = 2_000

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
 * Workspaces that are visited again in the same look: under a megabyte. Of more than these, the
 * next look remembers those that follow.
 */
const leftMax = 1_000

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

/** How far a workspace has come in this round. */
interface Visit {
  readonly workspace: Workspace
  readonly place: RoundPlace
}

/** Visits a workspace: takes some steps, and says how far it came; none when nothing is left. */
const makeVisit = Effect.fnUntraced(function* (
  mayRemove: Effect.Effect<boolean, Cause.TimeoutError | JobStoreError>
) {
  const clock = yield* Clock.Clock
  const { step } = yield* Expiries

  const visit = Effect.fnUntraced(function* ({ place: first, workspace }: Visit) {
    let place = Option.some(first)
    for (let steps = 0; steps < visitMax && Option.isSome(place); steps += 1) {
      // A clock may be set while a round is under way.
      if (!(yield* mayRemove)) return Option.none()
      const begunAt = clock.monotonicTimeNanosUnsafe()
      place = yield* step(workspace, place.value)
      const took = Duration.nanos(clock.monotonicTimeNanosUnsafe() - begunAt)
      const rest = Duration.clamp(Duration.times(took, restShare), {
        minimum: restMin,
        maximum: restMax
      })
      yield* Effect.sleep(rest)
    }
    return Option.map(place, (next): Visit => ({ workspace, place: next }))
  })

  /** A workspace of which nothing can go now holds up none of the others. */
  return (each: Visit) =>
    Effect.catchCause(visit(each), (cause) =>
      Cause.hasInterrupts(cause)
        ? Effect.interrupt
        : Effect.as(
            Effect.logWarning(`Old jobs of workspace ${each.workspace.id} stay for now`, cause),
            Option.none<Visit>()
          )
    )
})

/** The workspaces of which a round left something. */
interface Left {
  readonly visits: Array<Visit>
  /** `false` when there are more than these. */
  isAll: boolean
}

/**
 * The workspaces that have a rule, each at its beginning: in the order of their ids, first those
 * that follow one, then the others.
 */
const makeRuled = Effect.gen(function* () {
  const { ruleOf } = yield* Expiries
  const workspaces = yield* WorkspaceStore
  // What a deleted one has goes another way.
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
      Stream.map(({ workspace }): Visit => ({ workspace, place: firstPlace }))
    )
  }
})

/**
 * Asks for the turn once the clock is steady, and goes round the workspaces if it gets it.
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

  /** Visits all of them once, as long as it has the turn, and says which have more. */
  const goRound = <E>(visits: Stream.Stream<Visit, E>) =>
    visits.pipe(
      Stream.mapEffect((each) =>
        Effect.flatMap(takeTurn, (isMine) =>
          isMine ? visit(each) : Effect.succeed(Option.none<Visit>())
        )
      ),
      Stream.runFold(
        (): Left => ({ visits: [], isAll: true }),
        (left, next) => {
          if (Option.isNone(next)) return left
          if (left.visits.length < leftMax) left.visits.push(next.value)
          else left.isAll = false
          return left
        }
      )
    )

  /** Where the next look begins: behind those that this process remembered in the last one. */
  let begin: WorkspaceId | null = null

  return Effect.gen(function* () {
    // The turn is for processes that can use it.
    if (!(yield* mayRemove)) return true
    if (!(yield* takeTurn)) return true
    const first = yield* goRound(ruled(begin))
    begin = first.isAll ? null : (first.visits.at(-1)?.workspace.id ?? null)
    let left: ReadonlyArray<Visit> = first.visits
    for (let visits = 0; left.length > 0 && visits < roundMax; visits += left.length) {
      left = (yield* goRound(Stream.fromIterable(left))).visits
    }
    const isDone = left.length === 0 && first.isAll
    const pause = isDone ? roundPause : Duration.zero
    yield* Effect.timeout(store.passTurn({ holder, pause }), answerTimeout)
    return isDone
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
