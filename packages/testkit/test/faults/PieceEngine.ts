/** A scripted engine that recognises recordings in pieces, and can have faults. */
import { readFile } from "node:fs/promises"
import { NodeFileSystem } from "@effect/platform-node"
import { Failure } from "@verbatim/core/attempt"
import {
  type PiecePlan,
  Readiness,
  type RecognisePieces,
  type Recognition,
  recogniseUnstored,
  type SampleRange,
  Transcriber,
  TranscriberError
} from "@verbatim/core/ports"
import { placePiece, sampleRate } from "@verbatim/core/transcription"
import { Effect, FileSystem, Layer } from "effect"
import { Speech } from "#src/contracts/cases/TranscriberCases"

const { EngineFailed, LanguageUnsupported } = Failure.cases

const engine = "loudness"
const bytesPerSecond = 2 * sampleRate
const pieceSamples = 10 * sampleRate

/** How an engine differs from one without faults. */
export interface PieceFault {
  readonly cut?: (cut: ReadonlyArray<SampleRange>) => ReadonlyArray<SampleRange>
  readonly settings?: (recognition: Recognition) => unknown
  /** Returns the results from which the transcript is made. */
  readonly recognisePieces?: (recognisePieces: RecognisePieces) => RecognisePieces
}

/** Recognises a word in each second that is not silent. */
const recognise = Effect.fnUntraced(function* (path: string, { from, to }: SampleRange) {
  const bytes = yield* Effect.tryPromise({
    try: async () => (await readFile(path)).subarray(2 * from, 2 * to),
    catch: (cause) => new TranscriberError({ reason: EngineFailed.make({ detail: String(cause) }) })
  })
  const seconds = Array.from({ length: bytes.length / bytesPerSecond }, (_, second) => second)
  const segments = seconds.flatMap((second) => {
    const loudness = bytes[second * bytesPerSecond] ?? 0
    const times = { startMillis: second * 1_000, endMillis: (second + 1) * 1_000 }
    return loudness === 0 ? [] : [{ ...times, text: `loud${loudness}` }]
  })
  return { segments }
})

/** Cuts a recording every ten seconds. */
const cutEqually = (sampleCount: number): ReadonlyArray<SampleRange> =>
  Array.from({ length: Math.ceil(sampleCount / pieceSamples) }, (_, index) => ({
    from: index * pieceSamples,
    to: Math.min((index + 1) * pieceSamples, sampleCount)
  }))

const makeTranscribe = (fault: PieceFault) =>
  Effect.fnUntraced(function* (recognition: Recognition) {
    const { audio, language, recognisePieces = recogniseUnstored } = recognition
    if (language !== null && language !== "en") {
      return yield* new TranscriberError({ reason: LanguageUnsupported.make({ language }) })
    }
    const equal = cutEqually(audio.sampleCount)
    const plan: PiecePlan = {
      cut: fault.cut?.(equal) ?? equal,
      settings: JSON.stringify(fault.settings?.(recognition) ?? [engine, language]),
      recognise: (piece) => recognise(audio.path, piece)
    }
    const results = yield* (fault.recognisePieces?.(recognisePieces) ?? recognisePieces)(plan)
    const segments = results.flatMap((result, index) => {
      const { from, to } = plan.cut[index] ?? { from: 0, to: 0 }
      const [startMillis, endMillis] = [from, to].map((at) => (at * 1_000) / sampleRate)
      return placePiece({ startMillis: startMillis ?? 0, endMillis: endMillis ?? 0, result })
    })
    const speaker = "speaker_0"
    return { engine, language: "en", segments: segments.map((each) => ({ ...each, speaker })) }
  })

/** Four seconds of speech with a different word in each second. */
const speech = Layer.effect(
  Speech,
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const path = `${yield* files.makeTempDirectoryScoped()}/speech`
    const loudness = [1, 2, 3, 4]
    const seconds = loudness.map((each) => Buffer.alloc(bytesPerSecond, each))
    yield* files.writeFile(path, Buffer.concat(seconds))
    return {
      audio: { path, sampleCount: loudness.length * sampleRate },
      text: loudness.map((each) => `loud${each}`).join(" "),
      language: "en",
      detected: "en",
      unsupported: "cy"
    }
  })
)

/** The engine, with or without a fault, and speech that it can recognise. */
export const pieceEngine = (fault: PieceFault = {}) =>
  Layer.succeed(Transcriber, {
    readiness: Effect.succeed(Readiness.cases.Ready.make({ engine })),
    transcribe: makeTranscribe(fault)
  }).pipe(Layer.merge(speech), Layer.provideMerge(NodeFileSystem.layer))
