/**
 * Reads and writes decoded audio on disk: positions audio in time, measures peaks, and mixes
 * tracks.
 */
import { createHash } from "node:crypto"
import { type FileHandle, open } from "node:fs/promises"
import {
  type Balance,
  balanceFrameMillis,
  makePeakFold,
  type Peaks,
  sampleRate
} from "@verbatim/core/transcription"
import { sampleBytes } from "./FfmpegArguments.ts"

// Positions decoded audio in time. If a container has a timestamp for each packet, audio can be
// missing: a call was muted, a recorder was paused, packets were lost, or the audio starts after
// the video. The decoder joins the existing audio without gaps, and the packet timestamps show
// where each part belongs. Pure.

/** Audio from one sample up to the next span, and its position in the recording. */
export interface Span {
  readonly from: number
  readonly at: number
}

/**
 * Minimum length of a gap. Smaller gaps come from rounded container timestamps or an encoder's
 * padding.
 */
const holeMin = sampleRate / 10

/** Minimum jump back in time that shows the start of another recording, as in joined files. */
const restartMin = sampleRate

/**
 * Formats with meaningful packet timestamps. A format is identified by the first of its ffmpeg
 * names.
 */
const timedFormats: ReadonlySet<string> = new Set(["asf", "flv", "matroska", "mov"])

/**
 * Whether a format's packets have meaningful timestamps. In joined streams of other formats,
 * timestamps restart.
 */
export const isTimed = (format: string): boolean => timedFormats.has(format)

/** Collects packets, which must be added in the order of the decoded audio. */
export interface Timeline {
  readonly add: (packet: { readonly time: number; readonly count: number }) => void
  readonly spans: () => ReadonlyArray<Span>
}

/**
 * Creates a timeline that gives each packet a position in samples. No audio is dropped or
 * reordered.
 */
export const makeTimeline = (): Timeline => {
  const spans: Array<Span> = [{ from: 0, at: 0 }]
  let [from, next, offset] = [0, 0, 0]
  const add: Timeline["add"] = ({ count, time }) => {
    const ahead = time + offset - next
    if (ahead < -restartMin) offset -= ahead
    if (ahead > holeMin) {
      next += ahead
      if (from === 0) spans.pop()
      spans.push({ from, at: next })
    }
    from += count
    next += count
  }
  return { add, spans: () => spans }
}

/** Returns the end, in samples, of a recording with the given spans. */
export const endOf = (spans: ReadonlyArray<Span>, sampleCount: number): number => {
  const last = spans.at(-1) ?? { from: 0, at: 0 }
  return last.at + sampleCount - last.from
}

/** A line of ffmpeg's `framecrc` format: stream, two timestamps, duration, bytes. */
const packetLine = /^0, *-?\d+, *(-?\d{1,15}), *-?\d+, *(\d{1,9}),/

/** Adds the packets described by the given lines of `framecrc` output. */
export const addLines = ({ add }: Timeline, lines: ReadonlyArray<string>): void => {
  for (const line of lines) {
    const [, time, bytes] = packetLine.exec(line) ?? []
    if (time === undefined) continue
    add({ time: Number(time), count: Math.floor(Number(bytes) / sampleBytes) })
  }
}

/**
 * Bytes to process per step. A step takes a tenth of a millisecond, so other work is not blocked.
 */
const readBytes = 128 * 1_024

/** Number of samples per frame when the loudness of two channels is compared. */
export const frameSamples = (balanceFrameMillis * sampleRate) / 1_000

const withFile = async <A>(
  [path, flags]: readonly [path: string, flags: "r" | "wx"],
  use: (file: FileHandle) => Promise<A>
): Promise<A> => {
  const file = await open(path, flags, 0o600)
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}

/** Yields a file's bytes from one position up to another, or to the end of the file. */
async function* readBlocks(
  file: FileHandle,
  { from, signal, to }: { readonly from: number; readonly to: number; readonly signal: AbortSignal }
): AsyncGenerator<{ readonly bytes: Buffer; readonly at: number }> {
  const block = Buffer.alloc(readBytes)
  for (let at = from; at < to; ) {
    signal.throwIfAborted()
    const { bytesRead } = await file.read(block, 0, Math.min(readBytes, to - at), at)
    if (bytesRead === 0) return
    yield { bytes: block.subarray(0, bytesRead), at }
    at += bytesRead
  }
}

/** Reads packet timestamps from a file, and returns the spans of the decoded audio. */
export const readSpans = (path: string, signal: AbortSignal): Promise<ReadonlyArray<Span>> =>
  withFile([path, "r"], async (file) => {
    const timeline = makeTimeline()
    let rest = ""
    for await (const { bytes } of readBlocks(file, {
      from: 0,
      to: Number.MAX_SAFE_INTEGER,
      signal
    })) {
      const lines = `${rest}${bytes.toString("latin1")}`.split("\n")
      rest = lines.pop() ?? ""
      addLines(timeline, lines)
    }
    return timeline.spans()
  })

