/** Building blocks for the rows about misbehaving receivers. */
import type { Socket } from "node:net"
import type { Behaviour, listen } from "./LoopbackServer.ts"

/** A receiver, and the status or failure of an attempt. */
export interface Receiver {
  /** Completes the sentence "a receiver that …". */
  readonly does: string
  readonly outcome: number | RegExp
  readonly listens: Parameters<typeof listen>[0]
  readonly isSecure?: boolean
  /**
   * The event that never happens, if the attempt is ended by a time limit and not by the receiver.
   * Undefined if the receiver ends the attempt.
   */
  readonly withholds?: Withheld
}

/**
 * Events for which an attempt waits, and which never happen. There is a separate time limit for
 * each event.
 */
export type Withheld = "answer" | "body" | "handshake"

/** Writes the same bytes repeatedly until the socket closes. */
export const forever = (socket: Socket, piece: string | Uint8Array, millis: number): void => {
  const timer = setInterval(() => socket.write(piece), millis)
  socket.on("close", () => clearInterval(timer))
}

/** Writes as fast as the other side can read. */
export const flood = (socket: Socket, head: string, piece: string | Uint8Array): void => {
  socket.write(head)
  const fill = (): void => {
    while (!socket.destroyed && socket.write(piece));
  }
  socket.on("drain", fill)
  fill()
}

interface More {
  readonly withholds?: Withheld
  readonly isSecure?: boolean
}

/** A receiver that reads the request, then behaves in this way. */
export const reads = (
  does: string,
  outcome: Receiver["outcome"],
  onRequest: Behaviour,
  more: More = {}
): Receiver => ({ does, outcome, listens: { onRequest }, ...more })

/** A receiver that behaves in this way when connected. */
export const connects = (
  does: string,
  outcome: Receiver["outcome"],
  onConnection: (socket: Socket) => void,
  more: More = {}
): Receiver => ({ does, outcome, listens: { onConnection }, ...more })

/** A receiver that reads the request, then writes these bytes and closes. */
export const writes = (does: string, outcome: Receiver["outcome"], text: string): Receiver =>
  reads(does, outcome, (socket) => socket.end(text))
