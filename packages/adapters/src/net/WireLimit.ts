/**
 * A limit on what is read from a socket, whatever HTTP makes of it: without one a peer could send
 * informational answers, or the extension of a chunk, for as long as the request may take.
 */
import type { Socket } from "node:net"

class WireLimitExceeded extends Error {
  readonly code = "ANSWER_TOO_LARGE"
}

/** A limit that may be lifted. */
export interface WireLimit {
  readonly lift: () => void
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
    lift: () => {
      socket.read = read
    }
  }
}
