/**
 * Compresses the server's long responses for clients that accept compression (RFC 9110, 12.5.3).
 * Hosts that mount the API compress all responses themselves, or leave compression to a proxy.
 */
import { Context, Effect, identity, Layer } from "effect"
import {
  HttpMiddleware,
  HttpPlatform,
  HttpServerRequest,
  type HttpServerResponse
} from "effect/http"
import { documentPaths } from "../../contract/Api.ts"
import { parseEssence } from "../body/Body.ts"
import { directPaths } from "../preset/PresetHandlers.ts"
import { getRoute, patterns } from "./Routes.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse
type Handled<E, R> = Effect.Effect<Response, E, R>

/** Transforms responses before they are sent. */
type Encode = <E, R>(handled: Handled<E, R>) => Handled<E, R | Request>

/** Encodes responses. By default, responses stay unchanged. */
export const AnswerEncoding: Context.Reference<Encode> = Context.Reference(
  "@verbatim/http/AnswerEncoding",
  { defaultValue: (): Encode => identity }
)

/**
 * Content types worth compressing. Events are sent one by one, and recordings are already
 * compressed.
 */
const types: ReadonlySet<string> = new Set([
  "application/json",
  "application/x-subrip",
  "text/plain",
  "text/vtt"
])

const compress = HttpMiddleware.compression({
  algorithms: ["gzip"],
  // Shorter responses are not compressed, because they fit into three packets that arrive together.
  minSize: 4_096,
  // At this level, a transcript in JSON shrinks to a sixth. Level 6 takes three times as long and
  // saves only 4 % more.
  levels: { gzip: 4 },
  compressible: (type) => types.has(parseEssence({ "content-type": type }))
})

const documents: ReadonlySet<string> = new Set(Object.values(documentPaths))

/**
 * Paths that return new keys. Responses with keys are not compressed, because the size could reveal
 * a secret next to text that an attacker can choose.
 */
const keys = /\/keys\b/

/**
 * Routes whose responses are compressed. Documents are excluded because they need no key, and
 * direct routes because programs call them for every model request.
 */
const routes: ReadonlySet<string> = new Set(
  [...patterns].filter(
    (route) => !documents.has(route) && !directPaths.has(route) && !keys.test(route)
  )
)

/**
 * Whether a response can be compressed. Responses with an entity tag are excluded, because a tag
 * identifies one exact representation.
 */
const isCompressible = (request: Request, { headers }: Response): boolean =>
  headers.etag === undefined && routes.has(getRoute(request) ?? "")

const makeEncode =
  (platform: HttpPlatform.HttpPlatform["Service"]): Encode =>
  (handled) =>
    Effect.flatMap(handled, (response) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
        isCompressible(request, response)
          ? Effect.provideService(
              compress(Effect.succeed(response)),
              HttpPlatform.HttpPlatform,
              platform
            )
          : Effect.succeed(response)
      )
    )

/**
 * Compresses responses with the platform's encoder, piece by piece, and only while the client
 * reads.
 */
export const layer = Layer.effect(AnswerEncoding, Effect.map(HttpPlatform.HttpPlatform, makeEncode))
