/**
 * One engine in place of another that will not become ready: started only then, and named a
 * stand-in, so that log, health and history show that the better one is missing.
 */
import { Readiness, Transcriber } from "@verbatim/core/ports"
import { Deferred, Duration, Effect, Layer, Option } from "effect"
import { unavailable } from "./Installing.ts"

/** Between two looks at an engine that is being installed. */
const lookInterval = Duration.millis(250)

/** The name of the stand-in. */
const standInName = (engine: string, wanted: string): string => `${engine} (instead of ${wanted})`

/** Its readiness and its results carry the name. */
const standingIn = (inner: Transcriber["Service"], wanted: string): Transcriber["Service"] =>
  Transcriber.of({
    readiness: Effect.map(inner.readiness, (readiness) =>
      readiness._tag === "Ready"
        ? Readiness.cases.Ready.make({ engine: standInName(readiness.engine, wanted) })
        : readiness
    ),
    transcribe: (recognition) =>
      Effect.map(inner.transcribe(recognition), (recognised) => ({
        ...recognised,
        engine: standInName(recognised.engine, wanted)
      }))
  })

/** The first engine, or the second once the first says that it will not become ready. */
export const layer = <R1, R2>(engines: {
  readonly wanted: Layer.Layer<Transcriber, never, R1>
  /** The name of the wanted engine. */
  readonly name: string
  readonly standIn: Layer.Layer<Transcriber, never, R2>
}): Layer.Layer<Transcriber, never, R1 | R2> =>
  Layer.effect(
    Transcriber,
    Effect.gen(function* () {
      const { name, standIn } = engines
      const wanted = yield* Effect.provide(Transcriber, yield* Layer.build(engines.wanted))
      const other = yield* Deferred.make<Transcriber["Service"]>()

      const begin = Effect.fnUntraced(function* (sentence: string) {
        yield* Effect.logWarning(`${name} is not available, another engine stands in: ${sentence}`)
        const begun = Effect.flatMap(Layer.build(standIn), (context) =>
          Effect.map(Effect.provide(Transcriber, context), (inner) => standingIn(inner, name))
        )
        const engine = yield* Effect.catchCause(begun, (cause) =>
          Effect.as(Effect.logError("The stand-in broke off", cause), unavailable(sentence))
        )
        yield* Deferred.succeed(other, engine)
      })

      yield* Effect.suspend(() => wanted.readiness).pipe(
        Effect.repeat({
          while: ({ _tag }) => Effect.as(Effect.sleep(lookInterval), _tag === "Preparing")
        }),
        Effect.flatMap((readiness) =>
          readiness._tag === "Unavailable" ? begin(readiness.sentence) : Effect.void
        ),
        Effect.forkScoped
      )

      const current = Effect.map(Deferred.poll(other), Option.isSome).pipe(
        Effect.flatMap((isOther) => (isOther ? Deferred.await(other) : Effect.succeed(wanted)))
      )
      /** Between the end of the wanted engine and the start of the other one. */
      const settling = (readiness: Readiness, isWanted: boolean): Readiness =>
        isWanted && readiness._tag === "Unavailable"
          ? Readiness.cases.Preparing.make({ sentence: readiness.sentence })
          : readiness
      return Transcriber.of({
        readiness: Effect.flatMap(current, (engine) =>
          Effect.map(engine.readiness, (readiness) => settling(readiness, engine === wanted))
        ),
        transcribe: (recognition) =>
          Effect.flatMap(current, ({ transcribe }) => transcribe(recognition))
      })
    })
  )
