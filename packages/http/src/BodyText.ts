/**
 * Reads the body of a request as text, strictly: bounded while it arrives, in UTF-8 only, and never
 * decompressed.
 */
import { ByteSize, Context, Effect, Option, Schema, Semaphore } from "effect"
import { HttpIncomingMessage, type HttpServerError, type HttpServerRequest } from "effect/http"
import { isUtf8 } from "./ContentType.ts"

/** The body cannot be read. `rule` is the rule that it breaks. */
export class BodyUnreadable extends Schema.TaggedError<BodyUnreadable>()("BodyUnreadable", {
  rule: Schema.String
}) {}

/** Bodies below this are held without asking: a thousand of them are 64 MB. */
const smallMax = 65_536

/** All larger bodies that one process holds while they arrive, in bytes: 64 of the largest. */
const heldMax = 128 * 1_048_576

/** What is left for larger bodies. Whoever finds nothing waits, and its client with it. */
export const HeldBodies: Context.Reference<Semaphore.Semaphore> = Context.Reference(
  "@verbatim/http/HeldBodies",
  { defaultValue: () => Semaphore.makeUnsafe(heldMax) }
)

/** Reads a body once there is room for all of it. The listener ends those that take too long. */
const hold = <A, E, R>(byteLength: number, reading: Effect.Effect<A, E, R>) =>
  byteLength <= smallMax
    ? reading
    : Effect.flatMap(HeldBodies, (room) => room.withPermits(byteLength)(reading))

/** It keeps a byte order mark, so that the mark can be refused. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const decode = Option.liftThrowable((bytes: ArrayBuffer) => decoder.decode(bytes))

/** Whether the body is sent without a content encoding, such as gzip. */
export const isPlain = (headers: Readonly<Record<string, string | undefined>>): boolean =>
  /^(?:identity)?$/i.test(headers["content-encoding"]?.trim() ?? "")

/** Reads the whole body, of at most `byteMax` bytes. */
export const read = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  byteMax: number
) {
  const { headers } = request
  if (!isPlain(headers)) {
    return yield* new BodyUnreadable({ rule: "must be sent without a content encoding" })
  }
  if (!isUtf8(headers["content-type"])) {
    return yield* new BodyUnreadable({ rule: "must be UTF-8" })
  }
  const byteLength = Number(headers["content-length"] ?? byteMax)
  if (byteLength > byteMax) return yield* makeTooLong(byteMax)
  const bytes = yield* hold(byteLength, request.arrayBuffer).pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(byteMax)),
    Effect.mapError((error) => (isTooLarge(error) ? makeTooLong(byteMax) : makeIncomplete()))
  )
  const text = decode(bytes)
  if (Option.isNone(text)) return yield* new BodyUnreadable({ rule: "must be UTF-8" })
  if (text.value.startsWith("\uFEFF")) {
    return yield* new BodyUnreadable({ rule: "must not begin with a byte order mark" })
  }
  return text.value
})

const makeTooLong = (byteMax: number) => new BodyUnreadable({ rule: `at most ${byteMax} bytes` })

const makeIncomplete = () => new BodyUnreadable({ rule: "must be complete" })

const isTooLarge = ({ reason }: HttpServerError.HttpServerError): boolean =>
  reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge"
