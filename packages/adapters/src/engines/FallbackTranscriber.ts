/**
 * Combines several engines, in order of preference. The first engine that is ready and accepts the
 * recording transcribes it; the result names that engine. The recording waits for an engine that is
 * being installed only if no other engine accepts it.
 */

import { Failure, isTransient } from "@verbatim/core/attempt"
import {
  Readiness,
  type Recognised,
  type Recognition,
  Transcriber,
  TranscriberError,
  trace
} from "@verbatim/core/ports"
import { Array, Context, Duration, Effect, Layer, Result, Schedule } from "effect"

type Engine = Transcriber["Service"]
type Engines = Array.NonEmptyReadonlyArray<Engine>
type Reason = TranscriberError["reason"]

/**
 * Polling interval and time limit while an engine is being installed; the limit allows for a large
 * model.
 */
const lookInterval = Duration.seconds(1)
const waitMax = Duration.minutes(30)

/**
 * Whether another engine may try after this failure. After a failure during recognition, retrying
 * is left to the job's next attempt: a second engine would double the cost and hide the fault.
 */
export const canPassOn = (reason: Reason): boolean =>
  reason._tag === "EngineUnavailable" ||
  reason._tag === "EngineRefused" ||
  reason._tag === "LanguageUnsupported"

/** Returns the first transient reason, or else the first reason. */
export const chooseReason = (reasons: Array.NonEmptyReadonlyArray<Reason>): Reason =>
  reasons.find(isTransient) ?? reasons[0]

/**
 * Combines the engines' readiness: ready if an engine is ready, otherwise preparing if an engine is
 * preparing.
 */
export const combineReadiness = (states: Array.NonEmptyReadonlyArray<Readiness>): Readiness => {
  const preferred =
    states.find(({ _tag }) => _tag === "Ready") ?? states.find(({ _tag }) => _tag === "Preparing")
  if (preferred !== undefined) return preferred
  const sentences = states.map((state) => ("sentence" in state ? state.sentence : ""))
  return Readiness.cases.Unavailable.make({ sentence: [...new Set(sentences)].join(" ") })
}

const toReason = (state: Readiness): Reason =>
  Failure.cases.EngineUnavailable.make({ detail: "sentence" in state ? state.sentence : "" })

/** Waits for at most `waitMax` until an engine is no longer being installed. */
const awaitReadiness = ({ readiness }: Engine) =>
  readiness.pipe(
    Effect.repeat({
      schedule: Schedule.spaced(lookInterval),
      while: ({ _tag }) => _tag === "Preparing"
    }),
    Effect.timeoutOrElse({ duration: waitMax, orElse: () => readiness })
  )

/** Returns the recognised text, or the reason to try another engine. Other failures are final. */
const attempt = (
  engine: Engine,
  state: Readiness,
  recognition: Recognition
): Effect.Effect<Result.Result<Recognised, Reason>, TranscriberError> =>
  state._tag === "Ready"
    ? engine.transcribe(recognition).pipe(
        Effect.map((recognised): Result.Result<Recognised, Reason> => Result.succeed(recognised)),
        Effect.catch((error) =>
          canPassOn(error.reason) ? Effect.succeed(Result.fail(error.reason)) : Effect.fail(error)
        )
      )
    : Effect.succeed(Result.fail(toReason(state)))

/** Combines the engines into one transcriber. */
export const make = (engines: Engines): Engine => {
  const transcribe = trace("FallbackTranscriber.transcribe")(function* (recognition: Recognition) {
    const reasons = new Map<Engine, Reason>()
    const preparing: Array<Engine> = []
    for (const engine of engines) {
      const state = yield* engine.readiness
      const outcome = yield* attempt(engine, state, recognition)
      if (Result.isSuccess(outcome)) return outcome.success
      reasons.set(engine, outcome.failure)
      if (state._tag === "Preparing") preparing.push(engine)
      else if (engine !== engines.at(-1)) {
        yield* Effect.logWarning(
          "An engine did not accept a recording, trying the next one",
          outcome.failure
        )
      }
    }
    for (const engine of preparing) {
      const outcome = yield* attempt(engine, yield* awaitReadiness(engine), recognition)
      if (Result.isSuccess(outcome)) return outcome.success
      reasons.set(engine, outcome.failure)
    }
    const all = engines.flatMap((engine) => reasons.get(engine) ?? [])
    const reason = Array.isReadonlyArrayNonEmpty(all)
      ? chooseReason(all)
      : toReason(yield* readiness)
    return yield* new TranscriberError({ reason })
  })
  const readiness = Effect.map(
    Effect.forEach(engines, (engine) => engine.readiness),
    combineReadiness
  )
  return Transcriber.of({ readiness, transcribe })
}

/** Combines the engines provided by these layers, in the given order. */
export const layer = <R>([first, ...others]: Array.NonEmptyReadonlyArray<
  Layer.Layer<Transcriber, never, R>
>): Layer.Layer<Transcriber, never, R> =>
  Layer.effect(
    Transcriber,
    Effect.gen(function* () {
      const build = (each: Layer.Layer<Transcriber, never, R>) =>
        Effect.map(Layer.build(each), Context.get(Transcriber))
      return make([yield* build(first), ...(yield* Effect.forEach(others, build))])
    })
  )
