/**
 * What a recording says about itself, where its first bytes tell: WAV and FLAC. It is believed only
 * against the recording: what declares too much is not decoded at all.
 */
import type { FileHandle } from "node:fs/promises"
import type { Reason } from "./FfmpegOutcome.ts"

/** What is declared. Each is left out where the recording does not say it. */
interface Declared {
  /** In Hz. */
  readonly sampleRate?: number
  readonly seconds?: number
}

/** Speech begins at 8,000 Hz; each sample of a rate of 1 Hz is decoded to 16,000. */
const sampleRateMin = 1_000

/** Enough for the chunks that stand before the sound. */
const headByteMax = 4_096

/** The length that a writer gives who does not know it yet. */
const unknownLengths: ReadonlySet<number> = new Set([0, 0xffffffff])

const tagAt = (head: Buffer, at: number): string => head.toString("latin1", at, at + 4)

/** Chunks of a RIFF file: a name, a length, that many bytes, and one more where it is odd. */
const readWav = (head: Buffer, fileByteLength: number): Declared => {
  let declared: Declared = {}
  let byteRate = 0
  for (let at = 12; at + 24 <= head.length; ) {
    const tag = tagAt(head, at)
    const byteLength = head.readUInt32LE(at + 4)
    if (tag === "fmt ") {
      declared = { sampleRate: head.readUInt32LE(at + 12) }
      byteRate = head.readUInt32LE(at + 16)
    }
    if (tag === "data") {
      const isKnown = byteRate > 0 && !unknownLengths.has(byteLength)
      const seconds = Math.min(byteLength, fileByteLength) / byteRate
      return isKnown ? { ...declared, seconds } : declared
    }
    at += 8 + byteLength + (byteLength % 2)
  }
  return declared
}

/** The first block of FLAC: 20 bits of rate at byte 18, 36 bits of samples after 8 others. */
const readFlac = (head: Buffer): Declared => {
  if (head.length < 26) return {}
  const sampleRate = head.readUIntBE(18, 3) >>> 4
  const samples = (head.readUInt8(21) % 16) * 2 ** 32 + head.readUInt32BE(22)
  return sampleRate > 0 && samples > 0 ? { sampleRate, seconds: samples / sampleRate } : {}
}

const read = (head: Buffer, fileByteLength: number): Declared => {
  if (tagAt(head, 0) === "RIFF" && tagAt(head, 8) === "WAVE") return readWav(head, fileByteLength)
  return tagAt(head, 0) === "fLaC" ? readFlac(head) : {}
}

/** Finds why a recording is not worth decoding, by what it declares; nothing where it may be. */
export const findFault = async (
  file: FileHandle,
  { byteLength, hoursMax }: { readonly byteLength: number; readonly hoursMax: number }
): Promise<Reason | undefined> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headByteMax), 0, headByteMax, 0)
  const { sampleRate, seconds } = read(buffer.subarray(0, bytesRead), byteLength)
  if (sampleRate !== undefined && sampleRate < sampleRateMin) {
    return { _tag: "MediaUndecodable", detail: `its sample rate is ${sampleRate} Hz` }
  }
  return seconds !== undefined && seconds > hoursMax * 3_600
    ? { _tag: "AudioTooLong", maxHours: hoursMax }
    : undefined
}
