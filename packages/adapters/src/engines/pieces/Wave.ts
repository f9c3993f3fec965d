/** Writes the header that turns decoded audio into a WAV file. Pure. */
import { sampleRate } from "@verbatim/core/transcription"

/** Length of the header: RIFF, one `fmt ` chunk for PCM, and the start of `data`. */
export const headerBytes = 44

/** Bytes per sample: 16 bits, one channel. */
export const sampleBytes = 2

/** Returns the header of a file with this many samples. */
export const header = (sampleCount: number): Uint8Array => {
  const bytes = new Uint8Array(headerBytes)
  const view = new DataView(bytes.buffer)
  const length = sampleCount * sampleBytes
  const name = (offset: number, letters: string) =>
    bytes.set(new TextEncoder().encode(letters), offset)
  name(0, "RIFF")
  view.setUint32(4, headerBytes - 8 + length, true)
  name(8, "WAVE")
  name(12, "fmt ")
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, sampleRate, true)
  view.setUint32(28, sampleRate * sampleBytes, true)
  view.setUint16(32, sampleBytes, true)
  view.setUint16(34, 8 * sampleBytes, true)
  name(36, "data")
  view.setUint32(40, length, true)
  return bytes
}
