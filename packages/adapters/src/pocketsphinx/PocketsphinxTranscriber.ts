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
import {
  type DecodedAudio,
  type Language,
  millisAt,
  type Segment,
  type Word
} from "@verbatim/core/transcription"
import { Duration, Effect, FileSystem, Stream } from "effect"
import type { ChildProcessSpawner } from "effect/process"
import { pieceSamplesMax, recognisePieces } from "../engines/pieces/Timeline.ts"
import { sampleBytes } from "../engines/pieces/Wave.ts"
import { failure, toStorageError } from "../engines/provider/ProviderFailure.ts"
import { type CommandError, linesOf, printable, run } from "../processes/Command.ts"
import { childEnvironment, type Installation } from "./Installation.ts"

const { EngineFailed, EngineUnavailable, LanguageUnsupported } = Failure.cases

/** The engine's name in job histories. */
const engine = "pocketsphinx en-us"

/** The only language that the model recognises. */
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

/** Maximum number of words in a segment. If there are more words, another segment begins. */
export const wordMax = 1_000

/** Maximum length of a word in characters. The dictionary's longest word has 34. */
export const wordCharacterMax = 64

/**
 * Returns the utterances as segments, in order and within the length of the audio. Silence, noise
 * and utterances without words are omitted.
 */
export const parse = (output: string, durationMillis: number): ReadonlyArray<Segment> => {
  const segments: Array<Segment> = []
  let words: Array<Word> = []
  let latest = 0
  const close = () => {
    segments.push(...segmentOf(words))
    words = []
  }
  for (const line of output.split("\n")) {
    const timed = /^(\S+) (\d+\.\d+) (\d+\.\d+) \d+\.\d+$/.exec(line.trimEnd())
    // The text of an utterance only marks where the utterance begins; the words follow.
    if (timed === null || timed[1] === "<s>" || words.length === wordMax) close()
    const text = spellToken(timed?.[1] ?? "")
    if (timed === null || text === "") continue
    const within = (seconds: string | undefined) =>
      Math.min(Math.max(Math.round(Number(seconds) * 1_000), latest), durationMillis)
    const startMillis = within(timed[2])
    latest = startMillis
    const endMillis = within(timed[3])
    latest = endMillis
    words.push({ startMillis, endMillis, text })
  }
  close()
  return segments
}

/** `will(2)` is a second pronunciation of `will`; `<sil>`, `[NOISE]` and `++UM++` are not words. */
const spellToken = (token: string): string =>
  /^(?:<.*>|\[.*\]|\+\+.*\+\+)$/.test(token)
    ? ""
    : printable(token.replace(/\(\d+\)$/, "")).slice(0, wordCharacterMax)

const segmentOf = (words: ReadonlyArray<Word>): ReadonlyArray<Segment> => {
  const first = words.at(0)
  const last = words.at(-1)
  if (first === undefined || last === undefined) return []
  return [
    {
      startMillis: first.startMillis,
      endMillis: last.endMillis,
      // PocketSphinx does not distinguish speakers.
      speaker: "speaker_0",
      text: words.map(({ text }) => text).join(" "),
      hasSpaceBefore: true,
      words
    }
  ]
}

/**
 * Returns the cause of the recogniser's failure: the log's last error line, or otherwise the last
 * line.
 */
export const findError = (log: string): string => {
  const lines = linesOf(log)
  const verdict = lines.findLast((line) => /^(?:FATAL|ERROR)\b/.test(line))
  return printable(verdict ?? lines.at(-1) ?? "")
}
