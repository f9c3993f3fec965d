/**
 * Reads a request's body strictly, as text or JSON. The body must be UTF-8 without compression, and
 * its size is limited while it arrives. A small body is read in one piece from Node's own request;
 * streaming it with effects would add 23 % to the CPU time of a `resolve`, and 11 % to that of
 * creating a version.
 */
import {
  ExactNumber,
  findBrokenLimit,
  InvalidRequest,
  makeValidator,
  type Problem
} from "@verbatim/core/schema"
import { waitIdle } from "@verbatim/core/services"
import { Effect, Option, Schema, Stream } from "effect"
import type { HttpServerRequest } from "effect/http"
import { collect, smallMax } from "./BodyBudget.ts"

type Request = HttpServerRequest.HttpServerRequest

const incomplete = Symbol.for("@verbatim/http/WholeBody/incomplete")

/** The methods of Node's request that deliver a body. */
interface Arriving {
  on(event: "data", listener: (piece: Uint8Array) => void): unknown
  on(event: "close" | "end" | "error", listener: () => void): unknown
  off(event: string, listener: (piece: Uint8Array) => void): unknown
  readonly destroy: () => void
}

/** Whether Node's request is still unread and open. */
const isUntouched = (source: object): source is Arriving =>
  Reflect.get(source, "readableFlowing") === null &&
  Reflect.get(source, "readableDidRead") === false &&
  Reflect.get(source, "destroyed") === false

/**
 * Whether the body can be read directly from Node's request. The platform handles clients that wait
 * for permission to send, or that switch protocols.
 */
const isOrdinary = ({ headers }: Request): boolean =>
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

interface Arrived {
  readonly read: () => Uint8Array | null
}

const hasArrived = (source: object): source is Arrived =>
  Reflect.get(source, "complete") === true && typeof Reflect.get(source, "read") === "function"

const nothing = new Uint8Array()

const readNow = (source: Arrived) => Effect.sync(() => source.read() ?? nothing)

/** Reads a body with a declared length. The platform accepts no more bytes than declared. */
const readWhole = (request: Request): Effect.Effect<Uint8Array, typeof incomplete> => {
  const { source } = request
  if (isOrdinary(request) && isUntouched(source)) {
    return hasArrived(source) ? readNow(source) : waitIdle(readPieces(source))
  }
  return Effect.matchEffect(waitIdle(request.arrayBuffer), {
    onFailure: () => Effect.fail(incomplete),
    onSuccess: (buffer) => Effect.succeed(new Uint8Array(buffer))
  })
}

/** The error for an unreadable body. `rule` is the rule that the body breaks. */
class BodyUnreadable extends Schema.TaggedError<BodyUnreadable>()("BodyUnreadable", {
  rule: Schema.String
}) {}

type Headers = Readonly<Record<string, string | undefined>>

const json = "application/json"

/**
 * Returns the media type in lower case, without parameters. Returns an empty string if the header
 * is missing.
 */
export const parseEssence = ({ "content-type": type = "" }: Headers): string =>
  type === json ? json : (type.split(";", 1)[0]?.trim().toLowerCase() ?? "")

const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i

/** Whether the charset is UTF-8, which is the default. */
const isUtf8 = ({ "content-type": type = "" }: Headers): boolean =>
  type === json || /^utf-?8$/i.test(charset.exec(type)?.[1] ?? "utf-8")

/** Whether the body is sent without a content encoding, such as gzip. */
export const isPlain = (headers: Headers): boolean =>
  headers["content-encoding"] === undefined ||
  /^(?:identity)?$/i.test(headers["content-encoding"].trim())

/** Keeps a byte order mark. JSON with such a mark is refused. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const decode = Option.liftThrowable((bytes: Uint8Array) => decoder.decode(bytes))

const refuse = (rule: string) => Effect.fail(new BodyUnreadable({ rule }))

/** Finds the rule that the headers break; undefined if the body can be read. */
const findFault = (headers: Headers, byteMax: number): string | undefined => {
  if (!isPlain(headers)) return "must be sent without a content encoding"
  if (!isUtf8(headers)) return "must be UTF-8"
  return Number(headers["content-length"] ?? 0) > byteMax ? toLimitRule(byteMax) : undefined
}

