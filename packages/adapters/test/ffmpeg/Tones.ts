/** Recordings whose content is known: tones at known times, and how to find them again. */

/** A beep of one channel. */
export interface Beep {
  readonly hz: number
  /** In seconds. */
  readonly at: number
  /** 1 is the usual loudness; below zero it swings the other way. */
  readonly gain?: number
  readonly seconds?: number
}

/** Plain sound: the beeps of each channel. */
export interface Recording {
  readonly rate: number
  readonly seconds: number
  readonly channels: ReadonlyArray<ReadonlyArray<Beep>>
}

const beepSeconds = 0.4
const amplitude = 12_000

/** A WAV file of it, 16 bit. */
export const toWav = ({ channels, rate, seconds }: Recording): Buffer => {
  const blockBytes = channels.length * 2
  const count = Math.round(seconds * rate)
  const headBytes = 44
  const bytes = Buffer.alloc(headBytes + count * blockBytes)
  bytes.write("RIFF", 0)
  bytes.writeUInt32LE(bytes.length - 8, 4)
  bytes.write("WAVEfmt ", 8)
  bytes.writeUInt32LE(headBytes - 28, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(channels.length, 22)
  bytes.writeUInt32LE(rate, 24)
  bytes.writeUInt32LE(rate * blockBytes, 28)
  bytes.writeUInt16LE(blockBytes, 32)
  bytes.writeUInt16LE(16, 34)
  bytes.write("data", headBytes - 8)
  bytes.writeUInt32LE(count * blockBytes, headBytes - 4)
  for (const [channel, beeps] of channels.entries()) {
    for (const { at, gain = 1, hz, seconds: length = beepSeconds } of beeps) {
      const from = Math.round(at * rate)
      const to = Math.min(count, Math.round((at + length) * rate))
      for (let index = from; index < to; index += 1) {
        const position = headBytes + index * blockBytes + channel * 2
        const sample = amplitude * gain * Math.sin((2 * Math.PI * hz * (index - from)) / rate)
        bytes.writeInt16LE(bytes.readInt16LE(position) + Math.round(sample), position)
      }
    }
  }
  return bytes
}

const decodedRate = 16_000

/** 100 ms: tones that are 10 Hz apart, or a multiple, do not see each other. */
const windowSamples = 1_600
const windowStep = 160

/** The amplitude of a tone in a window, by Goertzel's rule. */
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

/** Quieter tones are the noise of an encoder. */
const audibleAmplitude = 60

/** Where a tone begins in decoded audio, in seconds; nothing where it is not heard. */
export const findTone = (samples: Int16Array, hz: number): number | undefined => {
  const amplitudes: Array<number> = []
  for (let from = 0; from + windowSamples <= samples.length; from += windowStep) {
    amplitudes.push(amplitudeIn(samples, { from, hz }))
  }
  const loudest = amplitudes.reduce((most, each) => Math.max(most, each), 0)
  if (loudest < audibleAmplitude) return undefined
  // A window that begins half of its length before the tone is half full of it.
  const first = amplitudes.findIndex((each) => each > loudest / 2)
  return (first * windowStep + windowSamples / 2) / decodedRate
}
