/**
 * Where decoded audio belongs in time. Some containers give each packet a time of its own and leave
 * out silence: a muted call, a paused recorder, lost packets, sound that starts after the picture.
 * The decoder joins what is there; the times of its packets tell where it was. Pure.
 */
import { sampleRate } from "@verbatim/core/transcription"
import { sampleBytes } from "./FfmpegArguments.ts"

/** Audio from a sample on, up to the next span, and the sample of the recording that it is at. */
export interface Span {
  readonly from: number
  readonly at: number
}

/** Less is how precisely containers tell the time, or the padding of an encoder. */
const holeMin = sampleRate / 10

/** Times that go back by more start again, as where recordings were joined. */
const restartMin = sampleRate

/** The formats, by their first names, whose packets have times that mean something. */
const timedFormats: ReadonlySet<string> = new Set(["asf", "flv", "matroska", "mov"])

/** Whether the packets of a format have times. Joined streams of others begin again and again. */
export const isTimed = (format: string): boolean => timedFormats.has(format)

/** Takes packets in the order of the decoded audio. */
export interface Timeline {
  readonly add: (packet: { readonly time: number; readonly count: number }) => void
  readonly spans: () => ReadonlyArray<Span>
}

/** Follows the times of packets, in samples. No audio is ever dropped or moved before other. */
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

/** The end of a recording whose spans these are, in samples. */
export const endOf = (spans: ReadonlyArray<Span>, sampleCount: number): number => {
  const last = spans.at(-1) ?? { from: 0, at: 0 }
  return last.at + sampleCount - last.from
}

/** Stream, two times, duration, bytes: a line of ffmpeg's format `framecrc`. */
const packetLine = /^0, *-?\d+, *(-?\d{1,15}), *-?\d+, *(\d{1,9}),/

/** Adds the packets of some lines. */
export const addLines = ({ add }: Timeline, lines: ReadonlyArray<string>): void => {
  for (const line of lines) {
    const [, time, bytes] = packetLine.exec(line) ?? []
    if (time === undefined) continue
    add({ time: Number(time), count: Math.floor(Number(bytes) / sampleBytes) })
  }
}
