/** Repairs joined MP3 files, whose first frame contains the length of the first file only. */
const bytesMax = 200_000_000
type Part = Readonly<{ size: number; signal: AbortSignal }>

/** The length of the ID3 tag before the first frame. */
const tagSize = ([i, d, three, , , , ...size]: Uint8Array): number =>
  String.fromCharCode(i ?? 0, d ?? 0, three ?? 0) === "ID3"
    ? 10 + size.reduce((sum, byte) => 128 * sum + byte, 0)
    : 0

/** The first bytes of the first frame, which contain one of two headers. */
const headMax = 64
const header = /Xing|Info|VBRI/
/** Every frame begins with eleven bits that are set. */
const frameSync = 0xffe0
const framesIn = (seconds: number, [, version = 0, rate = 0]: Uint8Array): number => {
  const base = [44_100, 48_000, 32_000][(rate >> 2) & 3] ?? 44_100
  return Math.round((seconds * base) / ((version & 0x10) === 0 ? 2_304 : 1_152))
}

/** Reads a part by a range request. Empty if the server ignores ranges or the file is too large. */
const readPart = async (address: string, from: number, { size, signal }: Part) => {
  const headers = { range: `bytes=${from}-${from + size - 1}` }
  const response = await fetch(address, { headers, signal })
  const total = Number(response.headers.get("content-range")?.split("/")[1])
  if (response.status === 206 && total <= bytesMax) return response.arrayBuffer()
  await response.body?.cancel()
  return new ArrayBuffer()
}

/**
 * Returns the address of a copy whose header states the given length. Undefined if the file is no
 * MP3 file or has no header, as its first bytes show whatever its type is said to be.
 */
export const repairMp3 = async (address: string, seconds: number, signal: AbortSignal) => {
  const start = await readPart(address, 0, { size: 10, signal })
  const first = tagSize(new Uint8Array(start))
  const view = new DataView(await readPart(address, first, { size: headMax, signal }))
  const head = new Uint8Array(view.buffer)
  const found = header.exec(String.fromCharCode(...head))
  if (found === null || view.getUint16(0) < frameSync) return undefined
  const response = await fetch(address, { signal })
  if (!response.ok) return undefined
  const all = await response.blob()
  const { 0: word, index: at } = found
  const isXing = word !== "VBRI"
  // The header then has a count of frames and bytes, and no table of positions.
  if (isXing) view.setUint32(at + 4, 3)
  view.setUint32(at + (isXing ? 8 : 14), framesIn(seconds, head))
  view.setUint32(at + (isXing ? 12 : 10), all.size - first)
  const parts = [all.slice(0, first), head, all.slice(first + headMax)]
  return URL.createObjectURL(new Blob(parts, { type: all.type }))
}
