/** Lists webhook receivers that misbehave: how each behaves, and how a delivery attempt ends. */
import { createServer, type Socket } from "node:net"
import { createServer as createTlsServer, type TlsOptions } from "node:tls"
import { gzipSync } from "node:zlib"
import { cert, key } from "./Certificate.ts"
import { answer, type Behaviour, type listen, respond } from "./LoopbackServer.ts"

/** A receiver, and the status or the failure of an attempt. */
export interface Receiver {
  /** Completes the test title "handles a receiver that …". */
  readonly does: string
  readonly outcome: number | RegExp
  readonly listens: Parameters<typeof listen>[0]
  readonly isSecure?: boolean
  /**
   * The event that the receiver never causes, so that a time limit ends the attempt. Undefined if
   * the receiver itself ends the attempt.
   */
  readonly withholds?: Withheld
}

/** Events for which an attempt can wait until the time limit. Each event has its own limit. */
export type Withheld = "answer" | "body" | "handshake"

/** Writes the same bytes repeatedly until the socket closes. */
const forever = (socket: Socket, piece: string | Uint8Array, millis: number): void => {
  const timer = setInterval(() => socket.write(piece), millis)
  socket.on("close", () => clearInterval(timer))
}

/** Writes as fast as the other side reads. */
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

/** Returns a receiver that reads the request, and then behaves as given. */
const reads = (
  does: string,
  outcome: Receiver["outcome"],
  onRequest: Behaviour,
  more: More = {}
): Receiver => ({ does, outcome, listens: { onRequest }, ...more })

/** Returns a receiver that behaves as given when a connection opens. */
const connects = (
  does: string,
  outcome: Receiver["outcome"],
  onConnection: (socket: Socket) => void,
  more: More = {}
): Receiver => ({ does, outcome, listens: { onConnection }, ...more })

/** Returns a receiver that reads the request, writes these bytes and closes the connection. */
const writes = (does: string, outcome: Receiver["outcome"], text: string): Receiver =>
  reads(does, outcome, (socket) => socket.end(text))

const host = "127.0.0.1"

