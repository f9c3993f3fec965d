/**
 * Creates a folder with small models and recordings of tones, which exists until the scope closes.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { layer as nodeServices } from "@effect/platform-node/NodeServices"
import { isSpeech, type Model } from "@verbatim/adapters/whisper"
import type { Recognition } from "@verbatim/core/ports"
import type { DecodedAudio } from "@verbatim/core/transcription"
import { Duration, Effect, FileSystem } from "effect"
import type { Machine } from "#src/whisper/ModelChoice"
import * as WhisperTranscriber from "#src/whisper/WhisperTranscriber"
import * as Tiny from "./TinyModels.ts"

const rate = 16_000

/** Returns the samples of a tone, or of silence for 0 Hz. */
export interface Sound {
  readonly hertz: number
  readonly seconds: number
}

/** Joins samples into one recording. */
const samplesOf = (sounds: ReadonlyArray<Sound>): Int16Array<ArrayBuffer> => {
  const lengths = sounds.map(({ seconds }) => Math.round(seconds * rate))
  const samples = new Int16Array(lengths.reduce((sum, length) => sum + length, 0))
  let from = 0
  for (const [index, { hertz }] of sounds.entries()) {
    const length = lengths[index] ?? 0
    for (let at = 0; at < length; at++) {
      samples[from + at] = Math.round(9_830 * Math.sin((2 * Math.PI * hertz * at) / rate))
    }
    from += length
  }
  return samples
}

/** The files of all models, by role. */
export const contents = {
  whisper: {
    encoder: ["encoder.onnx", Tiny.whisperEncoder()],
    decoder: ["decoder.onnx", Tiny.whisperDecoder()],
    tokens: ["tokens.txt", Tiny.whisperTokens()]
  },
  "sense-voice": {
    model: ["sense-voice.onnx", Tiny.senseVoice()],
    tokens: ["sense-voice-tokens.txt", Tiny.senseVoiceTokens()]
  },
  transducer: {
    encoder: ["transducer-encoder.onnx", Tiny.transducerEncoder()],
    decoder: ["transducer-decoder.onnx", Tiny.transducerDecoder()],
    joiner: ["transducer-joiner.onnx", Tiny.transducerJoiner()],
    tokens: ["transducer-tokens.txt", Tiny.transducerTokens()]
  },
  vad: { model: ["vad.onnx", Tiny.vad()] },
  embedding: { model: ["embedding.onnx", Tiny.embedding()] }
} as const

/** All files, with those of a second voice model. */
const allContents = {
  ...contents,
  voices: { model: ["voices.onnx", Tiny.embedding()] },
  moonshine: {
    encoder: ["moonshine-encoder.onnx", Tiny.moonshineEncoder()],
    decoder: ["moonshine-decoder.onnx", Tiny.moonshineDecoder([1, 1, "c", 1])],
    tokens: ["tokenizer.json", Tiny.moonshineTokenizer()]
  }
} as const

type Kind = keyof typeof allContents

const modelOf = (kind: Exclude<Kind, "vad">, files: Tiny.Files): Model => ({
  ...Tiny.describeModel({ name: kind, kind: kind === "voices" ? "embedding" : kind }, files),
  ...(kind === "whisper" && { languages: ["en", "de", "ja", "fr"] })
})

/** Options for a folder of small models. */
export interface WorkshopOptions {
  /** The models to install. Default: all. */
  readonly kinds?: ReadonlyArray<Kind>
  /** Other contents for files, by name. Null removes the file. */
  readonly replacements?: Readonly<Record<string, Uint8Array | null>>
  /** The language that the small Whisper model detects. */
  readonly detected?: string
  /** Takes the place of the small speech detector. */
  readonly speechDetector?: string | null
  readonly script?: URL
  readonly maxSilence?: Duration.Duration
  readonly idleTime?: Duration.Duration
  /** Default: four pieces of one recording. */
  readonly concurrency?: WhisperTranscriber.Concurrency
  readonly machine?: Machine
}

/** A transcriber with small models, and a function that makes recordings. */
export const makeWorkshop = Effect.fnUntraced(function* (options: WorkshopOptions = {}) {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "verbatim-whisper-" })
  const kinds = options.kinds ?? (["whisper", "vad", "embedding"] as const)
  const detected = options.detected ?? "en"
  const catalogue: Array<Model> = []
  for (const kind of kinds) {
    const files: Tiny.Files =
      kind === "whisper"
        ? { ...contents.whisper, decoder: ["decoder.onnx", Tiny.whisperDecoder(detected)] }
        : allContents[kind]
    const placed = Object.entries(files).map(([role, [name, content]]) => {
      const other = options.replacements?.[name]
      return [role, [name, other ?? content], other] as const
    })
    // The catalogue has the true sizes and checksums of the files, so that only the child process
    // can find a fault in them.
    if (kind !== "vad") catalogue.push(modelOf(kind, Object.fromEntries(placed)))
    yield* fs.makeDirectory(join(folder, kind))
    for (const [, [name, content], other] of placed) {
      if (other !== null) yield* fs.writeFile(join(folder, kind, name), content)
    }
  }
  const [model] = catalogue
  if (model === undefined || !isSpeech(model)) return yield* Effect.die("a workshop needs a model")
  const hasDetector = kinds.includes("vad") && options.replacements?.["vad.onnx"] !== null
  const { idleTime, maxSilence, script } = options
  const transcriber = yield* WhisperTranscriber.make({
    folder,
    catalogue,
    model,
    concurrency: options.concurrency ?? { recordings: 1, pieces: 4 },
    machine: options.machine ?? { memoryBytes: 4e9, cores: 4 },
    speechDetector:
      options.speechDetector ?? (hasDetector ? join(folder, "vad", "vad.onnx") : null),
    // Only the test's own limit ends a child process, because a child process can take a long time
    // to respond on a busy machine.
    maxStartTime: Duration.minutes(10),
    ...(script !== undefined && { script }),
    ...(maxSilence !== undefined && { maxSilence }),
    ...(idleTime !== undefined && { idleTime })
  }).pipe(Effect.provide(nodeServices))

  const write = Effect.fnUntraced(function* (samples: Int16Array<ArrayBuffer>) {
    const path = yield* fs.makeTempFileScoped()
    yield* fs.writeFile(path, new Uint8Array(samples.buffer))
    return { path, sampleCount: samples.length } satisfies DecodedAudio
  })

  const record = (...sounds: ReadonlyArray<Sound>) => write(samplesOf(sounds))

  const recognise = (audio: DecodedAudio, settings: Partial<Recognition> = {}) =>
    transcriber.transcribe({
      audio,
      language: null,
      initialPrompt: null,
      isVadFiltered: true,
      isDiarized: false,
      ...settings
    })

  return { folder, transcriber, record, write, recognise }
})

export const silence = (seconds: number): Sound => ({ hertz: 0, seconds })
export const low = (seconds: number): Sound => ({ hertz: 300, seconds })
export const high = (seconds: number): Sound => ({ hertz: 3_000, seconds })

/** Returns how the system describes a process; an empty string if the process has ended. */
const readOf = (path: string): string => {
  try {
    return readFileSync(`/proc/${path}`, "utf8")
  } catch {
    return ""
  }
}

/** Returns the ids of a process's child processes that recognise speech. */
export const children = (of = process.pid): ReadonlyArray<number> =>
  readOf(`${of}/task/${of}/children`)
    .split(" ")
    .filter((pid) => pid !== "" && readOf(`${pid}/cmdline`).includes("whisper/Child.ts"))
    .map(Number)
