/**
 * Long answers of a server, compressed for clients that want it (RFC 9110, 12.5.3). Hosts that
 * mount the API do this for all that they answer, or have a proxy do it.
 */
import { Context, Effect, identity, Layer } from "effect"
import { HttpPlatform, HttpServerRequest, HttpServerResponse } from "effect/http"
import { documentPaths } from "../../contract/Api.ts"
import { parseEssence } from "../body/Body.ts"
import { directPaths } from "../preset/PresetHandlers.ts"
import { patterns, routeOf } from "./Routes.ts"

/** One encoding and its weight, between 0 and 1 with three digits at most. */
const encodingMember =
  /^([a-z0-9!#$%&'*+.^_`|~-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/

/** The old name is the same encoding (RFC 9110, 8.4.1.3). */
const encodingNames = new Map([["x-gzip", "gzip"]])

/** Reads the weights: none of what cannot be read, and of two for one encoding the lower. */
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

/** Whether a client wants gzip, and an answer as it is no more than that. */
export const prefersGzip = (header: string | undefined): boolean => {
  if (header === undefined) return false
  const weights = readWeights(header)
  const others = weights.get("*") ?? 0
  const gzip = weights.get("gzip") ?? others
  // What is sent as it is may always be sent, and comes last where nothing is said of it.
  return gzip > 0 && gzip >= (weights.get("identity") ?? others)
}

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse
type Handled<E, R> = Effect.Effect<Response, E, R>

/** What becomes of answers before they are sent. */
type Encode = <E, R>(handled: Handled<E, R>) => Handled<E, R | Request>

/** How answers are encoded: as they are, unless a server says otherwise. */
export const AnswerEncoding: Context.Reference<Encode> = Context.Reference(
  "@verbatim/http/AnswerEncoding",
  { defaultValue: (): Encode => identity }
)

/** Shorter ones are three packets, which come together: fewer of them would not come sooner. */
const byteMin = 4_096

/** A transcript in JSON is a sixth; a level of 6 takes three times as long for 4% less. */
const level = 4

/** What becomes shorter. Events are sent one by one, and recordings are compressed already. */
const types: ReadonlySet<string> = new Set([
  "application/json",
  "application/x-subrip",
  "text/plain",
  "text/vtt"
])

const documents: ReadonlySet<string> = new Set(Object.values(documentPaths))

/** Where new keys are told: a secret is never compressed beside what others may have named. */
const keys = /\/keys\b/

/**
 * The routes whose answers are compressed: neither those of the documents, which anybody may ask
 * for without a key, nor direct routes, which programs call with each of their own requests.
 */
const routes: ReadonlySet<string> = new Set(
  [...patterns].filter(
    (route) => !documents.has(route) && !directPaths.has(route) && !keys.test(route)
  )
)

/** Neither parts nor what says that there is nothing to send. */
const isWhole = ({ status }: Response): boolean =>
  status >= 200 && status !== 204 && status !== 206 && status !== 304

/** An answer that is being made has no length: it was too long to be held. */
const isLong = ({ contentLength = byteMin }: { readonly contentLength?: number | undefined }) =>
  contentLength >= byteMin

/**
 * Whether an answer could be compressed, for whoever wants that. One with a tag is compared byte by
 * byte, and a write may name its tag: it has one form.
 */
const isCompressible = (request: Request, response: Response): boolean => {
  const { body, headers } = response
  if (body._tag !== "Stream" && body._tag !== "Uint8Array") return false
  if (!isLong(body) || !isWhole(response)) return false
  if (headers.etag !== undefined || headers["content-encoding"] !== undefined) return false
  const type = headers["content-type"] ?? body.contentType
  return types.has(parseEssence({ "content-type": type })) && routes.has(routeOf(request) ?? "")
}

const vary = "Accept-Encoding"

/** Also on what is sent as it is: a cache must not give one client what another one wanted. */
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
    // A HEAD has no body to be compressed.
    return request.method !== "HEAD" && prefersGzip(request.headers["accept-encoding"])
      ? compressResponse(response, "gzip", { level })
      : Effect.succeed(addVary(response))
  }
  return (handled) =>
    Effect.flatMap(handled, (response) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => encode(request, response))
    )
}

/** Compresses as the platform does: piece by piece, and no longer than somebody reads. */
export const layer = Layer.effect(
  AnswerEncoding,
  Effect.map(HttpPlatform.HttpPlatform, ({ compression }) => makeEncode(compression))
)
