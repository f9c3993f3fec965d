/**
 * Simulated recordings. Each is a short string with the job's marker and length, which shows the
 * submission that a result belongs to.
 */
import { Option } from "effect"

/**
 * How the engine recognises a recording: as a whole, in independent pieces, or in pieces that
 * depend on earlier ones.
 */
export type Hearing = "whole" | "pieces" | "context"

export interface Recording {
  /** The job's marker, such as `m7`. */
  readonly marker: string
  readonly durationMillis: number
  readonly isSilent: boolean
  /** Whether recognising the recording kills the process. */
  readonly isLethal: boolean
  readonly hearing: Hearing
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const contentOf = ({ isLethal, isSilent }: Recording): string => {
  if (isLethal) return "death"
  return isSilent ? "silence" : "speech"
}

/** Encodes a recording as a file. */
export const toBytes = (recording: Recording): Uint8Array => {
  const { durationMillis, hearing, marker } = recording
  return encoder.encode(`${marker}:${durationMillis}:${contentOf(recording)}:${hearing}.`)
}

/** A file that the decoder rejects. */
export const poison: Uint8Array = encoder.encode("neither speech nor silence")

const pattern = /^(m\d+):(\d+):(silence|speech|death):(whole|pieces|context)\.$/

/** Decodes a file. Returns none if the file is broken, truncated or not a recording. */
export const parse = (bytes: Uint8Array): Option.Option<Recording> => {
  const found = pattern.exec(decoder.decode(bytes))
  if (found === null) return Option.none()
  const [, marker = "", durationMillis, content, hearing] = found
  return Option.some({
    marker,
    durationMillis: Number(durationMillis),
    isSilent: content === "silence",
    isLethal: content === "death",
    hearing: hearing as Hearing
  })
}

const mention = /\bm\d+\b/g

/** Finds all job markers in a string. */
export const mentions = (text: string): ReadonlyArray<string> => [
  ...new Set(Array.from(text.matchAll(mention), ([marker]) => marker))
]
