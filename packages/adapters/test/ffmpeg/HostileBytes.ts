/** Builds hostile recordings byte by byte. */
import { gzipSync } from "node:zlib"
import { wav } from "@verbatim/testkit/samples"

const ascii = (text: string) => Buffer.from(text, "latin1")

const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}

/** Computes the checksums of FLAC frames: 8 bits with polynomial 0x07, and 16 bits with 0x8005. */
const checksum = (bytes: Buffer, { bits, by }: { readonly bits: 8 | 16; readonly by: number }) => {
  const mask = 2 ** bits - 1
  let sum = 0
  for (const byte of bytes) {
    sum ^= byte << (bits - 8)
    for (let bit = 0; bit < 8; bit += 1) {
      sum = ((sum >> (bits - 1)) & 1 ? (sum << 1) ^ by : sum << 1) & mask
    }
  }
  return sum
}

/** Encodes the number of a frame like a character in UTF-8. */
const frameNumber = (number: number): Buffer => {
  if (number < 0x80) return Buffer.from([number])
  if (number < 0x800) return Buffer.from([0xc0 | (number >> 6), 0x80 | (number & 0x3f)])
  return Buffer.from([0xe0 | (number >> 12), 0x80 | ((number >> 6) & 0x3f), 0x80 | (number & 0x3f)])
}

const blockSamples = 32_768

/** Returns a frame that holds 2 s of silence in 14 bytes. */
const flacFrame = (number: number): Buffer => {
  const head = Buffer.concat([Buffer.from([0xff, 0xf8, 0xf5, 0x08]), frameNumber(number)])
  const sum = Buffer.from([checksum(head, { bits: 8, by: 0x07 })])
  const frame = Buffer.concat([head, sum, Buffer.from([0, 0, 0])])
  const end = Buffer.alloc(2)
  end.writeUInt16BE(checksum(frame, { bits: 16, by: 0x8005 }))
  return Buffer.concat([frame, end])
}

/** Returns a FLAC file of silence at 16 kHz. Ten hours take up only 230 KB. */
export const silentFlac = (hours: number): Buffer => {
  const header = Buffer.alloc(42)
  header.write("fLaC")
  // The only metadata block, which has 34 bytes: block sizes, sample rate, number of channels and
  // bits per sample.
  header.writeUInt32BE(0x8000_0022, 4)
  header.writeUInt16BE(blockSamples, 8)
  header.writeUInt16BE(blockSamples, 10)
  header.writeUInt32BE((16_000 << 12) | (15 << 4), 18)
  const count = Math.ceil((hours * 3_600 * 16_000) / blockSamples)
  return Buffer.concat([header, ...Array.from({ length: count }, (_, number) => flacFrame(number))])
}

/** The claims that a WAV header makes about its audio. */
export interface Claim {
  readonly rate?: number
  readonly channels?: number
  readonly bits?: number
  readonly dataBytes?: number
  /** The true length of the audio in bytes, whatever the header says. */
  readonly soundBytes?: number
}

/** Returns a WAV file with a little silence and a header that makes the given claims. */
export const claimingWav = (claim: Claim): Buffer => {
  const { bits = 16, channels = 1, rate = 16_000, soundBytes = 32_000 } = claim
  const format = { sampleRate: rate, channels, sampleCount: 0 }
  const file = Buffer.from(wav(format, new Uint8Array(soundBytes)))
  file.writeUInt16LE(bits, 34)
  file.writeUInt32LE(claim.dataBytes ?? soundBytes, 40)
  return file
}

const box = (type: string, ...parts: ReadonlyArray<Buffer>): Buffer => {
  const content = Buffer.concat(parts)
  return Buffer.concat([uint32(content.length + 8), ascii(type), content])
}

/** Returns MP4 boxes that are nested deeply enough to overflow a recursive parser. */
export const nestedMp4 = (depth: number): Buffer => {
  const length = 8 * depth
  const boxes = Array.from({ length: depth }, (_, level) =>
    Buffer.concat([uint32(length - 8 * level), ascii(level % 2 === 0 ? "moov" : "trak")])
  )
  return Buffer.concat([box("ftyp", ascii("isom"), uint32(0), ascii("isom")), ...boxes])
}

/** Returns a sample table that declares 4,294,967,295 entries but contains none. */
export const claimingMp4 = (): Buffer => {
  const table = box("stsz", uint32(0), uint32(0), uint32(0xffff_ffff))
  const sizes = box("stco", uint32(0), uint32(0xffff_ffff))
  const track = box("trak", box("mdia", box("minf", box("stbl", table, sizes))))
  return Buffer.concat([box("ftyp", ascii("isom"), uint32(0), ascii("isom")), box("moov", track)])
}

/** Returns a hundred megabytes of zeros, compressed to a hundred kilobytes. */
export const zipped = (): Buffer => gzipSync(Buffer.alloc(100_000_000))

/** Returns random bytes that are the same in every run. */
export const noise = (length: number): Buffer => {
  const bytes = Buffer.alloc(length)
  let state = 12_345
  for (let index = 0; index < length; index += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    bytes[index] = state >>> 24
  }
  return bytes
}
