/**
 * Opens a file on another host: follows at most five redirects, each checked like a caller's URL,
 * and streams the content.
 */
import type { RemoteMedia } from "@verbatim/core/ports"
import { Clock, Duration, Effect, Option, Result, type Scope, Stream } from "effect"
import type { Guard, Limits } from "./Guard.ts"
import { type Answer, type Exchange, exchange } from "./GuardedClient.ts"
import { codeOf, type OutboundError, unreachable } from "./OutboundError.ts"

/** Maximum length of a file name in common file systems. */
const filenameLengthMax = 255

/** Maximum number of digits in a length: larger numbers are not exact, and no file is that long. */
const length = /^\d{1,15}$/

/** A header parameter: a token, and a token or a quoted string. */
const parameter = /;\s*([\w*!#$&+^`|~.-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g

/** RFC 8187: a charset, an unused language, and percent-encoded text. */
const extendedFilename = /^utf-8'[^']*'(.*)$/i

/**
 * Content encodings that change a file's bytes. Verbatim never requests them, so an encoded body is
 * not the file.
 */
const compressedEncoding = /^(?:x-)?(?:gzip|deflate|br|zstd|compress)\b/i

const header = (answer: Pick<Answer, "headers">, name: string): Option.Option<string> => {
  const value = answer.headers[name]
  return typeof value === "string" ? Option.some(value) : Option.none()
}

/** Decodes the value of a header. Header values are bytes, and most servers mean UTF-8. */
const decodeUtf8 = (latin1: string): string => {
  const bytes = Uint8Array.from(latin1, (letter) => letter.charCodeAt(0))
  const decode = () => new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  return Result.getOrElse(Result.try(decode), () => latin1)
}

const cleanName = (name: string): Option.Option<string> => {
  const last = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1)
  const printable = last.replace(/[\p{Cc}\p{Cs}]/gu, "").trim()
  // A long name is cut at the beginning, because the extension is at the end.
  const filename = printable.slice(-filenameLengthMax).toWellFormed()
  return filename === "" ? Option.none() : Option.some(filename)
}

const filenameFrom = (disposition: string): Option.Option<string> => {
  const parameters = new Map(
    Array.from(disposition.matchAll(parameter), ([, name = "", quoted, token = ""]) => [
      name.toLowerCase(),
      quoted?.replace(/\\(.)/g, "$1") ?? token.trim()
    ])
  )
  return Option.fromUndefinedOr(parameters.get("filename*")).pipe(
    Option.flatMap((value) => Option.fromNullishOr(extendedFilename.exec(value)?.[1])),
    Option.flatMap((value) => Result.getSuccess(Result.try(() => decodeURIComponent(value)))),
    Option.orElse(() => Option.map(Option.fromUndefinedOr(parameters.get("filename")), decodeUtf8)),
    Option.flatMap(cleanName)
  )
}

/** Whether the body is compressed in transit, so that it is not the file itself. */
export const isCompressed = (answer: Pick<Answer, "headers">): boolean =>
  Option.exists(header(answer, "content-encoding"), (value) =>
    compressedEncoding.test(value.trim())
  )

/** Whether the response declares an empty body. */
const isEmpty = (answer: Pick<Answer, "headers">): boolean =>
  Option.exists(header(answer, "content-length"), (value) => /^0+$/.test(value))

/**
 * Returns the media that the headers describe. Headers are untrusted hints, so they are parsed
 * leniently and cleaned.
 */
export const mediaFrom = (
  answer: Pick<Answer, "headers"> & Pick<RemoteMedia, "hops">
): RemoteMedia => ({
  hops: answer.hops,
  filename: Option.flatMap(header(answer, "content-disposition"), filenameFrom),
  contentType: header(answer, "content-type").pipe(
    Option.map((value) => (value.split(";", 1)[0] ?? "").trim().toLowerCase()),
    Option.filter((value) => value !== "")
  ),
  byteLength: header(answer, "content-length").pipe(
    Option.filter((value) => length.test(value)),
    Option.map(Number)
  )
})

