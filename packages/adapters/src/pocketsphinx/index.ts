/**
 * PocketSphinx as a `Transcriber`: English only, without a network. Where it is missing it can be
 * fetched in the background, while jobs wait.
 */
import { layer as nodeServices } from "@effect/platform-node/NodeServices"
import { Failure } from "@verbatim/core/domain/attempt/Failure"
import { Readiness, Transcriber, TranscriberError } from "@verbatim/core/ports/Transcriber"
import { Effect, Layer, Option, Ref } from "effect"
import type { Report } from "./Apt.ts"
import { find } from "./Installation.ts"
import { install } from "./Installer.ts"
import { make } from "./PocketsphinxTranscriber.ts"

export type { Report } from "./Apt.ts"
export * as Apt from "./Apt.ts"
export * as Command from "./Command.ts"
export * as Installation from "./Installation.ts"
export { type InstallOptions, install } from "./Installer.ts"
export { InstallerError } from "./InstallerError.ts"
export * as Output from "./Output.ts"
export * as PocketsphinxTranscriber from "./PocketsphinxTranscriber.ts"
export * as Tree from "./Tree.ts"

/** What a host chooses. */
export interface Options {
  /** Where an unpacked recogniser is looked for and put. */
  readonly cacheDirectory: string
  /** Whether it is taken to start where it is there. */
  readonly isTrusted?: boolean
  /** Whether it is fetched in the background when it is not there. */
  readonly installs: boolean
  /** Told what the installation does, and why it failed. */
  readonly report: Report
}

/** The recogniser that is there, or will be soon, or the sentence that says how to get one. */
export const layer = (options: Options): Layer.Layer<Transcriber> =>
  Layer.effect(Transcriber, slot(options)).pipe(Layer.provide(nodeServices))

/** A transcriber whose place is taken by another one once the installation has ended. */
const slot = Effect.fnUntraced(function* (options: Options) {
  const found = yield* find(options)
  if (Option.isSome(found)) return yield* make(found.value)
  if (!options.installs) return without(Readiness.cases.Unavailable.make({ sentence: absent }))

  const current = yield* Ref.make(without(Readiness.cases.Preparing.make({ sentence: preparing })))
  yield* install(options).pipe(
    Effect.flatMap(make),
    Effect.catchTag("InstallerError", ({ detail, sentence }) =>
      Effect.as(
        options.report(detail === "" ? sentence : `${sentence} (${detail})`),
        without(Readiness.cases.Unavailable.make({ sentence }))
      )
    ),
    Effect.catchDefect((defect) =>
      Effect.as(
        Effect.logError("The installation of PocketSphinx broke off", defect),
        without(Readiness.cases.Unavailable.make({ sentence: absent }))
      )
    ),
    Effect.flatMap((transcriber) => Ref.set(current, transcriber)),
    Effect.forkScoped
  )
  return Transcriber.of({
    readiness: Effect.flatMap(Ref.get(current), ({ readiness }) => readiness),
    transcribe: (recognition) =>
      Effect.flatMap(Ref.get(current), ({ transcribe }) => transcribe(recognition))
  })
})

const preparing = "PocketSphinx is being fetched."

const absent =
  "PocketSphinx is not installed: run `verbatim engines install`, or install the packages " +
  "pocketsphinx and pocketsphinx-en-us."

/** A transcriber that cannot work now. */
const without = (
  readiness: typeof Readiness.cases.Preparing.Type | typeof Readiness.cases.Unavailable.Type
): Transcriber["Service"] =>
  Transcriber.of({
    readiness: Effect.succeed(readiness),
    transcribe: () =>
      Effect.fail(
        new TranscriberError({
          reason: Failure.cases.EngineUnavailable.make({ detail: readiness.sentence })
        })
      )
  })
