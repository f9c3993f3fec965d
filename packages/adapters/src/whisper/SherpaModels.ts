/**
 * Runs sherpa-onnx models in the child: speech detection, recognition and voiceprints. A bad model
 * can crash the process, so nothing here runs in the server.
 */
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { createRequire } from "node:module"
import { basename, dirname, extname, join } from "node:path"
import type { SampleRange } from "@verbatim/core/ports"
import type { PieceResult } from "@verbatim/core/transcription"
import { type Given, type SpeechFiles, sampleRate } from "./Protocol.ts"
import type { OfflineRecognizer, Sherpa, SpeakerEmbeddingExtractor } from "./Sherpa.ts"
import { type MillisRange, pieceMax, toVectorBytes } from "./SpeechPieces.ts"
import { toTokens, toVocabulary } from "./Tokens.ts"

const require = createRequire(import.meta.url)

const sherpa: Sherpa = require("sherpa-onnx-node")

/** Bytes per sample of decoded audio. */
const sampleBytes = 2

const millisSamples = sampleRate / 1_000

/** Samples per read: one minute. */
const blockMax = 60 * sampleRate

/** Decoded audio, which is read in ranges because ten hours of audio take a gigabyte. */
export interface Audio {
  readonly read: (range: SampleRange) => Float32Array
  /** Yields samples from the start up to the given number, one minute at a time. */
  readonly blocks: (sampleCount: number) => Iterable<Float32Array>
  readonly close: () => void
}

/** Opens a file with decoded audio. */
export const open = (path: string): Audio => {
  const file = openSync(path, "r")
  const read = ({ from, to }: SampleRange) => {
    const samples = new Float32Array(to - from)
    const block = Buffer.alloc(Math.min(samples.length, blockMax) * sampleBytes)
    for (let at = 0; at < samples.length; ) {
      const wanted = Math.min(blockMax, samples.length - at) * sampleBytes
      const length = readSync(file, block, 0, wanted, (from + at) * sampleBytes)
      const count = Math.floor(length / sampleBytes)
      if (count === 0) return samples.subarray(0, at)
      for (let index = 0; index < count; index++) {
        samples[at + index] = block.readInt16LE(index * sampleBytes) / 32_768
      }
      at += count
    }
    return samples
  }
  return {
    read,
    blocks: function* (sampleCount) {
      for (let from = 0; from < sampleCount; from += blockMax) {
        yield read({ from, to: Math.min(from + blockMax, sampleCount) })
      }
    },
    close: () => closeSync(file)
  }
}

/**
 * Fails with a clear error for a missing file, because sherpa's own reaction differs between
 * models.
 */
const mustExist = (paths: ReadonlyArray<string>): void => {
  for (const path of paths) {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
    if (size === 0) throw new Error(`a file of a model is missing or empty: ${basename(path)}`)
  }
}

type ModelSettings = Pick<Given<"Recognise">, "audioPath" | "language" | "model" | "threads">

/** Bytes at the end of a Whisper encoder's file that contain its properties, which take 3 kB. */
const propertyBytes = 32_768

/**
 * Whether a Whisper model was exported with its attention, from which sherpa-onnx computes the
 * timestamps of tokens. For other models, sherpa-onnx would write a warning that looks like an
 * error.
 */
const hasAttention = (encoder: string): boolean => {
  const end = Buffer.alloc(propertyBytes)
  const file = openSync(encoder, "r")
  readSync(file, end, 0, propertyBytes, Math.max(0, statSync(encoder).size - propertyBytes))
  closeSync(file)
  return end.includes("n_alignment_heads")
}

/** sherpa-onnx's configuration for each kind of model. */
const modelConfigs = {
  whisper: ({ language, model: { files } }: ModelSettings) => ({
    whisper: {
      encoder: files.encoder,
      decoder: files.decoder,
      language: language ?? "",
      task: "transcribe",
      tailPaddings: -1,
      enableSegmentTimestamps: 1,
      enableTokenTimestamps: Number(hasAttention(files.encoder ?? ""))
    }
  }),
  transducer: ({ model: { files } }: ModelSettings) => ({
    transducer: { encoder: files.encoder, decoder: files.decoder, joiner: files.joiner },
    modelType: "nemo_transducer"
  }),
  // The model always detects the language, because sherpa-onnx cannot change a loaded model's
  // language.
  "sense-voice": ({ model: { files } }: ModelSettings) => ({
    senseVoice: { model: files.model, language: "", useInverseTextNormalization: 1 }
  }),
  moonshine: ({ model: { files } }: ModelSettings) => ({
    moonshine: { encoder: files.encoder, mergedDecoder: files.decoder }
  })
} satisfies Record<SpeechFiles["kind"], (settings: ModelSettings) => object>

const configOf = (settings: ModelSettings) => ({
  featConfig: { sampleRate, featureDim: 80 },
  modelConfig: {
    ...modelConfigs[settings.model.kind](settings),
    tokens: settings.model.files.tokens,
    numThreads: settings.threads,
    provider: "cpu",
    debug: 0
  }
})

/** The score that sherpa-onnx gives to hot words by default. */
const hotWordScore = 1.5

/** Configuration for beam search with hot words, which only transducers support. */
const biasedConfigOf = (settings: ModelSettings, vocabulary: string) => {
  const { modelConfig, ...config } = configOf(settings)
  return {
    ...config,
    modelConfig: { ...modelConfig, modelingUnit: "bpe", bpeVocab: vocabulary },
    decodingMethod: "modified_beam_search",
    hotwordsScore: hotWordScore
  }
}

/**
 * Writes the given text to a file and passes the file's path to a function. The file exists until
 * the promise settles. If this process ends before that, the server removes the file with the
 * recording's folder.
 */
