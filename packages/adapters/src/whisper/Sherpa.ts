/** The parts of sherpa-onnx-node 1.13 that we use: it ships no types. */

/** A sound to be recognised. */
interface OfflineStream {
  acceptWaveform(waveform: { readonly samples: Float32Array; readonly sampleRate: number }): void
}

/** What a model says. Times are seconds from the beginning of the stream. */
export interface RecognitionResult {
  /** Whisper: the code of the language, even when it was detected. Other models: mostly empty. */
  readonly lang: string
  readonly text: string
  readonly tokens: ReadonlyArray<string>
  /** Times of tokens; empty where the model has none. */
  readonly timestamps: ReadonlyArray<number>
  readonly durations?: ReadonlyArray<number>
  readonly segment_timestamps?: ReadonlyArray<number>
  readonly segment_durations?: ReadonlyArray<number>
  readonly segment_texts?: ReadonlyArray<string>
}

/** A loaded model. */
export interface OfflineRecognizer {
  createStream(): OfflineStream
  /** Of another language: the model itself is not loaded again. */
  setConfig(config: object): void
  decodeAsync(stream: OfflineStream): Promise<RecognitionResult>
}

/** Finds speech in what it is fed. */
interface Vad {
  acceptWaveform(samples: Float32Array): void
  isEmpty(): boolean
  front(enableExternalBuffer: boolean): { readonly start: number; readonly samples: Float32Array }
  pop(): void
  flush(): void
}

/** The package. */
export interface Sherpa {
  readonly OfflineRecognizer: {
    readonly createAsync: (config: object) => Promise<OfflineRecognizer>
  }
  readonly Vad: new (config: object, bufferSizeInSeconds: number) => Vad
  readonly SpeakerEmbeddingExtractor: new (config: object) => { readonly dim: number }
  readonly OfflineSpeakerDiarization: new (config: object) => { readonly handle: object }
}

/** The native half, `addon.js`: its asynchronous diarization is not in the classes. */
export interface SherpaAddon {
  readonly offlineSpeakerDiarizationProcessAsync: (
    handle: object,
    samples: Float32Array,
    onProgress: (done: number, total: number) => number
  ) => Promise<
    ReadonlyArray<{ readonly start: number; readonly end: number; readonly speaker: number }>
  >
}
