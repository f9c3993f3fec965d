/**
 * Declares types for the parts of sherpa-onnx-node 1.13 that are used here, because the package has
 * no types.
 */

/** Audio for a model to recognise. */
interface Stream {
  acceptWaveform(waveform: { readonly samples: Float32Array; readonly sampleRate: number }): void
}

/** The result of a model. Timestamps are in seconds from the start of the stream. */
export interface RecognitionResult {
  /**
   * The code of the requested or detected language for Whisper models; mostly empty for other
   * models.
   */
  readonly lang: string
  readonly text: string
  readonly tokens: ReadonlyArray<string>
  /** The tokens' start timestamps. Empty if the model does not report any. */
  readonly timestamps: ReadonlyArray<number>
  readonly durations?: ReadonlyArray<number>
  readonly segment_timestamps?: ReadonlyArray<number>
  readonly segment_durations?: ReadonlyArray<number>
  readonly segment_texts?: ReadonlyArray<string>
}

/** A loaded model that recognises speech. */
export interface OfflineRecognizer {
  /**
   * Creates a stream, optionally with hot words separated by slashes. Hot words need a transducer
   * with beam search: any other model crashes the process.
   */
  createStream(hotWords?: string): Stream
  /** Changes the language without loading the model again. */
  setConfig(config: object): void
  decodeAsync(stream: Stream): Promise<RecognitionResult>
}

/** Finds speech in the given audio. */
interface Vad {
  acceptWaveform(samples: Float32Array): void
  isEmpty(): boolean
  front(enableExternalBuffer: boolean): { readonly start: number; readonly samples: Float32Array }
  pop(): void
  flush(): void
}

/** A loaded model that computes voiceprints. */
export interface SpeakerEmbeddingExtractor {
  /** The number of dimensions in a voiceprint. */
  readonly dim: number
  createStream(): Stream & { inputFinished(): void }
  /** Whether the stream has enough audio for a voiceprint. */
  isReady(stream: Stream): boolean
  compute(stream: Stream, enableExternalBuffer: boolean): Float32Array
}

/** The exports of the package sherpa-onnx-node. */
export interface Sherpa {
  readonly OfflineRecognizer: {
    readonly createAsync: (config: object) => Promise<OfflineRecognizer>
  }
  readonly Vad: new (config: object, bufferSizeInSeconds: number) => Vad
  readonly SpeakerEmbeddingExtractor: new (config: object) => SpeakerEmbeddingExtractor
}
