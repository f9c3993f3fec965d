/** Repairs joined MP3 files, whose first frame contains the length of the first file only. */
const bytesMax = 200_000_000

/** The length of the ID3 tag before the first frame. */
const tagSize = ([i, d, three, , , , ...size]: Uint8Array): number =>
  String.fromCharCode(i ?? 0, d ?? 0, three ?? 0) === "ID3"
    ? 10 + size.reduce((sum, byte) => 128 * sum + byte, 0)
    : 0

/** The first bytes of the first frame, which contain one of two headers. */
const headMax = 64
const header = /Xing|Info|VBRI/
const framesIn = (seconds: number, [, version = 0, rate = 0]: Uint8Array): number => {
  const base = [44_100, 48_000, 32_000][(rate >> 2) & 3] ?? 44_100
  return Math.round((seconds * base) / ((version & 0x10) === 0 ? 2_304 : 1_152))
}

/** Returns the address of a copy whose header states the given length, if it has a header. */
export const repairMp3 = async (address: string, seconds: number, signal: AbortSignal) => {
  const response = await fetch(address, { signal })
  if (!response.ok || !(Number(response.headers.get("content-length")) <= bytesMax)) {
    await response.body?.cancel()
    return undefined
  }
  const all = await response.blob()
  const read = async (from: number, to: number) =>
    new Uint8Array(await all.slice(from, to).arrayBuffer())
  const first = tagSize(await read(0, 10))
  const head = await read(first, first + headMax)
  const found = header.exec(String.fromCharCode(...head))
  if (found === null) return undefined
  const view = new DataView(head.buffer)
  const { 0: word, index: at } = found
  const isXing = word !== "VBRI"
  // The header then has a count of frames and bytes, and no table of positions.
  if (isXing) view.setUint32(at + 4, 3)
  view.setUint32(at + (isXing ? 8 : 14), framesIn(seconds, head))
  view.setUint32(at + (isXing ? 12 : 10), all.size - first)
  const parts = [all.slice(0, first), head, all.slice(first + headMax)]
  return URL.createObjectURL(new Blob(parts, { type: all.type }))
}
