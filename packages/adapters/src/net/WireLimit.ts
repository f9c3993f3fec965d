/**
 * A limit on what is read from a socket, whatever HTTP makes of it: without one a peer could send
 * informational answers, or the extension of a chunk, for as long as the request may take.
 */
import type { Socket } from "node:net"

class WireLimitExceeded extends Error {
  readonly code = "ANSWER_TOO_LARGE"
}

/** A limit that grows with what the reader makes of the bytes. */
export interface WireLimit {
  /** Lets that many more bytes be read. */
  readonly extend: (bytes: number) => void
}

/** Of the wire, for each byte of content: a chunk of one byte takes six, or 13 with zeros. */
const overheadMax = 16

/** Of the wire, for content that was read and not yet taken: a buffer of 64 KiB in small chunks. */
const aheadMax = 1_048_576

/** The same content. Each piece that is taken lets as much of the wire be read as it may cost. */
export const follow = (
  content: AsyncIterable<Uint8Array>,
  { extend }: WireLimit
): AsyncIterable<Uint8Array> => {
  extend(aheadMax)
  return (async function* () {
    for await (const piece of content) {
      extend(overheadMax * piece.byteLength)
      yield piece
    }
  })()
}

/**
 * Destroys the socket when more than this many bytes are read; one read brings at most 64 KiB
 * beyond them. The reader must call `read`, as undici does: so nothing stands between it and the
 * socket.
 */
export const limit = (socket: Socket, bytesMax: number): WireLimit => {
  const read = socket.read.bind(socket)
  let bytesLeft = bytesMax
  socket.read = (size) => {
    if (bytesLeft < 0) {
      socket.destroy(new WireLimitExceeded())
      return null
    }
    const chunk = read(size)
    if (chunk !== null) bytesLeft -= chunk.length
    return chunk
  }
  return {
    extend: (bytes) => {
      bytesLeft += bytes
    }
  }
}