/** Matches a failure that names the host and a code in capital letters. */
const broken = /^127\.0\.0\.1: [A-Z][A-Z0-9_]+$/
const cutOff = /^127\.0\.0\.1: (?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/
const malformed = /^127\.0\.0\.1: MalformedAnswer$/
const tooLarge = /^127\.0\.0\.1: ANSWER_TOO_LARGE$/
const tooLate = /^no answer within \d+(?:ms|s)$/
const noHandshake = /^127\.0\.0\.1: ConnectTimeout$/

const ok = "HTTP/1.1 200 OK\r\n"

const zeros = Buffer.alloc(64 * 1024)

/** 50 MB of zeros, compressed to 50 kB. */
const bomb = gzipSync(Buffer.alloc(50_000_000))

const hints = "HTTP/1.1 103 Early\r\nlink: x\r\n\r\n"

const seals = (does: string, outcome: Receiver["outcome"], options: TlsOptions): Receiver => ({
  does,
  outcome,
  isSecure: true,
  listens: {
    onRequest: respond(200),
    wrap: (listener) => createTlsServer({ cert, key, ...options }, listener)
  }
})

const slow: ReadonlyArray<Receiver> = [
  reads("never responds", tooLate, () => undefined, { withholds: "answer" }),
  connects("never reads the request", tooLate, (socket) => socket.pause(), { withholds: "answer" }),
  reads("sends its status line one byte at a time forever", /^127|^no answer/, (socket) =>
    forever(socket, "H", 20)
  ),
  reads(
    "sends its headers one byte at a time forever",
    tooLate,
    (socket) => {
      socket.write(ok)
      forever(socket, "x: y\r\n", 20)
    },
    { withholds: "answer" }
  ),
  reads("sends a complete response one byte at a time", 200, (socket) => {
    const text = answer(200, { body: "ok" })
    // Start each timer after the previous one, because concurrent timers could fire in any order on
    // a busy machine.
    const drip = (at: number): void => {
      socket.write(text.slice(at, at + 1))
      if (at + 1 < text.length) setTimeout(() => drip(at + 1), 1)
    }
    drip(0)
  }),
  reads(
    "stops in the middle of the body",
    200,
    (socket) => socket.write(`${ok}content-length: 9\r\n\r\nabc`),
    {
      withholds: "body"
    }
  ),
  reads(
    "sends its body one byte at a time forever",
    200,
    (socket) => {
      socket.write(`${ok}\r\n`)
      forever(socket, "x", 10)
    },
    { withholds: "body" }
  ),
  reads("sends early hints forever", tooLate, (socket) => forever(socket, hints, 5), {
    withholds: "answer"
  }),
  reads("keeps the connection open", 200, (socket) =>
    socket.write(answer(200, { headers: { "keep-alive": "timeout=1000000" } }))
  ),
  {
    does: "closes its side and continues reading",
    outcome: cutOff,
    listens: {
      onConnection: (socket) => socket.end(),
      wrap: (listener) => createServer({ allowHalfOpen: true }, listener)
    }
  }
]

const large: ReadonlyArray<Receiver> = [
  reads("sends an endless body", 200, (socket) => flood(socket, `${ok}\r\n`, zeros)),
  reads("sends an endless error", 500, (socket) => flood(socket, "HTTP/1.1 500 No\r\n\r\n", zeros)),
  reads("announces 10 GB", 200, (socket) =>
    flood(socket, `${ok}content-length: 10000000000\r\n\r\n`, zeros)
  ),
  reads("sends endless chunks of one byte", 200, (socket) =>
    flood(socket, `${ok}transfer-encoding: chunked\r\n\r\n`, "1\r\nx\r\n".repeat(10_000))
  ),
  reads("sends a gzip bomb", 200, (socket) => {
    socket.write(`${ok}content-encoding: gzip\r\ncontent-length: ${bomb.byteLength}\r\n\r\n`)
    socket.end(bomb)
  }),
  reads("sends 20 kB of headers", /HEADERS_OVERFLOW$/, (socket) =>
    socket.end(`${ok}x: ${"y".repeat(20_000)}\r\n\r\n`)
  ),
  reads("sends endless headers", /HEADERS_OVERFLOW$/, (socket) =>
    flood(socket, ok, "set-cookie: a=b\r\n".repeat(1_000))
  ),
  reads("sends endless early hints as fast as possible", tooLarge, (socket) =>
    flood(socket, "", hints.repeat(1_000))
  ),
  reads("sends endless continue responses", broken, (socket) =>
    flood(socket, "", "HTTP/1.1 100 Continue\r\n\r\n".repeat(1_000))
  ),
  reads("sends endless trailers", 200, (socket) =>
    flood(socket, `${ok}transfer-encoding: chunked\r\n\r\n0\r\n`, "x: y\r\n".repeat(1_000))
  ),
  reads("sends an endless chunk extension", 200, (socket) =>
    flood(socket, `${ok}transfer-encoding: chunked\r\n\r\n5;x=`, "y".repeat(10_000))
  )
]

const cut: ReadonlyArray<Receiver> = [
  connects("disconnects before it reads the request", cutOff, (socket) => socket.destroy()),
  reads("disconnects after it has read the request", cutOff, (socket) => socket.end()),
  reads("resets the connection after it has read the request", cutOff, (socket) =>
    socket.resetAndDestroy()
  ),
  connects("resets the connection during the request", cutOff, (socket) =>
    socket.once("data", () => socket.resetAndDestroy())
  ),
  writes("disconnects while sending its headers", broken, `${ok}x: y`),
  writes("sends fewer bytes than declared", 200, `${ok}content-length: 9\r\n\r\nabc`),
  reads("resets the connection after its headers", 200, (socket) =>
    socket.write(`${ok}content-length: 9\r\n\r\n`, () => socket.resetAndDestroy())
  )
]

const wrong: ReadonlyArray<Receiver> = [
  writes("speaks another protocol", malformed, "220 mail.example.com ESMTP\r\n"),
  writes("responds in HTTP/0.9", malformed, "<html>thanks</html>"),
  writes("responds in HTTP/2 frames", malformed, "\0\0\x06\x04\0\0\0\0\0\0\x03\0\0\0\x64"),
  writes("sends a status with four digits", malformed, "HTTP/1.1 2000 OK\r\n\r\n"),
  writes("sends status 0", broken, "HTTP/1.1 000 OK\r\n\r\n"),
  writes("sends a NUL in its headers", malformed, `${ok}x: a\0b\r\n\r\n`),
  writes("sends a header without a colon", malformed, `${ok}nonsense\r\n\r\n`),
  writes("sends two lengths", broken, `${ok}content-length: 1\r\ncontent-length: 2\r\n\r\na`),
  writes("sends a negative length", malformed, `${ok}content-length: -1\r\n\r\n`),
  writes(
    "sends both a length and chunks",
    broken,
    `${ok}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`
  ),
  writes("sends more bytes than declared", 200, `${answer(200, { body: "a" })}bcdef`),
  writes("responds twice", 200, `${answer(200)}${answer(500)}`),
  writes("sends a body with status 204", 204, "HTTP/1.1 204 No\r\ncontent-length: 5\r\n\r\nhello"),
  writes(
    "sends a malformed chunk",
    200,
    `${ok}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n`
  ),
  writes("sends a continue response without being asked", broken, "HTTP/1.1 100 Continue\r\n\r\n"),
  writes("sends early hints and then accepts the webhook", 202, `${hints}${answer(202)}`),
  writes(
    "switches protocols",
    broken,
    "HTTP/1.1 101 Go\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n"
  )
]

const sealed: ReadonlyArray<Receiver> = [
  connects("never completes the TLS handshake", noHandshake, () => undefined, {
    isSecure: true,
    withholds: "handshake"
  }),
  connects(
    "sends its TLS handshake one byte at a time",
    noHandshake,
    (socket) => {
      socket.write(Buffer.from([22, 3, 3, 64, 0]))
      forever(socket, Buffer.from([0]), 20)
    },
    { isSecure: true, withholds: "handshake" }
  ),
  connects(
    "resets the connection during the TLS handshake",
    /^127\.0\.0\.1: (?:ECONNRESET|UNKNOWN)$/,
    (socket) => socket.once("data", () => socket.resetAndDestroy()),
    { isSecure: true }
  ),
  connects("sends an endless TLS handshake", broken, (socket) => flood(socket, "", zeros), {
    isSecure: true
  }),
  seals("has a self-signed certificate", /DEPTH_ZERO_SELF_SIGNED_CERT$/, {}),
  seals("speaks only HTTP/2", broken, { ALPNProtocols: ["h2"] }),
  seals("speaks at most TLS 1.1", broken, {
    minVersion: "TLSv1",
    maxVersion: "TLSv1.1",
    ciphers: "DEFAULT@SECLEVEL=0"
  })
]

/** All receivers that misbehave. */
export const receivers: ReadonlyArray<Receiver> = [...slow, ...large, ...cut, ...wrong, ...sealed]

/** Returns a receiver's URL. */
export const urlOf = ({ isSecure }: Receiver, port: number): string =>
  `${isSecure === true ? "https" : "http"}://${host}:${port}/hook`

/** Whether an attempt ended as the table says. */
export const isExpected = ({ outcome }: Receiver, status: number | string): boolean =>
  typeof outcome === "number" ? status === outcome : outcome.test(`${status}`)
