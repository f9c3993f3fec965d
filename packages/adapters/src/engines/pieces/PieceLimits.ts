/** What a piece of audio may weigh and how long its answer may take, whoever is asked. Pure. */
import { sampleRate } from "@verbatim/core/transcription"
import { Duration } from "effect"

/** The limit of OpenAI, which others have copied. */
export const uploadBytesMax = 25_000_000

/** Whatever the limit, a piece is long enough to be worth a request. */
const pieceSecondsMin = 5

/** Servers refuse shorter audio, and it holds no word. */
export const soundMillisMin = 100

/** A slow server needs four times the audio's length; the rest is sending and starting. */
const timeoutFactor = 4
const startTimeout = Duration.seconds(90)
const sentBytesPerSecondMin = 32 * 1024

/** The fewest samples of a piece. */
export const samplesMin = pieceSecondsMin * sampleRate

/** How long to wait for the answer about so much audio. */
export const answerTimeout = (sent: { readonly seconds: number; readonly bytes: number }) =>
  Duration.sum(
    startTimeout,
    Duration.seconds(sent.seconds * timeoutFactor + sent.bytes / sentBytesPerSecondMin)
  )

/** The millisecond at a sample. */
export const millisAt = (sample: number): number => Math.round((sample * 1_000) / sampleRate)
