/** Generates silent recordings as they are sent. */
const sampleRate = 16_000
const headBytes = 44

const head = (byteLength: number): Buffer => {
  const bytes = Buffer.alloc(headBytes)
  bytes.write("RIFF", 0, "latin1")
  bytes.writeUInt32LE(headBytes - 8 + byteLength, 4)
  bytes.write("WAVEfmt ", 8, "latin1")
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(sampleRate, 24)
  bytes.writeUInt32LE(sampleRate * 2, 28)
  bytes.writeUInt16LE(2, 32)
  bytes.writeUInt16LE(16, 34)
  bytes.write("data", 36, "latin1")
  bytes.writeUInt32LE(byteLength, 40)
  return bytes
}

const boundary = "a-boundary"
const opening = Buffer.from(
  `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n`
)
const closing = Buffer.from(`\r\n--${boundary}--\r\n`)
const block = new Uint8Array(65_536)

/**
 * Creates a request whose form contains a recording of the given number of bytes, generated as it
 * is sent. The request states its content length, as a browser's does. The hook runs once all of
 * the audio has been sent but the form has not ended.
 */
export const sendWav = (byteLength: number, beforeEnd?: () => Promise<void>): RequestInit => {
  const pieces = async function* () {
    yield opening
    yield head(byteLength)
    for (let left = byteLength; left > 0; left -= block.length) yield block.subarray(0, left)
    await beforeEnd?.()
    yield closing
  }
  const length = opening.length + headBytes + byteLength + closing.length
  return {
    method: "POST",
    headers: {
      "content-type": `multipart/form-data; boundary=${boundary}`,
      "content-length": String(length)
    },
    body: ReadableStream.from(pieces()),
    duplex: "half"
  }
}