const toLimitRule = (byteMax: number): string => `at most ${byteMax} bytes`

const refuseIncomplete = () => new BodyUnreadable({ rule: "must be complete" })

/**
 * Reads a body. Most bodies are small, and streaming a small body would cost several times as much.
 */
const readBytes = (
  request: Request,
  byteMax: number
): Effect.Effect<Uint8Array, BodyUnreadable> => {
  const byteLength = Number(request.headers["content-length"] ?? byteMax)
  if (byteLength <= smallMax) return Effect.mapError(readWhole(request), refuseIncomplete)
  const makeTooLong = () => new BodyUnreadable({ rule: toLimitRule(byteMax) })
  return collect(Stream.mapError(request.stream, refuseIncomplete), {
    byteLength,
    byteMax,
    makeTooLong
  })
}

const toText = (bytes: Uint8Array): Effect.Effect<string, BodyUnreadable> => {
  const text = decode(bytes)
  if (Option.isNone(text)) return refuse("must be UTF-8")
  return text.value.startsWith("\uFEFF")
    ? refuse("must not begin with a byte order mark")
    : Effect.succeed(text.value)
}

const toValue = (text: string): Effect.Effect<unknown, BodyUnreadable> => {
  const rule = findBrokenLimit(text)
  if (rule !== undefined) return refuse(rule)
  const value = ExactNumber.parse(text)
  return Option.isNone(value) ? refuse("must be JSON") : Effect.succeed(value.value)
}

/** Reads a whole body of at most `byteMax` bytes as text. */
export const readText = (
  request: Request,
  byteMax: number
): Effect.Effect<string, BodyUnreadable> => {
  const rule = findFault(request.headers, byteMax)
  return rule === undefined ? Effect.flatMap(readBytes(request, byteMax), toText) : refuse(rule)
}

/** Reads a JSON body of at most `byteMax` bytes; numbers keep their digits. */
export const readJson = (
  request: Request,
  byteMax: number
): Effect.Effect<unknown, BodyUnreadable> =>
  parseEssence(request.headers) === json
    ? Effect.flatMap(readText(request, byteMax), toValue)
    : refuse("must be sent as application/json")

/**
 * By default, a JSON body has at most 2 MiB. A request with tools and instructions takes a few KiB,
 * and a huge one takes a few hundred.
 */
const bodyMax = 2_097_152

/** Reads the body, at most 2 MiB by default, as a JSON value. The service validates its fields. */
export const readBody = (
  request: Request,
  byteMax: number = bodyMax
): Effect.Effect<unknown, InvalidRequest> =>
  readJson(request, byteMax).pipe(
    Effect.mapError(({ rule }) => new InvalidRequest({ problems: [{ path: "", rule }] }))
  )

/** Fails if a request has any problems. */
export const refuseProblems = ([first, ...others]: ReadonlyArray<Problem>) =>
  first === undefined
    ? Effect.void
    : Effect.fail(new InvalidRequest({ problems: [first, ...others] }))

/**
 * Creates a reader for bodies in our own format. The reader refuses unknown properties, because a
 * misspelt property would otherwise be silently ignored. Numbers in `exact` properties keep their
 * digits.
 */
export const makeReader = <A, Fields extends Schema.Struct.Fields>(
  schema: Schema.ConstraintDecoder<A> & { readonly fields: Fields },
  exact: ReadonlyArray<string> = []
) => {
  const options = { onExcessProperty: "error" } as const
  const judge = makeValidator({ schema, names: Object.keys(schema.fields), options })
  const decode = Schema.decodeUnknownEffect(schema, options)
  return Effect.fnUntraced(function* (request: Request) {
    const body = yield* readBody(request)
    yield* refuseProblems(judge(body))
    // Converts exact numbers to JavaScript numbers, as the validator saw them.
    const read = yield* Effect.orDie(decode(ExactNumber.toNumbers(body)))
    const kept = Object.entries(Object(body)).filter(([name]) => exact.includes(name))
    return { ...read, ...Object.fromEntries(kept) }
  })
}
