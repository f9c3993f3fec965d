/**
 * An engine that is being installed: it says so until that ends; from then on whatever takes its
 * place answers.
 */
import { Failure } from "@verbatim/core/attempt"
import { Readiness, Transcriber, TranscriberError } from "@verbatim/core/ports"
import { Effect, Ref, type Scope } from "effect"

type Engine = Transcriber["Service"]

/** A transcriber that cannot work now. */
const makeUnready = (readiness: Exclude<Readiness, { readonly _tag: "Ready" }>): Engine =>
  Transcriber.of({
    readiness: Effect.succeed(readiness),
    transcribe: () =>
      Effect.fail(
        new TranscriberError({
          reason: Failure.cases.EngineUnavailable.make({ detail: readiness.sentence })
        })
      )
  })

/** A transcriber that will not become ready; the sentence says what to do about it. */
export const unavailable = (sentence: string): Engine =>
  makeUnready(Readiness.cases.Unavailable.make({ sentence }))

/** A transcriber that will become ready; the sentence says what is being done. */
export const preparing = (sentence: string): Engine =>
  makeUnready(Readiness.cases.Preparing.make({ sentence }))

/** What to say while an engine is installed, and what is left when that breaks off. */
export interface Installing<R> {
  /** Answers until the installation ends. */
  readonly meantime: Engine
  /** Says how to get it, when its installation breaks off. */
  readonly absent: string
  /** The engine, or what stands for it when it could not be installed. */
  readonly install: Effect.Effect<Engine, never, R>
}

/** A transcriber that is installed in the background for as long as the scope. */
export const makeInstalling = Effect.fnUntraced(function* <R>({
  absent,
  install,
  meantime
}: Installing<R>): Effect.fn.Return<Engine, never, R | Scope.Scope> {
  const current = yield* Ref.make(meantime)
  yield* install.pipe(
    // Not just defects: an interruption inside would leave the engine on its way for ever.
    Effect.catchCause((cause) =>
      Effect.as(Effect.logError("An installation broke off", cause), unavailable(absent))
    ),
    Effect.flatMap((engine) => Ref.set(current, engine)),
    Effect.forkScoped
  )
  return Transcriber.of({
    readiness: Effect.flatMap(Ref.get(current), ({ readiness }) => readiness),
    transcribe: (recognition) =>
      Effect.flatMap(Ref.get(current), ({ transcribe }) => transcribe(recognition))
  })
})
