/** Provides the raw audio and the ffmpeg runs that the test recordings are made from. */
import type { Encoding } from "./Encoder.ts"
import { type Beep, toWav } from "./Tones.ts"

/** Three tones in Hz, which occur in this order. */
export const [low, high, third] = [500, 800, 1_100]
const first: Beep = { hz: low, at: 0.5 }

/** A quiet tone that keeps every packet audible. */
const hum = (seconds: number): Beep => ({ hz: 300, at: 0, seconds, gain: 0.2 })

const both = (channel: ReadonlyArray<Beep>) => [channel, channel]

const plainBeeps = [first, { hz: high, at: 3 }, hum(4)]
const longBeeps = [first, { hz: high, at: 5 }]
/** A different tone for each channel. */
export const tonesOf = (count: number) =>
  Array.from({ length: count }, (_, channel) => ({ hz: 400 + 50 * channel, at: 1 }))

/** The numbers of channels to test. 64 is the most that ffmpeg can mix. */
export const channelCounts = [1, 3, 6, 8, 64]

/** The raw audio of all recordings, by file name. */
export const inputs: Encoding["inputs"] = {
  "plain.wav": toWav({ rate: 44_100, seconds: 4, channels: both(plainBeeps) }),
  "mono.wav": toWav({ rate: 16_000, seconds: 4, channels: [plainBeeps] }),
  "phone.wav": toWav({ rate: 8_000, seconds: 4, channels: [plainBeeps] }),
  "long.wav": toWav({ rate: 44_100, seconds: 6, channels: both(longBeeps) }),
  "humming.wav": toWav({ rate: 44_100, seconds: 6, channels: both([...longBeeps, hum(6)]) }),
  "first.wav": toWav({ rate: 44_100, seconds: 4, channels: [[first]] }),
  "second.wav": toWav({ rate: 44_100, seconds: 4, channels: [[{ hz: high, at: 2 }]] }),
  "third.wav": toWav({ rate: 44_100, seconds: 3, channels: [[{ hz: third, at: 2.5 }]] }),
  "silent.wav": toWav({ rate: 44_100, seconds: 4, channels: [[]] }),
  "opposite.wav": toWav({
    rate: 44_100,
    seconds: 4,
    channels: [plainBeeps, plainBeeps.map((beep) => ({ ...beep, gain: -(beep.gain ?? 1) }))]
  }),
  "half-opposite.wav": toWav({
    rate: 44_100,
    seconds: 4,
    channels: [
      [first, { hz: high, at: 2, seconds: 1.5 }],
      [first, { hz: high, at: 2, seconds: 1.5, gain: -1 }]
    ]
  }),
  ...Object.fromEntries(
    channelCounts.map((count) => [
      `${count}-microphones.wav`,
      toWav({ rate: 16_000, seconds: 2, channels: tonesOf(count).map((beep) => [beep]) })
    ])
  )
}
