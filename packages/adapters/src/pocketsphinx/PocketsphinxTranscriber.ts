/**
 * Recognises English with PocketSphinx, one run of the program per recording. Its accuracy is
 * modest, but it needs no network and its results are deterministic.
 */

import { join } from "node:path"
import { Failure } from "@verbatim/core/attempt"
import { Readiness, type Recognition, Transcriber, trace } from "@verbatim/core/ports"
import { type DecodedAudio, durationMillis, type Language } from "@verbatim/core/transcription"
import { Duration, Effect, FileSystem } from "effect"
import type { ChildProcessSpawner } from "effect/process"
import { failure } from "../engines/provider/ProviderFailure.ts"
import { type CommandError, run } from "../processes/Command.ts"
import { childEnvironment, type Installation } from "./Installation.ts"
import { findError, parse } from "./Output.ts"

const { EngineFailed, EngineUnavailable, LanguageUnsupported, StorageFailed } = Failure.cases

/** The engine name in job histories. */
const engine = "pocketsphinx en-us"

/** The only language of the model. */
const modelLanguage: Language = "en"

/**
 * The recogniser needs a quarter of the audio's length on an idle core. A loaded core may need
 * sixteen times as long.
 */
const timeoutFactor = 4

/** Loading the model takes 0.3 s on an idle machine. */
const startTimeout = Duration.seconds(60)

/** The output for a fast speaker is 300 bytes per second; the rest is a reserve. */
const outputBytesPerSecond = 2 * 1024
const outputByteMin = 64 * 1024

/** Makes the transcriber for a recogniser that starts. */
export const make = Effect.fnUntraced(function* (installation: Installation) {
  const context = yield* Effect.context<
    ChildProcessSpawner.ChildProcessSpawner | FileSystem.FileSystem
  >()

  const transcribe = trace("PocketsphinxTranscriber.transcribe")(
    function* ({ audio, language }: Recognition) {
      if (language !== null && language !== modelLanguage) {
        return yield* failure(LanguageUnsupported.make({ language }))
      }
      const ended = yield* recognise(installation, audio)
      if (ended.exitCode !== 0) {
        const detail = `exit code ${ended.exitCode}: ${findError(ended.errorOutput)}`
        return yield* failure(EngineFailed.make({ detail }))
      }
      const segments = parse(ended.output, durationMillis(audio))
      return { engine, language: modelLanguage, segments }
    },
    Effect.scoped,
    Effect.provide(context)
  )

  const readiness = Effect.succeed(Readiness.cases.Ready.make({ engine }))

  return Transcriber.of({ readiness, transcribe })
})

/** Runs the program over a whole recording. */
const recognise = Effect.fnUntraced(function* (installation: Installation, audio: DecodedAudio) {
  const file = yield* Effect.mapError(nameAudio(audio), ({ message }) =>
    failure(StorageFailed.make({ detail: message }))
  )
  const millis = durationMillis(audio)
  return yield* run({
    program: installation.command,
    arguments: [...installation.modelArguments, "-infile", file, "-time", "yes"],
    environment: childEnvironment(installation),
    timeout: Duration.sum(startTimeout, Duration.millis(millis * timeoutFactor)),
    outputByteMax: outputByteMin + Math.ceil((millis / 1_000) * outputBytesPerSecond)
  }).pipe(Effect.mapError(fromCommand))
})

/**
 * Links the audio under our own name, because in a file named `.wav` the recogniser would look for
 * a header.
 */
const nameAudio = Effect.fnUntraced(function* (audio: DecodedAudio) {
  const fs = yield* FileSystem.FileSystem
  yield* fs.access(audio.path, { readable: true })
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "verbatim-pocketsphinx-" })
  const link = join(folder, "audio.raw")
  yield* fs.symlink(audio.path, link)
  return link
})

const fromCommand = ({ reason }: CommandError) => {
  switch (reason._tag) {
    case "Missing":
      return failure(EngineUnavailable.make({ detail: "the program no longer exists" }))
    case "Slow":
      return failure(EngineFailed.make({ detail: "it took too long" }))
    case "Verbose":
      return failure(EngineFailed.make({ detail: "it wrote too much" }))
    case "Broken":
      return failure(EngineFailed.make({ detail: reason.detail }))
  }
}