const withFile = async <A>(
  text: string,
  { audioPath }: ModelSettings,
  use: (path: string) => Promise<A>
): Promise<A> => {
  const folder = mkdtempSync(join(dirname(audioPath), "tokens-"))
  const path = join(folder, "tokens.txt")
  try {
    writeFileSync(path, text)
    return await use(path)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

let biased: Promise<OfflineRecognizer> | undefined

/** Loads a transducer for hot words once, in addition to the plain transducer. */
export const loadBiased = (settings: ModelSettings): Promise<OfflineRecognizer> => {
  biased ??= withFile(
    toVocabulary(readFileSync(settings.model.files.tokens ?? "", "utf8")),
    settings,
    (vocabulary) => sherpa.OfflineRecognizer.createAsync(biasedConfigOf(settings, vocabulary))
  )
  return biased
}

/** Converts a `tokenizer.json`, or fails with a clear error. */
const convertTokenizer = (path: string): string => {
  try {
    return toTokens(readFileSync(path, "utf8"))
  } catch (cause) {
    throw new Error(`not a tokenizer: ${basename(path)}`, { cause })
  }
}

/** Creates a recogniser; a `tokenizer.json` is converted first. */
const create = (settings: ModelSettings): Promise<OfflineRecognizer> => {
  const { model } = settings
  const { tokens = "" } = model.files
  if (extname(tokens) !== ".json") {
    return sherpa.OfflineRecognizer.createAsync(configOf(settings))
  }
  return withFile(convertTokenizer(tokens), settings, (path) => {
    const files = { ...model.files, tokens: path }
    const config = configOf({ ...settings, model: { ...model, files } })
    return sherpa.OfflineRecognizer.createAsync(config)
  })
}

let loaded: { readonly recogniser: Promise<OfflineRecognizer>; language: string | null } | undefined

/**
 * Loads the model's recogniser once, because the model is the same for all requests to a child.
 * Loading is asynchronous, because only asynchronous loading reports a corrupt file as an error.
 */
export const load = async (settings: ModelSettings): Promise<OfflineRecognizer> => {
  const { language, model } = settings
  if (loaded === undefined) {
    mustExist(Object.values(model.files))
    loaded = { recogniser: create(settings), language }
  }
  const recogniser = await loaded.recogniser
  if (model.kind === "whisper" && loaded.language !== language) {
    recogniser.setConfig(configOf(settings))
    loaded.language = language
  }
  return recogniser
}

/** Samples in Silero's window of 32 ms. */
const vadWindow = 512

/** Seconds of audio that the detector buffers. Its results are read after each block. */
const vadBufferSeconds = 120

/** Finds the ranges of a recording that contain speech. */
export const detectSpeech = async (
  { sampleCount, vadModel: model }: Given<"Detect">,
  { audio, onProgress }: { readonly audio: Audio; readonly onProgress: () => Promise<void> }
): Promise<ReadonlyArray<SampleRange>> => {
  mustExist([model])
  const vad = new sherpa.Vad(
    {
      sileroVad: {
        model,
        threshold: 0.5,
        minSilenceDuration: 0.3,
        minSpeechDuration: 0.25,
        maxSpeechDuration: pieceMax / sampleRate,
        windowSize: vadWindow
      },
      sampleRate,
      numThreads: 1
    },
    vadBufferSeconds
  )
  const spans: Array<SampleRange> = []
  const take = () => {
    for (; !vad.isEmpty(); vad.pop()) {
      const { samples, start } = vad.front(false)
      spans.push({ from: start, to: start + samples.length })
    }
  }
  for (const samples of audio.blocks(sampleCount)) {
    for (let at = 0; at < samples.length; at += vadWindow) {
      const window = new Float32Array(vadWindow)
      window.set(samples.subarray(at, at + vadWindow))
      vad.acceptWaveform(window)
    }
    take()
    await onProgress()
  }
  vad.flush()
  take()
  return spans
}

let extractor: SpeakerEmbeddingExtractor | undefined

/** Loads the voiceprint model once. */
const loadExtractor = (model: string, numThreads: number): SpeakerEmbeddingExtractor => {
  if (extractor !== undefined) return extractor
  mustExist([model])
  const loaded = new sherpa.SpeakerEmbeddingExtractor({ model, numThreads })
  // The check is needed because loading a model of the wrong kind causes no error.
  if (!(loaded.dim > 0)) throw new Error(`not a model of voices: ${basename(model)}`)
  extractor = loaded
  return loaded
}

/** Computes voiceprints for ranges of a piece. */
export const makeVoiceprints = async (
  { threads, voiceModel }: { readonly threads: number; readonly voiceModel: string },
  piece: {
    readonly samples: Float32Array
    readonly ranges: ReadonlyArray<MillisRange>
    readonly onProgress: () => Promise<void>
  }
): Promise<NonNullable<PieceResult["voiceprints"]>> => {
  const voiceprints: Array<NonNullable<PieceResult["voiceprints"]>[number]> = []
  for (const range of piece.ranges) {
    const extractor = loadExtractor(voiceModel, threads)
    const stream = extractor.createStream()
    const [from, to] = [range.startMillis, range.endMillis].map((millis) => millis * millisSamples)
    stream.acceptWaveform({ samples: piece.samples.slice(from, to), sampleRate })
    stream.inputFinished()
    if (extractor.isReady(stream)) {
      const bytes = toVectorBytes(extractor.compute(stream, false))
      voiceprints.push({ ...range, vector: Buffer.from(bytes.buffer).toString("base64") })
    }
    await piece.onProgress()
  }
  return voiceprints
}
