/**
 * Recognises English with PocketSphinx; the program runs once per piece. PocketSphinx has modest
 * accuracy, but needs no network and gives deterministic results.
 */

import { join } from "node:path"
import { Failure } from "@verbatim/core/attempt"
import {
  Readiness,
  type Recognition,
  type SampleRange,
  Transcriber,
  trace
} from "@verbatim/core/ports"
import { type DecodedAudio, type Language, millisAt } from "@verbatim/core/transcription"
import { Duration, Effect, FileSystem, Stream } from "effect"
import type { ChildProcessSpawner } from "effect/process"
import { pieceSamplesMax, recognisePieces } from "../engines/pieces/Timeline.ts"
import { sampleBytes } from "../engines/pieces/Wave.ts"
import { failure, toStorageError } from "../engines/provider/ProviderFailure.ts"
import { type CommandError, run } from "../processes/Command.ts"
import { childEnvironment, type Installation } from "./Installation.ts"
import { findError, parse } from "./Output.ts"

const { EngineFailed, EngineUnavailable, LanguageUnsupported } = Failure.cases

/** The engine's name in job histories. */
const engine = "pocketsphinx en-us"

/** The model's only language. */
const modelLanguage: Language = "en"

/**
 * Time limit as a multiple of the audio's length. An idle core needs a quarter of the length; a
 * busy core may take sixteen times as long.
 */
const timeoutFactor = 4

/** Time allowed for loading the model, which takes 0.3 s on an idle machine. */
const startTimeout = Duration.seconds(60)

/**
 * Maximum number of output bytes per second of audio. A fast speaker produces 300 bytes; the rest
 * is a margin.
 */
const outputBytesPerSecond = 2 * 1024
const outputByteMin = 64 * 1024

/** Creates a transcriber that uses an installed recogniser. */
export const make = Effect.fnUntraced(function* (installation: Installation) {
  const context = yield* Effect.context<
    ChildProcessSpawner.ChildProcessSpawner | FileSystem.FileSystem
  >()

  const transcribe = trace("PocketsphinxTranscriber.transcribe")(function* (
    recognition: Recognition
  ) {
    const { audio, language } = recognition
    if (language !== null && language !== modelLanguage) {
      return yield* failure(LanguageUnsupported.make({ language }))
    }
    const recognised = yield* recognisePieces(recognition, {
      engine,
      settings: [],
      sampleMax: pieceSamplesMax,
      recognisePiece: (_recording, piece) =>
        Effect.provide(recognise(installation, { audio, piece }), context)
    })
    return { ...recognised, areSpeakersUnknown: true }
  }, Effect.provide(context))

  const readiness = Effect.succeed(Readiness.cases.Ready.make({ engine }))

  return Transcriber.of({ readiness, transcribe })
})

/** Runs the program on a piece of a recording. */
const recognise = Effect.fnUntraced(function* (
  installation: Installation,
  { audio, piece }: { readonly audio: DecodedAudio; readonly piece: SampleRange }
) {
  const file = yield* Effect.mapError(copyPiece(audio, piece), toStorageError)
  const millis = millisAt(piece.to) - millisAt(piece.from)
  const ended = yield* run({
    program: installation.command,
    arguments: [...installation.modelArguments, "-infile", file, "-time", "yes"],
    environment: childEnvironment(installation),
    timeout: Duration.sum(startTimeout, Duration.millis(millis * timeoutFactor)),
    outputByteMax: outputByteMin + Math.ceil((millis / 1_000) * outputBytesPerSecond)
  }).pipe(Effect.mapError(fromCommand))
  if (ended.exitCode !== 0) {
    const detail = `exit code ${ended.exitCode}: ${findError(ended.errorOutput)}`
    return yield* failure(EngineFailed.make({ detail }))
  }
  return { language: modelLanguage, segments: parse(ended.output, millis) }
}, Effect.scoped)

/**
 * Copies a piece into a separate file. If the file were named `.wav`, the recogniser would expect a
 * header.
 */
const copyPiece = Effect.fnUntraced(function* ({ path }: DecodedAudio, { from, to }: SampleRange) {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "verbatim-pocketsphinx-" })
  const file = join(folder, "audio.raw")
  const samples = { offset: from * sampleBytes, bytesToRead: (to - from) * sampleBytes }
  yield* Stream.run(fs.stream(path, samples), fs.sink(file))
  return file
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
