/**
 * Reads a small body in one piece from Node's own request. A stream of effects around it, or an
 * answer that others could share, takes longer than all that is done with the body afterwards.
 */
import { waitIdle } from "@verbatim/core/services"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"

type Request = HttpServerRequest.HttpServerRequest

/** That a body ended before its end. */
export const incomplete = Symbol.for("@verbatim/http/WholeBody/incomplete")

/** A request of Node, as far as it brings a body. */
interface Arriving {
  on(event: "data", listener: (piece: Uint8Array) => void): unknown
  on(event: "close" | "end" | "error", listener: () => void): unknown
  off(event: string, listener: (piece: Uint8Array) => void): unknown
  readonly destroy: () => void
}

/** Whether Node says that nobody has begun to read a body, nor refused it. */
const isUntouched = (source: object): source is Arriving =>
  Reflect.get(source, "readableFlowing") === null &&
  Reflect.get(source, "readableDidRead") === false &&
  Reflect.get(source, "destroyed") === false

/** Who waits to be told that they may send, or speaks another protocol, is the platform's. */
const isPlain = ({ headers }: Request): boolean =>
  headers.expect === undefined && headers.upgrade === undefined

const readPieces = (source: Arriving) =>
  Effect.callback<Uint8Array, typeof incomplete>((resume) => {
    const pieces: Array<Uint8Array> = []
    const onPiece = (piece: Uint8Array) => {
      pieces.push(piece)
    }
    const leave = () => {
      source.off("data", onPiece)
      source.off("end", onEnd)
      source.off("error", onBreak)
      source.off("close", onBreak)
    }
    const onEnd = () => {
      leave()
      const [first, ...others] = pieces
      resume(
        Effect.succeed(first !== undefined && others.length === 0 ? first : Buffer.concat(pieces))
      )
    }
    const onBreak = () => {
      leave()
      resume(Effect.fail(incomplete))
    }
    source.on("end", onEnd)
    source.on("error", onBreak)
    source.on("close", onBreak)
    source.on("data", onPiece)
    return Effect.sync(() => {
      leave()
      source.destroy()
    })
  })

/** A body that has come already, as a whole. */
interface Arrived {
  readonly read: () => Uint8Array | null
}

const hasArrived = (source: object): source is Arrived =>
  Reflect.get(source, "complete") === true && typeof Reflect.get(source, "read") === "function"

const nothing = new Uint8Array()

const readNow = (source: Arrived) => Effect.sync(() => source.read() ?? nothing)

/** Reads a body that says itself how long it is: the platform lets nobody send more than that. */
export const readWhole = (request: Request): Effect.Effect<Uint8Array, typeof incomplete> => {
  const { source } = request
  if (isPlain(request) && isUntouched(source)) {
    return hasArrived(source) ? readNow(source) : waitIdle(readPieces(source))
  }
  return Effect.matchEffect(waitIdle(request.arrayBuffer), {
    onFailure: () => Effect.fail(incomplete),
    onSuccess: (buffer) => Effect.succeed(new Uint8Array(buffer))
  })
}
