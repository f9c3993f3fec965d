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
export const makeUnavailable = (sentence: string): Engine =>
  makeUnready(Readiness.cases.Unavailable.make({ sentence }))

/** A transcriber that will become ready; the sentence says what is being done. */
export const makePreparing = (sentence: string): Engine =>
  makeUnready(Readiness.cases.Preparing.make({ sentence }))

/** What to say while an engine is installed, and what is left when that breaks off. */
export interface EngineInstallation<R> {
  /** Answers until the installation ends. */
  readonly placeholder: Engine
  /** Says how to get it, when its installation breaks off. */
  readonly failureSentence: string
  /** The engine, or what stands for it when it could not be installed. */
  readonly install: Effect.Effect<Engine, never, R>
}

/** A transcriber that is installed in the background for as long as the scope. */
export const makeInstallingEngine = Effect.fnUntraced(function* <R>({
  failureSentence,
  install,
  placeholder
}: EngineInstallation<R>): Effect.fn.Return<Engine, never, R | Scope.Scope> {
  const current = yield* Ref.make(placeholder)
  yield* install.pipe(
    // Not just defects: an interruption inside would leave the engine on its way for ever.
    Effect.catchCause((cause) =>
      Effect.as(
        Effect.logError("An installation broke off", cause),
        makeUnavailable(failureSentence)
      )
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
