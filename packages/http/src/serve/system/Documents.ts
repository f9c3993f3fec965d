/**
 * Serves the API description as a document and as a page. The description is rendered to bytes only
 * once, because three megabytes of text would otherwise be measured and encoded for every reader.
 */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiScalar, OpenApi } from "effect/http-api"
import { documentPaths } from "../../contract/Api.ts"
import { describeApi } from "../../contract/Description.ts"
import { MountedAt } from "../edge/Mount.ts"

type Response = HttpServerResponse.HttpServerResponse

/**
 * Browsers cache the document and the page for this many seconds, because a new version of the
 * server changes them.
 */
const cacheSeconds = 300

const digest = (bytes: Uint8Array) =>
  Effect.map(
    Effect.promise(() => crypto.subtle.digest("SHA-256", Uint8Array.from(bytes))),
    (digest) => btoa(String.fromCharCode(...new Uint8Array(digest)))
  )

const encoder = new TextEncoder()

const scripts = /<script>([\s\S]*?)<\/script>/g

/**
 * Restricts the page: it can run only its own scripts and reach only this server, and no other page
 * can frame it.
 */
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

/** Encodes a response once, so that it can be sent repeatedly. */
const keep = Effect.fnUntraced(function* (made: Response) {
  const { body } = made
  if (body._tag !== "Uint8Array") return yield* Effect.die("a document is a text")
  const bytes = Uint8Array.from(body.body)
  const isPage = body.contentType.startsWith("text/html")
  const headers = {
    "cache-control": `public, max-age=${cacheSeconds}`,
    "x-content-type-options": "nosniff",
    ...(isPage ? yield* restrict(new TextDecoder().decode(bytes)) : {})
  }
  return HttpServerResponse.uint8Array(bytes, { contentType: body.contentType, headers })
})

/** Creates middleware that sends the first response of its route again for every later request. */
const repeatFirst = () => {
  let first: Response | undefined
  return <E, R>(made: Effect.Effect<Response, E, R>) =>
    Effect.suspend(() =>
      first === undefined
        ? Effect.tap(Effect.flatMap(made, keep), (kept) =>
            Effect.sync(() => {
              first = kept
            })
          )
        : Effect.succeed(first)
    )
}

const openapi = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const api = describeApi(yield* MountedAt)
    const made = Effect.sync(() => HttpServerResponse.jsonUnsafe(OpenApi.fromApi(api)))
    yield* router.add("GET", documentPaths.openapi, repeatFirst()(made))
  })
)

/**
 * The page contains its own script and loads nothing from elsewhere. The server loads the script at
 * the first request, because it takes 13 MB of memory.
 */
const page = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const api = describeApi(yield* MountedAt)
    const made = Effect.gen(function* () {
      const own = yield* HttpRouter.make
      const served = HttpApiScalar.layer(api, { path: "/*", scalar: { withDefaultFonts: false } })
      yield* Effect.provideService(Layer.build(served), HttpRouter.HttpRouter, own)
      return yield* Effect.orDie(own.asHttpEffect())
    })
    yield* router.add("GET", documentPaths.page, repeatFirst()(Effect.scoped(made)))
  })
)

export const layer = Layer.mergeAll(openapi, page)