/** Writes audio at its positions in time. Gaps take no disk space and are read as silence. */
export const writeSpans = (
  [from, to]: readonly [from: string, to: string],
  { signal, spans }: { readonly spans: ReadonlyArray<Span>; readonly signal: AbortSignal }
): Promise<void> =>
  withFile([from, "r"], (input) =>
    withFile([to, "wx"], async (output) => {
      for (const [index, span] of spans.entries()) {
        const start = span.from * sampleBytes
        const end = (spans[index + 1]?.from ?? Number.MAX_SAFE_INTEGER) * sampleBytes
        const shift = (span.at - span.from) * sampleBytes
        for await (const { at, bytes } of readBlocks(input, { from: start, to: end, signal })) {
          await output.write(bytes, 0, bytes.length, at + shift)
        }
      }
    })
  )

/** Loops by index, because an array's iterator takes six times as long. */
const topOf = (samples: Int16Array): number => {
  let top = 0
  for (let index = 0; index < samples.length; index += 1) {
    const sample = samples[index] ?? 0
    if (sample > top) top = sample
    else if (-sample > top) top = -sample
  }
  return top
}

/** The peaks of audio over time, and the largest magnitude of any sample. */
export interface Loudness {
  readonly peaks: Peaks
  readonly top: number
}

/** Measures the loudness of audio. */
export const readLoudness = (
  path: string,
  { sampleCount, signal }: { readonly sampleCount: number; readonly signal: AbortSignal }
): Promise<Loudness> =>
  withFile([path, "r"], async (file) => {
    const fold = makePeakFold(sampleCount)
    let top = 0
    const to = sampleCount * sampleBytes
    for await (const { bytes } of readBlocks(file, { from: 0, to, signal })) {
      const samples = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / sampleBytes)
      fold.add(samples)
      top = Math.max(top, topOf(samples))
    }
    return { peaks: fold.peaks(), top }
  })

/** Returns the SHA-256 hash of an audio range, in hexadecimal. */
export const hashSound = (
  path: string,
  { from, signal, to }: { readonly from: number; readonly to: number; readonly signal: AbortSignal }
): Promise<string> =>
  withFile([path, "r"], async (file) => {
    const hash = createHash("sha256")
    const range = { from: from * sampleBytes, to: to * sampleBytes, signal }
    for await (const { bytes } of readBlocks(file, range)) hash.update(bytes)
    return hash.digest("hex")
  })

/** Number of frames to mix in each step. */
const mixFrames = 40

/** Adds a track's samples to a block of the mix, and returns the track's power in each frame. */
const addTrack = async (file: FileHandle, { at, sums }: { at: number; sums: Int32Array }) => {
  const block = Buffer.alloc(sums.length * sampleBytes)
  const { bytesRead } = await file.read(block, 0, block.length, at * sampleBytes)
  const samples = new Int16Array(block.buffer, block.byteOffset, sums.length)
  const powers = new Float32Array(Math.ceil(bytesRead / sampleBytes / frameSamples))
  for (let index = 0; index < samples.length; index += 1) {
    const sample = samples[index] ?? 0
    sums[index] = (sums[index] ?? 0) + sample
    const frame = Math.floor(index / frameSamples)
    if (frame < powers.length) powers[frame] = (powers[frame] ?? 0) + sample ** 2 / frameSamples
  }
  return powers
}

/**
 * Mixes tracks with equal weights that sum to 1, so that the mix never clips. Returns the loudness
 * of each track.
 */
export const mixTracks = async (
  paths: ReadonlyArray<string>,
  target: { readonly path: string; readonly sampleCount: number; readonly signal: AbortSignal }
): Promise<Balance> => {
  const { path, sampleCount, signal } = target
  const sideCount = paths.length
  const powers = new Float32Array(Math.ceil(sampleCount / frameSamples) * sideCount)
  const files = await Promise.all(paths.map((each) => open(each, "r")))
  try {
    await withFile([path, "wx"], async (output) => {
      for (let at = 0; at < sampleCount; at += mixFrames * frameSamples) {
        signal.throwIfAborted()
        const count = Math.min(mixFrames * frameSamples, sampleCount - at)
        const sums = new Int32Array(count)
        for (const [side, file] of files.entries()) {
          const found = await addTrack(file, { at, sums })
          const first = at / frameSamples
          for (const [frame, power] of found.entries()) {
            powers[(first + frame) * sideCount + side] = power
          }
        }
        const mixed = Int16Array.from(sums, (sum) => Math.round(sum / sideCount))
        await output.write(new Uint8Array(mixed.buffer), 0, count * sampleBytes, at * sampleBytes)
      }
    })
  } finally {
    await Promise.all(files.map((file) => file.close()))
  }
  return { sideCount, powers, isSpeakerPerSide: true }
}
