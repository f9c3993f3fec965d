/**
 * Measures how loud each channel of a recording is, and whether the channels cancel each other out
 * in a mix. The decoder writes all channels at a low rate, in addition to the audio.
 */
import { open } from "node:fs/promises"
import { type Balance, sampleRate } from "@verbatim/core/transcription"
import { balanceRate, sampleBytes } from "./FfmpegArguments.ts"
import { frameSamples, type Span } from "./SoundFiles.ts"

/** Maximum length in bytes of the header that ffmpeg writes. */
const headByteMax = 512

/** Minimum power of audio that must not be lost (-50 dBFS). */
const quietPower = (32_768 * 10 ** (-50 / 20)) ** 2

/** Power ratio of the loudest channel to the mix: above 20 dB, audio is considered lost. */
const cancelledBy = 100

/**
 * Minimum number of lost frames: one second, or half of all audible frames. A smaller loss may be
 * due to chance.
 */
const lostFramesMin = 10

/** Number of audio samples per sample in the channel-loudness file. */
const step = sampleRate / balanceRate

/** The measurements of a recording's channels. */
export interface Channels {
  /**
   * How loud each of the two channels is over time. Undefined for other layouts, which do not have
   * one voice per side.
   */
  readonly balance?: Balance
  /** The only channel to decode, set if the mix would lose audio from this channel. */
  readonly best?: number
}

/** Counts the frames that would lose their audio in each channel and in the mix. */
export const makeLosses = (channelCount: number) => {
  const lost = new Array<number>(channelCount).fill(0)
  const totals = new Array<number>(channelCount).fill(0)
  let [frameCount, lostInMix] = [0, 0]
  const add = (powers: Float64Array, sum: number): void => {
    const loudest = Math.max(...powers)
    if (loudest < quietPower) return
    frameCount += 1
    if (sum * cancelledBy < loudest) lostInMix += 1
    for (const [channel, power] of powers.entries()) {
      totals[channel] = (totals[channel] ?? 0) + power
      if (power * cancelledBy < loudest) lost[channel] = (lost[channel] ?? 0) + 1
    }
  }
  /**
   * Returns the channel that loses the fewest frames, or the loudest of several such channels.
   * Returns undefined if the mix loses hardly any frames, or no more than that channel.
   */
  const best = (): number | undefined => {
    if (lostInMix === 0 || lostInMix < Math.min(lostFramesMin, frameCount / 2)) return undefined
    const [first] = lost
      .map((count, channel) => ({ channel, count, total: totals[channel] ?? 0 }))
      .sort((a, b) => a.count - b.count || b.total - a.total)
    return first !== undefined && first.count < lostInMix ? first.channel : undefined
  }
  return { add, best }
}

/** Consecutive samples of all channels in one frame, and their position in the audio. */
interface Run {
  readonly at: number
  readonly count: number
  readonly position: number
}

/** Accumulates the samples of all channels, frame by frame, at their positions in time. */
const makeFold = (channelCount: number, length: number) => {
  const frameCount = Math.ceil(length / frameSamples)
  const powers = new Float32Array(channelCount === 2 ? frameCount * 2 : 0)
  const losses = makeLosses(channelCount)
  const frame = new Float64Array(channelCount)
  let [current, count, sum] = [0, 0, 0]
  const end = (): void => {
    if (count > 0) {
      const means = frame.map((power) => power / count)
      losses.add(means, sum / count)
      if (channelCount === 2 && current < frameCount) powers.set(means, current * 2)
    }
    frame.fill(0)
    count = 0
    sum = 0
  }
  /**
   * Adds samples of one frame. This is the innermost loop, which runs for every channel of every
   * sample.
   */
  const add = (samples: Int16Array, run: Run): void => {
    const next = Math.floor(run.position / frameSamples)
    if (next !== current) {
      end()
      current = next
    }
    const to = run.at + run.count * channelCount
    for (let at = run.at; at < to; at += channelCount) {
      let total = 0
      for (let channel = 0; channel < channelCount; channel += 1) {
        const sample = samples[at + channel] ?? 0
        frame[channel] = (frame[channel] ?? 0) + sample * sample
        total += sample
      }
      sum += total * total
    }
    count += run.count
  }
  const result = (): Channels => {
    end()
    const best = losses.best()
    return {
      ...(channelCount === 2 && { balance: { sideCount: 2, powers, isSpeakerPerSide: false } }),
      ...(best !== undefined && { best })
    }
  }
  return { add, result }
}

/**
 * Measures the file that contains all channels, up to the end sample. The spans give the audio's
 * positions in time.
 */
export const readChannels = async (
  path: string,
  audio: { readonly spans: ReadonlyArray<Span>; readonly end: number; readonly signal: AbortSignal }
): Promise<Channels> => {
  const { end, signal, spans } = audio
  const file = await open(path, "r")
  try {
    const head = Buffer.alloc(headByteMax)
    const { bytesRead } = await file.read(head, 0, headByteMax, 0)
    const start = head.subarray(0, bytesRead).indexOf("data", 36, "latin1") + 8
    const channelCount = head.readUInt16LE(22)
    if (start < 44 || channelCount < 2) return {}
    const fold = makeFold(channelCount, end)
    const block = Buffer.alloc(8_192 * channelCount * sampleBytes)
    let [sample, index] = [0, 0]
    for (let at = start; !signal.aborted; at += block.length) {
      const found = await file.read(block, 0, block.length, at)
      const samples = new Int16Array(block.buffer, block.byteOffset, block.length / sampleBytes)
      const count = Math.floor(found.bytesRead / sampleBytes / channelCount)
      for (let each = 0; each < count; ) {
        const from = sample * step
        while ((spans[index + 1]?.from ?? Number.POSITIVE_INFINITY) <= from) index += 1
        const span = spans[index] ?? { from: 0, at: 0 }
        const position = span.at + from - span.from
        const room = Math.min(
          frameSamples - (position % frameSamples),
          (spans[index + 1]?.from ?? Number.POSITIVE_INFINITY) - from
        )
        const length = Math.min(count - each, Math.ceil(room / step))
        fold.add(samples, { at: each * channelCount, count: length, position })
        sample += length
        each += length
      }
      if (found.bytesRead < block.length) break
    }
    return fold.result()
  } finally {
    await file.close()
  }
}
