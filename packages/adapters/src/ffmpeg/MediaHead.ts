/**
 * Reads the first bytes of a recording before it is decoded: what WAV and FLAC headers declare, and
 * whether the file is a web page. A file that declares too much audio is not decoded.
 */
import type { FileHandle } from "node:fs/promises"
import type { Reason } from "./FfmpegOutcome.ts"

/** The values that a header declares. All other values are undefined. */
interface DeclaredAudio {
  readonly sampleRate?: number
  /** The declared length in seconds, even if the file is shorter or longer. */
  readonly seconds?: number
  /**
   * The offset of the audio's end according to the header, and the number of bytes per second of
   * audio.
   */
  readonly end?: { readonly at: number; readonly byteRate: number }
}

/** The values declared at the start of a recording. */
export interface Head {
  /** The declared length in seconds. */
  readonly declared?: number
  readonly isHtml: boolean
  /** Whether audio continues after the end that a WAV file declares. */
  readonly isLengthIgnored: boolean
}

/**
 * Minimum sample rate: speech is recorded at 8,000 Hz or more. Each sample at 1 Hz would become
 * 16,000 decoded samples.
 */
const sampleRateMin = 1_000

/** Maximum length in bytes of the chunks before the audio. */
const headByteMax = 4_096

/** Placeholders that encoders write as a length when they do not know it yet. */
const unknownLengths: ReadonlySet<number> = new Set([0, 0x7fffffff, 0xffffffff])

/** WAV formats in which every sample has the same size: PCM, float, A-law, mu-law. */
const plainFormats: ReadonlySet<number> = new Set([1, 3, 6, 7, 0xfffe])

const tagAt = (head: Buffer, at: number): string => head.toString("latin1", at, at + 4)

/**
 * Reads the chunks of a RIFF file. A chunk is a name, a length, that many bytes, and a padding byte
 * if the length is odd.
 */
const readWav = (head: Buffer): DeclaredAudio => {
  let declared: DeclaredAudio = {}
  let byteRate = 0
  for (let at = 12; at + 24 <= head.length; ) {
    const tag = tagAt(head, at)
    const byteLength = head.readUInt32LE(at + 4)
    if (tag === "fmt ") {
      const sampleRate = head.readUInt32LE(at + 12)
      declared = { sampleRate }
      // The declared byte rate is not used. Players do not need this value, so some writers set it
      // wrongly.
      const isPlain = plainFormats.has(head.readUInt16LE(at + 8))
      byteRate = isPlain ? sampleRate * head.readUInt16LE(at + 20) : 0
    }
    const next = at + 8 + byteLength + (byteLength % 2)
    if (tag === "data") {
      if (byteRate === 0 || unknownLengths.has(byteLength)) return declared
      return { ...declared, seconds: byteLength / byteRate, end: { at: next, byteRate } }
    }
    at = next
  }
  return declared
}

/**
 * Reads the first block of a FLAC file: 20 bits of sample rate at byte 18, and 36 bits of sample
 * count after 8 other bits.
 */
const readFlac = (head: Buffer): DeclaredAudio => {
  if (head.length < 26) return {}
  const sampleRate = head.readUIntBE(18, 3) >>> 4
  const samples = (head.readUInt8(21) % 16) * 2 ** 32 + head.readUInt32BE(22)
  return sampleRate > 0 && samples > 0 ? { sampleRate, seconds: samples / sampleRate } : {}
}

const read = (head: Buffer): DeclaredAudio => {
  if (tagAt(head, 0) === "RIFF" && tagAt(head, 8) === "WAVE") return readWav(head)
  return tagAt(head, 0) === "fLaC" ? readFlac(head) : {}
}

/** Whether the declared end is followed by more than a second of data that is not another chunk. */
const isCutShort = async (file: FileHandle, { end }: DeclaredAudio, byteLength: number) => {
  if (end === undefined || byteLength - end.at <= end.byteRate) return false
  const chunk = Buffer.alloc(8)
  await file.read(chunk, 0, chunk.length, end.at)
  const isNamed = /^[\x20-\x7e]{4}$/.test(tagAt(chunk, 0))
  return !isNamed || end.at + chunk.length + chunk.readUInt32LE(4) > byteLength
}

const page = /^\s*<(?:!doctype html|html|head|body)\b/i

/** Reads a recording's head, or returns the reason not to decode the recording. */
export const readHead = async (
  file: FileHandle,
  { byteLength, hoursMax }: { readonly byteLength: number; readonly hoursMax: number }
): Promise<Head | Reason> => {
  if (byteLength === 0) return { _tag: "MediaUndecodable", detail: "it is empty", cause: "Empty" }
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headByteMax), 0, headByteMax, 0)
  const head = buffer.subarray(0, bytesRead)
  const declared = read(head)
  const { sampleRate, seconds = 0, end } = declared
  if (sampleRate !== undefined && sampleRate < sampleRateMin) {
    return { _tag: "MediaUndecodable", detail: `its sample rate is ${sampleRate} Hz` }
  }
  const held = end === undefined ? seconds : Math.min(seconds, byteLength / end.byteRate)
  if (held > hoursMax * 3_600) return { _tag: "AudioTooLong", maxHours: hoursMax }
  const isLengthIgnored = await isCutShort(file, declared, byteLength)
  return {
    isHtml: page.test(head.toString("latin1").replace(/^\xef\xbb\xbf/, "")),
    isLengthIgnored,
    ...(seconds > 0 && !isLengthIgnored && { declared: seconds })
  }
}
