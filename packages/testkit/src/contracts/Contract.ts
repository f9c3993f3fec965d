/**
 * A contract: the promises of a port as cases, each an effect that fails when one is not kept.
 * Nothing here knows a test runner; `Vitest.ts` is the glue for one.
 *
 * Every case gets a store of its own: its layer is built anew and must begin empty.
 */
import type { WorkspaceStore } from "@verbatim/core/ports"
import { Array, Context, DateTime, Duration, Effect, Exit, Layer, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { foundFirst, instant } from "../samples/SampleWorkspace.ts"

/** One promise, and how to see whether it is kept. */
export interface Case<out Ports> {
  /** A sentence in the present; its subject is the port. */
  readonly title: string
  readonly effect: Effect.Effect<void, unknown, Ports | Scope.Scope>
}

/** Cases of a port. */
export type Cases<Ports> = ReadonlyArray<Case<Ports>>

/** A promise: an effect, or its steps, which are given the port. */
type Promised<Service, Ports> =
  | Case<Ports>["effect"]
  | ((service: Service) => Generator<Effect.Effect<unknown, unknown, Ports | Scope.Scope>, void>)

/** The cases of a port: promises by their titles. */
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

/** The same of a store in which the first workspace was founded. */
export const workspaceCases = <Port, Service, Ports>(
  port: Context.Key<Port, Service>,
  promises: Readonly<Record<string, Promised<Service, NoInfer<Ports> | Port | WorkspaceStore>>>
): Cases<Ports | Port | WorkspaceStore> =>
  listCases<Port, Service, Ports | Port | WorkspaceStore>(port, promises).map(
    ({ effect, title }) => ({ title, effect: Effect.andThen(foundFirst, effect) })
  )

/** All promises of a port. */
export interface Contract<out Ports> {
  /** The name of the port. */
  readonly port: string
  readonly cases: Cases<Ports>
  /** For ports whose adapters run in real time, such as engines: how time passes for them. */
  readonly advance?: Advance<never>
}

/** Lets time pass for the adapter under test. */
export type Advance<R> = (duration: Duration.Duration) => Effect.Effect<void, unknown, R>

/** The adapter under test. */
export interface Subject<Ports> {
  /** Built anew, and empty, for each case. */
  readonly layer: Layer.Layer<Ports, unknown>
  /**
   * For an adapter whose time is not Effect's `Clock`, for example because a server keeps it: makes
   * everything stored that much older. Without it the cases run under a `TestClock`.
   */
  readonly advance?: Advance<Ports> | undefined
}

class Passage extends Context.Service<Passage, Advance<never>>()(
  "@verbatim/testkit/contracts/Passage"
) {}

/** Lets time pass, the way the adapter under test needs it. */
export const advance = (duration: Duration.Duration): Effect.Effect<void, unknown> =>
  Effect.flatMap(Effect.serviceOption(Passage), (passage) =>
    passage._tag === "Some" ? passage.value(duration) : TestClock.adjust(duration)
  )

/** Runs an effect for each of many, all at the same time. */
export const atOnce = <A, B, E, R>(
  many: ReadonlyArray<A>,
  one: (each: A, index: number) => Effect.Effect<B, E, R>
): Effect.Effect<Array<B>, E, R> => Effect.forEach(many, one, { concurrency: "unbounded" })

/** The same where only some succeed: those, their answers, and why the others were refused. */
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

/** How many turns an effect needs to end once its time is over. */
const grace = Duration.millis(500)

/**
 * Whether an effect ends before a timer that was started with it, plus a little. Both are in one
 * process, so a busy machine delays them alike.
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
 * The largest case, a transcript of 20 MB, takes 0.7 s with SQLite on two cores, and many times as
 * long when six others want these.
 */
export const caseTimeMax = Duration.minutes(5)

const testTime = Layer.effectDiscard(TestClock.setTime(DateTime.toEpochMillis(instant))).pipe(
  Layer.provideMerge(TestClock.layer())
)

const ownTime = <R>(pass: Advance<R>): Layer.Layer<Passage, never, R> =>
  Layer.effect(
    Passage,
    Effect.map(
      Effect.context<R>(),
      (context) => (duration) => Effect.provideContext(pass(duration), context)
    )
  )

/** Runs one case on a new build of the adapter. It fails when the promise is not kept. */
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

/** A case that failed, and why. */
export interface Broken {
  readonly title: string
  readonly exit: Exit.Failure<void, unknown>
}

/** Runs every case, one after the other, and reports which promises the adapter does not keep. */
export const findBroken = <Ports, R>(
  { advance, cases }: Contract<Ports>,
  subject: Subject<Ports | R>
): Effect.Effect<ReadonlyArray<Broken>> =>
  Effect.map(
    Effect.forEach(cases, (each) =>
      Effect.map(Effect.exit(run(each, { advance, ...subject })), (exit) => ({
        title: each.title,
        exit
      }))
    ),
    (outcomes) =>
      outcomes.flatMap(({ exit, title }) => (Exit.isFailure(exit) ? [{ title, exit }] : []))
  )
