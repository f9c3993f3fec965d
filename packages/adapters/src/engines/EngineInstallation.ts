/**
 * Provides a transcriber while its engine is being installed. Until then, a placeholder reports
 * that the installation is in progress; afterwards, the engine itself takes over. Downloads are
 * kept in the user's cache folder.
 */

import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import { Failure } from "@verbatim/core/attempt"
import { Readiness, Transcriber, TranscriberError } from "@verbatim/core/ports"
import { Effect, Ref, type Scope } from "effect"

type Engine = Transcriber["Service"]

/** Creates a transcriber that is not ready and fails every recording. */
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

/** Creates a transcriber that stays unavailable; the message says what to do. */
export const makeUnavailable = (sentence: string): Engine =>
  makeUnready(Readiness.cases.Unavailable.make({ sentence }))

/** Creates a transcriber that is still preparing; the message says what is in progress. */
export const makePreparing = (sentence: string): Engine =>
  makeUnready(Readiness.cases.Preparing.make({ sentence }))

/** Options for `makeInstallingEngine`. */
export interface EngineInstallation<R> {
  /** The transcriber to use until the installation ends. */
  readonly placeholder: Engine
  /** The message that explains how to install the engine, shown if the installation fails. */
  readonly failureSentence: string
  /** Installs and returns the engine, or returns a replacement if the installation fails. */
  readonly install: Effect.Effect<Engine, never, R>
}

/** Creates a transcriber and installs its engine in the background while the scope is open. */
export const makeInstallingEngine = Effect.fnUntraced(function* <R>({
  failureSentence,
  install,
  placeholder
}: EngineInstallation<R>): Effect.fn.Return<Engine, never, R | Scope.Scope> {
  const current = yield* Ref.make(placeholder)
  yield* install.pipe(
    // Interruptions and defects are also caught, because otherwise the engine would seem to be
    // installing forever.
    Effect.catchCause((cause) =>
      Effect.as(
        Effect.logError("The installation of an engine ended unexpectedly", cause),
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

/** A container may run as a user that the system does not know and that has no home directory. */
const homeDirectory = (): string => {
  try {
    return homedir()
  } catch {
    return tmpdir()
  }
}

const cacheDirectory = (): string => {
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env
  if (process.platform === "win32" && LOCALAPPDATA) return LOCALAPPDATA
  if (process.platform === "darwin") return join(homeDirectory(), "Library", "Caches")
  return XDG_CACHE_HOME || join(homeDirectory(), ".cache")
}

/** Returns Verbatim's folder in the user's cache folder. */
export const cacheFolder = (): string => join(cacheDirectory(), "verbatim")
