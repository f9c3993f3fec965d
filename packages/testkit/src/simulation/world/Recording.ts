/**
 * Recordings that stand for media: a short text that names its job and its length, so that
 * everything made from it can be traced back to whoever submitted it.
 */
import { Option } from "effect"

/** What a recording holds. */
export interface Recording {
  /** Names the job: `m7`. */
  readonly marker: string
  readonly durationMillis: number
  readonly isSilent: boolean
  /** Whether every process dies that recognises it. */
  readonly isLethal: boolean
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const contentOf = ({ isLethal, isSilent }: Recording): string => {
  if (isLethal) return "death"
  return isSilent ? "silence" : "speech"
}

/** A recording as a file. */
export const toBytes = (recording: Recording): Uint8Array =>
  encoder.encode(`${recording.marker}:${recording.durationMillis}:${contentOf(recording)}.`)

/** Bytes that no decoder can read. */
export const poison: Uint8Array = encoder.encode("neither speech nor silence")

const pattern = /^(m\d+):(\d+):(silence|speech|death)\.$/

/** Reads a file; none when it is broken, cut short, or something else. */
export const parse = (bytes: Uint8Array): Option.Option<Recording> => {
  const found = pattern.exec(decoder.decode(bytes))
  if (found === null) return Option.none()
  const [, marker = "", durationMillis, content] = found
  return Option.some({
    marker,
    durationMillis: Number(durationMillis),
    isSilent: content === "silence",
    isLethal: content === "death"
  })
}

const mention = /\bm\d+\b/g

/** The jobs that a text speaks of. */
export const mentions = (text: string): ReadonlyArray<string> => [
  ...new Set(Array.from(text.matchAll(mention), ([marker]) => marker))
]
