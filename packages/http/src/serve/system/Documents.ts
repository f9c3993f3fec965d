/**
 * The description of the API, as a document and as a page to read. Both are made once, as bytes: a
 * text of three megabytes would be measured and encoded anew for everybody who asks.
 */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiScalar, OpenApi } from "effect/http-api"
import { documentPaths } from "../../contract/Api.ts"
import { describeApi } from "../../contract/Description.ts"
import { MountedAt } from "../edge/Mount.ts"

type Response = HttpServerResponse.HttpServerResponse

/** Both change with the version of the server only; a new one is seen after this many seconds. */
const cacheSeconds = 300

const digest = (bytes: Uint8Array) =>
  Effect.map(
    Effect.promise(() => crypto.subtle.digest("SHA-256", Uint8Array.from(bytes))),
    (digest) => btoa(String.fromCharCode(...new Uint8Array(digest)))
  )

const encoder = new TextEncoder()

const scripts = /<script>([\s\S]*?)<\/script>/g

/** Only the page's own scripts run, they reach this server alone, and no page may frame it. */
const restrict = Effect.fnUntraced(function* (html: string) {
  const sources = yield* Effect.forEach([...html.matchAll(scripts)], ([, script = ""]) =>
    Effect.map(digest(encoder.encode(script)), (hash) => `'sha256-${hash}'`)
  )
  return {
    "content-security-policy": [
      "default-src 'none'",
      `script-src ${sources.join(" ")}`,
      "style-src 'unsafe-inline'",
      "img-src 'self' data:",
      "font-src 'self' data:",
      "connect-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'"
    ].join("; "),
    "referrer-policy": "no-referrer"
  }
})

/** A document as it is sent from now on. */
interface Kept {
  readonly etag: string
  readonly whole: Response
  readonly unchanged: Response
}

/** Turns a made text into an answer that costs nothing to repeat. */
const keep = Effect.fnUntraced(function* (made: Response): Effect.fn.Return<Kept> {
  const { body } = made
  if (body._tag !== "Uint8Array") return yield* Effect.die("a document is a text")
  const bytes = Uint8Array.from(body.body)
  const text = new TextDecoder().decode(bytes)
  const headers = {
    etag: `"${(yield* digest(bytes)).slice(0, 22)}"`,
    "cache-control": `public, max-age=${cacheSeconds}`,
    "x-content-type-options": "nosniff",
    ...(body.contentType.startsWith("text/html") ? yield* restrict(text) : {})
  }
  return {
    etag: headers.etag,
    whole: HttpServerResponse.uint8Array(bytes, { contentType: body.contentType, headers }),
    unchanged: HttpServerResponse.empty({ status: 304, headers })
  }
})

/** Whether a client has the document already (RFC 9110, 13.1.2). */
const isKnown = (etag: string, condition = ""): boolean =>
  condition.split(",").some((tag) => ["*", etag].includes(tag.trim().replace(/^W\//, "")))

/** Makes a middleware for one document: whatever its route answered first is repeated. */
const repeatFirst = () => {
  let first: Kept | undefined
  const find = (made: Response) =>
    first === undefined
      ? Effect.tap(keep(made), (kept) =>
          Effect.sync(() => {
            first = kept
          })
        )
      : Effect.succeed(first)
  return <E, R>(made: Effect.Effect<Response, E, R>) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
      Effect.map(Effect.flatMap(made, find), ({ etag, unchanged, whole }) =>
        isKnown(etag, headers["if-none-match"]) ? unchanged : whole
      )
    )
}

const openapi = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const api = describeApi(yield* MountedAt)
    const made = yield* Effect.cached(
      Effect.sync(() => HttpServerResponse.jsonUnsafe(OpenApi.fromApi(api)))
    )
    yield* router.add("GET", documentPaths.openapi, repeatFirst()(made))
  })
)

/** It contains its script and loads nothing from elsewhere. */
const page = Layer.unwrap(
  Effect.map(MountedAt, (prefix) =>
    HttpApiScalar.layer(describeApi(prefix), {
      path: documentPaths.page,
      scalar: { withDefaultFonts: false }
      // Each place has a page of its own to repeat.
    }).pipe(Layer.provide(HttpRouter.middleware(repeatFirst()).layer))
  )
)

/** The routes of both. */
export const layer = Layer.mergeAll(openapi, page)
