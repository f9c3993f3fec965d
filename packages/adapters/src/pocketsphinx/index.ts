/**
 * PocketSphinx as a `Transcriber`: English only, without a network. Where it is missing it can be
 * fetched in the background, while jobs wait.
 */
import { Transcriber } from "@verbatim/core/ports"
import { Effect, Layer, Option } from "effect"
import {
  makeInstallingEngine,
  makePreparing,
  makeUnavailable
} from "../engines/EngineInstallation.ts"
import * as Platform from "../processes/Platform.ts"
import type { Report } from "./Apt.ts"
import { find } from "./Installation.ts"
import { install } from "./Installer.ts"
import { make } from "./PocketsphinxTranscriber.ts"

export { InstallerError, type Report } from "./Apt.ts"
export * as Installation from "./Installation.ts"
export * from "./Installer.ts"

/** What a host chooses. */
export interface Options {
  /** Where an unpacked recogniser is looked for and put. */
  readonly cacheDirectory: string
  /** Whether it is fetched in the background when it is missing. */
  readonly installs: boolean
  /** Told what the installation does, and why it failed. */
  readonly report: Report
}

/** The recogniser that is installed, or will be soon, or the sentence that says how to get one. */
export const layer = (options: Options): Layer.Layer<Transcriber> =>
  Layer.effect(Transcriber, slot(options)).pipe(Layer.provide(Platform.layer))

/** A transcriber whose place is taken by another one once the installation has ended. */
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
  "pocketsphinx and pocketsphinx-en-us."
