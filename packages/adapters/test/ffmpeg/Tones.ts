/** Builds recordings with certain tones at certain times, and finds these tones again. */
import { wav } from "@verbatim/testkit/samples"

/** A beep in one channel. */
export interface Beep {
  readonly hz: number
  /** The start of the beep in seconds. */
  readonly at: number
  /** The loudness of the beep, relative to the default. A negative value inverts the phase. */
  readonly gain?: number
  readonly seconds?: number
}

/** Returns a recording with the given beeps in each channel. */
export interface Recording {
  readonly rate: number
  readonly seconds: number
  readonly channels: ReadonlyArray<ReadonlyArray<Beep>>
}

const beepSeconds = 0.4
const amplitude = 12_000

/** Returns the recording as a 16-bit WAV file. */
export const toWav = ({ channels, rate, seconds }: Recording): Uint8Array => {
  const sampleCount = Math.round(seconds * rate)
  const samples = new Int16Array(sampleCount * channels.length)
  for (const [channel, beeps] of channels.entries()) {
    for (const { at, gain = 1, hz, seconds: length = beepSeconds } of beeps) {
      const from = Math.round(at * rate)
      const to = Math.min(sampleCount, Math.round((at + length) * rate))
      for (let index = from; index < to; index += 1) {
        const position = index * channels.length + channel
        const sample = amplitude * gain * Math.sin((2 * Math.PI * hz * (index - from)) / rate)
        samples[position] = (samples[position] ?? 0) + Math.round(sample)
      }
    }
  }
  const format = { sampleRate: rate, channels: channels.length, sampleCount }
  return wav(format, new Uint8Array(samples.buffer))
}

const decodedRate = 16_000

/** The length of a window: 100 ms, so that tones at different multiples of 10 Hz do not mix. */
const windowSamples = 1_600
const windowStep = 160

/** Returns the amplitude of a tone in a window, with Goertzel's algorithm. */
const amplitudeIn = (samples: Int16Array, { from, hz }: { from: number; hz: number }): number => {
  const factor = 2 * Math.cos((2 * Math.PI * hz) / decodedRate)
  let [last, before] = [0, 0]
  for (let index = from; index < from + windowSamples; index += 1) {
    const next = (samples[index] ?? 0) + factor * last - before
    before = last
    last = next
  }
  const power = last ** 2 + before ** 2 - factor * last * before
  return (2 * Math.sqrt(Math.max(0, power))) / windowSamples
}

/** The lowest amplitude that counts as a tone. Lower amplitudes are noise from the encoder. */
const audibleAmplitude = 60

/** Returns when a tone begins in decoded audio, in seconds; undefined if it does not occur. */
export const findTone = (samples: Int16Array, hz: number): number | undefined => {
  const amplitudes: Array<number> = []
  for (let from = 0; from + windowSamples <= samples.length; from += windowStep) {
    amplitudes.push(amplitudeIn(samples, { from, hz }))
  }
  const loudest = amplitudes.reduce((most, each) => Math.max(most, each), 0)
  if (loudest < audibleAmplitude) return undefined
  // The first loud window begins half a window before the tone, because the tone must fill half of
  // it.
  const first = amplitudes.findIndex((each) => each > loudest / 2)
  return (first * windowStep + windowSamples / 2) / decodedRate
}
