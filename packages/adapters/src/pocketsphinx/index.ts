/**
 * Provides PocketSphinx as a `Transcriber`, which recognises only English and needs no network. A
 * missing recogniser can be downloaded in the background, while jobs wait.
 */
import { Transcriber } from "@verbatim/core/ports"
import { Effect, Layer, Option } from "effect"
import {
  makeInstallingEngine,
  makePreparing,
  makeUnavailable
} from "../engines/EngineInstallation.ts"
import { platform } from "../processes/Command.ts"
import type { Report } from "./Apt.ts"
import { find } from "./Installation.ts"
import { install } from "./Installer.ts"
import { make } from "./PocketsphinxTranscriber.ts"

export { InstallerError, type Report } from "./Apt.ts"
export * as Installation from "./Installation.ts"
export * from "./Installer.ts"

/** Options for PocketSphinx's `layer`. */
export interface Options {
  /** Folder for a downloaded and unpacked recogniser. */
  readonly cacheDirectory: string
  /** Whether a missing recogniser is downloaded in the background. */
  readonly installs: boolean
  /** Called with the progress of an installation, and with the reason for a failure. */
  readonly report: Report
}

/**
 * Provides the recogniser if it is installed, a placeholder during an installation, and otherwise a
 * transcriber with an error message that explains the installation.
 */
export const layer = (options: Options): Layer.Layer<Transcriber> =>
  Layer.effect(Transcriber, slot(options)).pipe(Layer.provide(platform))

/** Creates the transcriber, or a placeholder until the recogniser is installed. */
const slot = Effect.fnUntraced(function* (options: Options) {
  const found = yield* find(options)
  if (Option.isSome(found)) return yield* make(found.value)
  if (!options.installs) return makeUnavailable(absentMessage)

  return yield* makeInstallingEngine({
    placeholder: makePreparing("PocketSphinx is being fetched."),
    failureSentence: absentMessage,
    install: install(options).pipe(
      Effect.flatMap(make),
      Effect.catchTag("InstallerError", ({ detail, sentence }) =>
        Effect.as(
          options.report(detail === "" ? sentence : `${sentence} (${detail})`),
          makeUnavailable(sentence)
        )
      )
    )
  })
})

const absentMessage =
  "PocketSphinx is not installed: run `verbatim engines install`, or install the packages " +
  "pocketsphinx and pocketsphinx-en-us, and restart the server."
