/** Generated recordings. The engine decides which words the recordings contain. */

const rate = 8_000

/**
 * Creates a 16-bit WAV file. The given function returns the sample, from -1 to 1, at a time in
 * seconds.
 */
export const makeWav = (
  seconds: number,
  sampleAt: (second: number) => number = () => 0
): Uint8Array<ArrayBuffer> => {
  const size = 2 * rate * seconds
  const bytes = new Uint8Array(44 + size)
  const view = new DataView(bytes.buffer)
  const write = (at: number, text: string) => bytes.set(new TextEncoder().encode(text), at)
  write(0, "RIFF")
  view.setUint32(4, 36 + size, true)
  write(8, "WAVEfmt ")
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, rate, true)
  view.setUint32(28, 2 * rate, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  write(36, "data")
  view.setUint32(40, size, true)
  for (let at = 0; at < rate * seconds; at += 1) {
    view.setInt16(44 + 2 * at, Math.round(32_767 * sampleAt(at / rate)), true)
  }
  return bytes
}
