/**
 * A contract lists a port's guarantees as cases. Each case is an effect that fails if its guarantee
 * is broken. Only `Vitest.ts` depends on a test runner.
 *
 * Every case runs on a newly built layer, which must start empty.
 */
import type { WorkspaceStore } from "@verbatim/core/ports"
import { Array, Context, DateTime, Duration, Effect, Layer, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { foundFirst, instant } from "../samples/SampleWorkspace.ts"

/** One guarantee and its test. */
export interface Case<out Ports> {
  /** A sentence in the present tense, with the port as its subject. */
  readonly title: string
  readonly effect: Effect.Effect<void, unknown, Ports | Scope.Scope>
}

/** The test cases in a port's contract. */
export type Cases<Ports> = ReadonlyArray<Case<Ports>>

/**
 * A test of one guarantee: an effect, or a generator function that receives the port and yields
 * steps.
 */
type Promised<Service, Ports> =
  | Case<Ports>["effect"]
  | ((service: Service) => Generator<Effect.Effect<unknown, unknown, Ports | Scope.Scope>, void>)

/** Creates the cases for a port from tests keyed by their titles. */
export const listCases = <Port extends Ports, Service, Ports>(
  port: Context.Key<Port, Service>,
  promises: Readonly<Record<string, Promised<Service, NoInfer<Ports>>>>
): Cases<Ports> =>
  Object.entries(promises).map(([title, promise]) => ({
    title,
    effect:
      typeof promise === "function"
        ? Effect.flatMap(port, (service) => Effect.gen(() => promise(service)))
        : promise
  }))

/** Creates cases in which the store starts with one workspace. */
export const workspaceCases = <Port, Service, Ports>(
  port: Context.Key<Port, Service>,
  promises: Readonly<Record<string, Promised<Service, NoInfer<Ports> | Port | WorkspaceStore>>>
): Cases<Ports | Port | WorkspaceStore> =>
  listCases<Port, Service, Ports | Port | WorkspaceStore>(port, promises).map(
    ({ effect, title }) => ({ title, effect: Effect.andThen(foundFirst, effect) })
  )

/** A port's name, with a case for each of its guarantees. */
export interface Contract<out Ports> {
  readonly port: string
  readonly cases: Cases<Ports>
  /** Advances time for a port with adapters that run in real time, such as engines. */
  readonly advance?: Advance<never>
}

/** Advances time for the adapter under test. */
export type Advance<R> = (duration: Duration.Duration) => Effect.Effect<void, unknown, R>

/** The adapter under test. */
export interface Subject<Ports> {
  /** The adapter's layer, which is built for each case and initially empty. */
  readonly layer: Layer.Layer<Ports, unknown>
  /**
   * Ages all stored data by a duration. Needed only for an adapter that does not use Effect's
   * `Clock`, such as a database with its own clock; other adapters run under a `TestClock`.
   */
  readonly advance?: Advance<Ports> | undefined
}

class AdvanceTime extends Context.Service<AdvanceTime, Advance<never>>()(
  "@verbatim/testkit/contracts/Passage"
) {}

/** Advances time in the way that the adapter under test needs. */
export const advance = (duration: Duration.Duration): Effect.Effect<void, unknown> =>
  Effect.flatMap(Effect.serviceOption(AdvanceTime), (passage) =>
    passage._tag === "Some" ? passage.value(duration) : TestClock.adjust(duration)
  )

/** Runs an effect for each element, concurrently. */
export const atOnce = <A, B, E, R>(
  many: ReadonlyArray<A>,
  one: (each: A, index: number) => Effect.Effect<B, E, R>
): Effect.Effect<Array<B>, E, R> => Effect.forEach(many, one, { concurrency: "unbounded" })

/**
 * Runs an effect for each element, concurrently. Returns the elements that succeeded, their
 * results, and the reasons why the other elements were refused.
 */
export const race = <A, B, E extends { readonly reason: { readonly _tag: string } }, R>(
  many: ReadonlyArray<A>,
  one: (each: A, index: number) => Effect.Effect<B, E, R>
) =>
  Effect.map(
    atOnce(many, (each, index) => Effect.result(one(each, index))),
    (outcomes) => ({
      winners: many.filter((_, index) => outcomes[index]?._tag === "Success"),
      answers: Array.getSuccesses(outcomes),
      refused: Array.dedupe(
        Array.map(Array.getFailures(outcomes), ({ reason }): string => reason._tag)
      )
    })
  )

/** The time by which an effect may exceed its limit on a busy machine. */
const grace = Duration.millis(500)

/**
 * Returns whether an effect ends within its time limit plus a margin. The effect and its timer run
 * in the same process, so a busy machine delays both.
 */
export const endsWithin = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  limit: Duration.Duration
): Effect.Effect<boolean, never, R> =>
  Effect.raceFirst(
    Effect.as(Effect.exit(effect), true),
    Effect.sleep(limit).pipe(Effect.andThen(Effect.sleep(grace)), Effect.as(false))
  )

/**
 * Time limit for a case. The longest case, with a 20 MB transcript, takes 0.7 s with SQLite on two
 * cores, and many times as long when six other cases run at the same time.
 */
export const caseTimeMax = Duration.minutes(5)

const testTime = Layer.effectDiscard(TestClock.setTime(DateTime.toEpochMillis(instant))).pipe(
  Layer.provideMerge(TestClock.layer())
)

const ownTime = <R>(pass: Advance<R>): Layer.Layer<AdvanceTime, never, R> =>
  Layer.effect(
    AdvanceTime,
    Effect.map(
      Effect.context<R>(),
      (context) => (duration) => Effect.provideContext(pass(duration), context)
    )
  )

/** Runs one case on a newly built adapter; fails if the guarantee is broken. */
export const run = <Ports, R>(
  { effect }: Case<Ports>,
  { advance, layer }: Subject<Ports | R>
): Effect.Effect<void, unknown> => {
  const scoped = Effect.scoped(effect)
  const timed =
    advance === undefined
      ? scoped.pipe(
          Effect.provide(layer, { local: true }),
          Effect.provide(testTime, { local: true })
        )
      : scoped.pipe(Effect.provide(Layer.provideMerge(ownTime(advance), layer), { local: true }))
  return Effect.timeout(timed, caseTimeMax)
}