/** The only headers sent when requesting a file. Files are requested and stored uncompressed. */
export const fileHeaders = {
  accept: "*/*",
  "accept-encoding": "identity",
  "user-agent": "verbatim"
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * Hides unresolved names: only the caller's own host name is reported as unresolved, never a name
 * from a redirect.
 */
const hideUnresolved = (error: OutboundError): OutboundError =>
  error.reason._tag === "Unresolved" ? unreachable(error.reason.host, error.reason.code) : error

/** Returns the redirect's URL as raw text, because parsing may silently repair an invalid URL. */
const locationOf = (answer: Answer): string | undefined => {
  const location = answer.headers.location
  if (typeof location !== "string") return undefined
  if (/^[a-z][a-z0-9+.-]*:/i.test(location)) return location
  if (location.includes("\\")) return undefined
  return URL.parse(location, answer.url.href)?.href
}

/** The final response, and the URLs that redirected to it. */
export interface FinalAnswer extends Answer {
  readonly hops: ReadonlyArray<string>
}

/**
 * Whether a response contains the file. 206 is valid only if a range was requested, and a response
 * without content has no file.
 */
const hasFile = ({ status }: Answer, headers: Exchange["headers"]): boolean =>
  status >= 200 &&
  status <= 299 &&
  status !== 204 &&
  status !== 205 &&
  (status !== 206 || headers.range !== undefined)

/** Returns an error if a response is not the file, otherwise undefined. */
const findProblem = (answer: Answer, headers: Exchange["headers"]): string | undefined => {
  if (!hasFile(answer, headers)) return `Status ${answer.status}`
  if (isCompressed(answer)) return "Compressed"
  return isEmpty(answer) ? "Empty" : undefined
}

/** Requests the URL and follows redirects to the file. */
export const followRedirects = Effect.fnUntraced(function* (
  { headers, url }: Pick<Exchange, "headers" | "url">,
  guard: Guard
): Effect.fn.Return<FinalAnswer, OutboundError, Scope.Scope> {
  const hops: Array<string> = []
  let answer = yield* exchange({ url, method: "GET", headers }, guard)
  for (let hop = 1; redirects.has(answer.status); hop++) {
    yield* answer.discard
    const host = answer.url.hostname
    if (hop > guard.limits.maxRedirects) return yield* unreachable(host, "TooManyRedirects")
    const location = locationOf(answer)
    if (location === undefined) return yield* unreachable(host, "InvalidRedirect")
    answer = yield* Effect.mapError(
      exchange({ url: location, method: "GET", headers }, guard),
      hideUnresolved
    )
    hops.push(answer.url.href)
  }
  const fault = findProblem(answer, headers)
  if (fault === undefined) return { ...answer, hops }
  yield* answer.discard
  return yield* unreachable(answer.url.hostname, fault)
})

// The file's content. Except for a buffer of 64 KiB, data is read from the wire only when the
// reader requests it. The transfer fails if the peer stalls, is too slow, takes too long in total,
// or sends less than the declared length.

// Measures the speed of a transfer. Only the time spent waiting for the peer counts, so a slow
// reader does not make the peer appear slow. Pure.

/** The number of bytes in the current window, and the time spent waiting for them. */
interface Pace {
  readonly bytes: number
  readonly waited: Duration.Duration
}

const startPace: Pace = { bytes: 0, waited: Duration.zero }

/** The minimum speed, and the waiting time over which speed is measured. */
interface Requirement {
  readonly bytesPerSecondMin: number
  readonly paceWindow: Duration.Duration
}

/** Adds one chunk to the measurement. When a window is full, the next window begins. */
const advancePace = (
  pace: Pace,
  piece: Pace & { readonly requirement: Requirement }
): { readonly pace: Pace; readonly isTooSlow: boolean } => {
  const { bytesPerSecondMin, paceWindow } = piece.requirement
  const bytes = pace.bytes + piece.bytes
  const waited = Duration.sum(pace.waited, piece.waited)
  if (Duration.isLessThan(waited, paceWindow)) return { pace: { bytes, waited }, isTooSlow: false }
  return { pace: startPace, isTooSlow: bytes < bytesPerSecondMin * Duration.toSeconds(waited) }
}

type Step = readonly [chunk: Uint8Array, pace: Pace] | undefined

/** Returns the content of a response. The connection closes when the stream ends or fails. */
export const contentOf = (
  answer: Answer,
  limits: Limits
): Stream.Stream<Uint8Array, OutboundError> => {
  const host = answer.url.hostname
  const pull = (
    chunks: AsyncIterator<Uint8Array>,
    remaining: Duration.Duration
  ): Effect.Effect<[waited: Duration.Duration, IteratorResult<Uint8Array>], OutboundError> =>
    Effect.tryPromise({
      try: () => chunks.next(),
      catch: (cause) => unreachable(host, codeOf(cause))
    }).pipe(
      Effect.timeoutOrElse({
        duration: Duration.min(remaining, limits.idleTimeout),
        orElse: () => Effect.fail(unreachable(host, "Stalled"))
      }),
      Effect.timed
    )
  const content = Effect.map(Clock.currentTimeMillis, (startedAt) => {
    const chunks = answer.body[Symbol.asyncIterator]()
    const transferMillis = Duration.toMillis(limits.transferTimeout)
    const step = Effect.fnUntraced(function* (pace: Pace): Effect.fn.Return<Step, OutboundError> {
      const elapsed = (yield* Clock.currentTimeMillis) - startedAt
      if (elapsed >= transferMillis) return yield* unreachable(host, "TransferTimeout")
      const [waited, next] = yield* pull(chunks, Duration.millis(transferMillis - elapsed))
      if (next.done === true) return undefined
      const bytes = next.value.byteLength
      const judged = advancePace(pace, { bytes, waited, requirement: limits })
      return judged.isTooSlow ? yield* unreachable(host, "TooSlow") : [next.value, judged.pace]
    })
    return Stream.unfold(startPace, step)
  })
  return Stream.unwrap(content).pipe(Stream.ensuring(answer.discard))
}
