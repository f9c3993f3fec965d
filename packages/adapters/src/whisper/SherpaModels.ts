/**
 * Runs sherpa-onnx models in the child: speech detection, recognition and diarization. A bad model
 * can end the process, so nothing here runs in the server.
 */
import { closeSync, openSync, readSync, statSync } from "node:fs"
import { createRequire } from "node:module"
import { basename } from "node:path"
import { type Span, sampleRate, type Task, type Turn } from "./Protocol.ts"
import type { OfflineRecognizer, Sherpa, SherpaAddon } from "./Sherpa.ts"
import { pieceMax } from "./SpeechPieces.ts"

const require = createRequire(import.meta.url)

const sherpa: Sherpa = require("sherpa-onnx-node")
const addon: SherpaAddon = require("sherpa-onnx-node/addon.js")

/** Bytes per sample. */
const sampleBytes = 2

/** Samples per read: one minute. */
const blockMax = 60 * sampleRate

/** Decoded audio that is read in ranges, because ten hours are a gigabyte. */
export interface Audio {
  readonly read: (span: Span) => Float32Array
  /** Yields the given number of samples from the start, a minute at a time. */
  readonly blocks: (sampleCount: number) => Iterable<Float32Array>
  readonly close: () => void
}

/** Opens decoded audio. */
export const open = (path: string): Audio => {
  const file = openSync(path, "r")
  const read = ({ end, start }: Span) => {
    const samples = new Float32Array(end - start)
    const block = Buffer.alloc(Math.min(samples.length, blockMax) * sampleBytes)
    for (let at = 0; at < samples.length; ) {
      const wanted = Math.min(blockMax, samples.length - at) * sampleBytes
      const length = readSync(file, block, 0, wanted, (start + at) * sampleBytes)
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
      for (let start = 0; start < sampleCount; start += blockMax) {
        yield read({ start, end: Math.min(start + blockMax, sampleCount) })
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

/** Configuration for each kind of model. */
const modelConfigs = {
  whisper: ({ language, model: { files } }: Task) => ({
    whisper: {
      encoder: files.encoder,
      decoder: files.decoder,
      language: language ?? "",
      task: "transcribe",
      tailPaddings: -1,
      enableSegmentTimestamps: 1
    }
  }),
  transducer: ({ model: { files } }: Task) => ({
    transducer: { encoder: files.encoder, decoder: files.decoder, joiner: files.joiner },
    modelType: "nemo_transducer"
  })
} satisfies Record<Task["model"]["kind"], (task: Task) => object>

const configOf = (task: Task) => ({
  featConfig: { sampleRate, featureDim: 80 },
  modelConfig: {
    ...modelConfigs[task.model.kind](task),
    tokens: task.model.files.tokens,
    numThreads: task.threads,
    provider: "cpu",
    debug: 0
  }
})

let loaded: { readonly recogniser: OfflineRecognizer; language: string | null } | undefined

/**
 * Loads the model's recogniser once, because the model is the same for all tasks of a child.
 * Loading is asynchronous, because only then does a broken file cause an error.
 */
export const load = async (task: Task): Promise<OfflineRecognizer> => {
  if (loaded === undefined) {
    mustExist(Object.values(task.model.files))
    const recogniser = await sherpa.OfflineRecognizer.createAsync(configOf(task))
    loaded = { recogniser, language: task.language }
  } else if (task.model.kind === "whisper" && loaded.language !== task.language) {
    loaded.recogniser.setConfig(configOf(task))
    loaded.language = task.language
  }
  return loaded.recogniser
}

/** Silero's window: 32 ms. */
const vadWindow = 512

/** Seconds that the detector buffers; its results are read after each block. */
const vadBufferSeconds = 120

/** Finds the ranges with speech. */
export const detectSpeech = async (
  model: string,
  options: {
    readonly audio: Audio
    readonly sampleCount: number
    readonly onProgress: (fraction: number) => Promise<void>
  }
): Promise<ReadonlyArray<Span>> => {
  mustExist([model])
  const { audio, onProgress, sampleCount } = options
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
  const spans: Array<Span> = []
  const take = () => {
    for (; !vad.isEmpty(); vad.pop()) {
      const { samples, start } = vad.front(false)
      spans.push({ start, end: start + samples.length })
    }
  }
  let fed = 0
  for (const samples of audio.blocks(sampleCount)) {
    for (let at = 0; at < samples.length; at += vadWindow) {
      const window = new Float32Array(vadWindow)
      window.set(samples.subarray(at, at + vadWindow))
      vad.acceptWaveform(window)
    }
    take()
    fed += samples.length
    await onProgress(fed / sampleCount)
  }
  vad.flush()
  take()
  return spans
}

/** Finds speaker turns. All audio is in memory at the same time: 230 MB per hour. */
export const diarize = async (
  models: NonNullable<Task["diarization"]>,
  options: {
    readonly audio: Audio
    readonly sampleCount: number
    readonly threads: number
    readonly onProgress: (fraction: number) => void
  }
): Promise<ReadonlyArray<Turn>> => {
  const { audio, onProgress, sampleCount, threads } = options
  mustExist([models.segmentation, models.embedding])
  const embedding = { model: models.embedding, numThreads: threads }
  // Diarization accepts any file as a speaker model and then finds one voice, whereas this call
  // fails for a broken file.
  const { dim } = new sherpa.SpeakerEmbeddingExtractor(embedding)
  if (!(dim > 0)) throw new Error(`not a model of voices: ${basename(models.embedding)}`)
  const diarization = new sherpa.OfflineSpeakerDiarization({
    segmentation: { pyannote: { model: models.segmentation }, numThreads: threads },
    embedding,
    // -1 means that the number of speakers is detected; 0.5 is the value in sherpa-onnx's own
    // examples.
    clustering: { numClusters: models.speakerCount ?? -1, threshold: 0.5 },
    minDurationOn: 0.2,
    minDurationOff: 0.5
  })
  const turns = await addon.offlineSpeakerDiarizationProcessAsync(
    diarization.handle,
    audio.read({ start: 0, end: sampleCount }),
    (done, total) => {
      onProgress(total === 0 ? 1 : done / total)
      return 0
    }
  )
  return turns.map(({ end, speaker, start }) => ({
    startMillis: Math.round(start * 1_000),
    endMillis: Math.round(end * 1_000),
    speaker
  }))
}
