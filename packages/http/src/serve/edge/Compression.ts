/**
 * Compresses long responses of the server for clients that accept it (RFC 9110, 12.5.3). Hosts that
 * mount the API compress all responses themselves, or leave compression to a proxy.
 */
import { Context, Effect, identity, Layer } from "effect"
import { HttpPlatform, HttpServerRequest, HttpServerResponse } from "effect/http"
import { documentPaths } from "../../contract/Api.ts"
import { parseEssence } from "../body/Body.ts"
import { directPaths } from "../preset/PresetHandlers.ts"
import { getRoute, patterns } from "./Routes.ts"

/** One encoding and its weight, from 0 to 1 with at most three digits. */
const encodingMember =
  /^([a-z0-9!#$%&'*+.^_`|~-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/

/** The old name of gzip (RFC 9110, 8.4.1.3). */
const encodingNames = new Map([["x-gzip", "gzip"]])

/**
 * Reads the weights. Malformed members are ignored; if an encoding has two weights, the lower one
 * counts.
 */
const readWeights = (header: string): ReadonlyMap<string, number> => {
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(",")) {
    const [, sent, weight = "1"] = encodingMember.exec(part.trim()) ?? []
    if (sent === undefined) continue
    const name = encodingNames.get(sent) ?? sent
    weights.set(name, Math.min(weights.get(name) ?? 1, Number(weight)))
  }
  return weights
}

/** Whether a client prefers gzip at least as much as the unencoded response. */
export const prefersGzip = (header: string | undefined): boolean => {
  if (header === undefined) return false
  const weights = readWeights(header)
  const others = weights.get("*") ?? 0
  const gzip = weights.get("gzip") ?? others
  // The unencoded response is always acceptable, and least preferred unless the header says
  // otherwise.
  return gzip > 0 && gzip >= (weights.get("identity") ?? others)
}

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse
type Handled<E, R> = Effect.Effect<Response, E, R>

/** Transforms responses before they are sent. */
type Encode = <E, R>(handled: Handled<E, R>) => Handled<E, R | Request>

/** The encoding of responses; none by default. */
export const AnswerEncoding: Context.Reference<Encode> = Context.Reference(
  "@verbatim/http/AnswerEncoding",
  { defaultValue: (): Encode => identity }
)

/**
 * Shorter responses fit into three packets, which arrive together, so that fewer packets would not
 * be faster.
 */
const byteMin = 4_096

/**
 * A transcript in JSON shrinks to a sixth; level 6 takes three times as long and saves only 4 %
 * more.
 */
const level = 4

/** Types worth compressing. Events are sent one by one, and recordings are already compressed. */
const types: ReadonlySet<string> = new Set([
  "application/json",
  "application/x-subrip",
  "text/plain",
  "text/vtt"
])

const documents: ReadonlySet<string> = new Set(Object.values(documentPaths))

/**
 * Paths that return new keys, because a secret is never compressed next to text that others may
 * have chosen.
 */
const keys = /\/keys\b/

/**
 * Routes with compressed responses: all except the documents, which can be read without a key, and
 * the direct routes, which programs call with each of their own requests.
 */
const routes: ReadonlySet<string> = new Set(
  [...patterns].filter(
    (route) => !documents.has(route) && !directPaths.has(route) && !keys.test(route)
  )
)

/** Excludes partial responses and responses without content. */
const isWhole = ({ status }: Response): boolean =>
  status >= 200 && status !== 204 && status !== 206 && status !== 304

/**
 * Whether a response is long. A streamed response has no length, because it was too long to hold in
 * memory.
 */
const isLong = ({ contentLength = byteMin }: { readonly contentLength?: number | undefined }) =>
  contentLength >= byteMin

/**
 * Whether a response can be compressed. Responses with an entity tag are excluded, because tags are
 * compared byte by byte and name one representation.
 */
const isCompressible = (request: Request, response: Response): boolean => {
  const { body, headers } = response
  if (body._tag !== "Stream" && body._tag !== "Uint8Array") return false
  if (!isLong(body) || !isWhole(response)) return false
  if (headers.etag !== undefined || headers["content-encoding"] !== undefined) return false
  const type = headers["content-type"] ?? body.contentType
  return types.has(parseEssence({ "content-type": type })) && routes.has(getRoute(request) ?? "")
}

const vary = "Accept-Encoding"

/**
 * Unencoded responses have the `Vary` header too, because a cache must not send one client's
 * encoding to another client.
 */
const addVary = (response: Response): Response => {
  const before = response.headers.vary
  return HttpServerResponse.setHeader(
    response,
    "vary",
    before === undefined ? vary : `${before}, ${vary}`
  )
}

const makeEncode = ({ compressResponse }: HttpPlatform.Compression): Encode => {
  const encode = (request: Request, response: Response): Effect.Effect<Response> => {
    if (!isCompressible(request, response)) return Effect.succeed(response)
    // A response to HEAD has no body to compress.
    return request.method !== "HEAD" && prefersGzip(request.headers["accept-encoding"])
      ? compressResponse(response, "gzip", { level })
      : Effect.succeed(addVary(response))
  }
  return (handled) =>
    Effect.flatMap(handled, (response) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => encode(request, response))
    )
}

/**
 * Compresses responses with the platform's encoder, piece by piece, and only while the client
 * reads.
 */
export const layer = Layer.effect(
  AnswerEncoding,
  Effect.map(HttpPlatform.HttpPlatform, ({ compression }) => makeEncode(compression))
)
