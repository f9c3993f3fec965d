/**
 * Replaces an engine that will not become ready with a substitute. In all other cases, the
 * substitute is not started. The substitute's name in logs, health and history shows that the
 * better engine is missing.
 */
import { Readiness, Transcriber } from "@verbatim/core/ports"
import { Context, Duration, Effect, Exit, Layer, Schedule } from "effect"
import { makeInstallingEngine, makeUnavailable } from "./EngineInstallation.ts"

/** Interval between checks of an engine that is being installed. */
const lookInterval = Duration.millis(250)

const nameSubstitute = (engine: string, wanted: string): string =>
  `${engine} (instead of ${wanted})`

/** Returns the transcriber with its readiness and results under the substitute's name. */
const asSubstitute = (inner: Transcriber["Service"], wanted: string): Transcriber["Service"] =>
  Transcriber.of({
    readiness: Effect.map(inner.readiness, (readiness) =>
      readiness._tag === "Ready"
        ? Readiness.cases.Ready.make({ engine: nameSubstitute(readiness.engine, wanted) })
        : readiness
    ),
    transcribe: (recognition) =>
      Effect.map(inner.transcribe(recognition), (recognised) => ({
        ...recognised,
        engine: nameSubstitute(recognised.engine, wanted)
      }))
  })

/**
 * Uses the preferred engine, or the substitute once the preferred engine is reported as
 * unavailable.
 */
export const layer = <R1, R2>(engines: {
  readonly wanted: Layer.Layer<Transcriber, never, R1>
  /** The name of the preferred engine. */
  readonly name: string
  readonly substitute: Layer.Layer<Transcriber, never, R2>
  /** The name of the substitute, with its limitations, for the log. */
  readonly substituteName: string
}): Layer.Layer<Transcriber, never, R1 | R2> =>
  Layer.effect(
    Transcriber,
    Effect.gen(function* () {
      const { name, substitute, substituteName } = engines
      const wanted = yield* Effect.provide(Transcriber, yield* Layer.build(engines.wanted))
      const begin = Effect.fnUntraced(function* (sentence: string) {
        yield* Effect.logWarning(`Using ${substituteName} instead of ${name}. ${sentence}`)
        const started = yield* Effect.exit(Layer.build(substitute))
        if (Exit.isSuccess(started))
          return asSubstitute(Context.get(started.value, Transcriber), name)
        yield* Effect.logError("The substitute engine did not start", started.cause)
        return makeUnavailable(sentence)
      })
      const install = wanted.readiness.pipe(
        Effect.repeat({
          schedule: Schedule.spaced(lookInterval),
          while: ({ _tag }) => _tag === "Preparing"
        }),
        Effect.flatMap((readiness) =>
          readiness._tag === "Unavailable" ? begin(readiness.sentence) : Effect.succeed(wanted)
        )
      )
      const readiness = Effect.map(wanted.readiness, (state) =>
        state._tag === "Unavailable"
          ? Readiness.cases.Preparing.make({ sentence: state.sentence })
          : state
      )
      const placeholder = Transcriber.of({ ...wanted, readiness })
      return yield* makeInstallingEngine({
        placeholder,
        failureSentence: `${name} is not available.`,
        install
      })
    })
  )
