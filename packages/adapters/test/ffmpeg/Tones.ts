/** Builds recordings with known tones at known times, and detects the tones. */
import { wav } from "@verbatim/testkit/samples"

/** Describes a beep in one channel. */
export interface Beep {
  readonly hz: number
  /** The beep's start in seconds. */
  readonly at: number
  /** Loudness relative to the default. A negative value inverts the phase. */
  readonly gain?: number
  readonly seconds?: number
}

/** A recording that consists of the given beeps in each channel. */
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

/** A window of 100 ms, so that tones a multiple of 10 Hz apart do not affect each other. */
const windowSamples = 1_600
const windowStep = 160

/** Returns a tone's amplitude in a window, using Goertzel's algorithm. */
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

/** A tone's minimum amplitude; anything less is encoder noise. */
const audibleAmplitude = 60

/**
 * Returns where a tone begins in decoded audio, in seconds, or undefined if there is no such tone.
 */
export const findTone = (samples: Int16Array, hz: number): number | undefined => {
  const amplitudes: Array<number> = []
  for (let from = 0; from + windowSamples <= samples.length; from += windowStep) {
    amplitudes.push(amplitudeIn(samples, { from, hz }))
  }
  const loudest = amplitudes.reduce((most, each) => Math.max(most, each), 0)
  if (loudest < audibleAmplitude) return undefined
  // The first loud window begins half a window before the tone, so the tone fills half of the
  // window.
  const first = amplitudes.findIndex((each) => each > loudest / 2)
  return (first * windowStep + windowSamples / 2) / decodedRate
}
