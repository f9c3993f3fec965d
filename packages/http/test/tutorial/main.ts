/**
 * Serves the API from your own program, with stores in memory and a free port, and calls it with
 * the typed client.
 */
import { createServer } from "node:http"
import { NodeCrypto, NodeHttpServer, NodeRuntime } from "@effect/platform-node"
import * as Filesystem from "@verbatim/adapters/filesystem"
import * as Memory from "@verbatim/adapters/memory"
import * as Net from "@verbatim/adapters/net"
import { MediaIdentity, Services, Workspaces } from "@verbatim/core"
import * as Http from "@verbatim/http"
import { Api } from "@verbatim/http/api"
import { Console, Effect, FileSystem, Layer, Option, Redacted } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest, HttpServer } from "effect/http"
import { HttpApiClient } from "effect/http-api"

const media = Layer.unwrap(
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    return Filesystem.layer({ directory: yield* files.makeTempDirectoryScoped() })
  })
)

/** The report omits engine and worker, because this process has neither. */
const health = Layer.effect(
  Http.Health,
  Effect.map(MediaIdentity, (identity) => ({
    report: Effect.map(identity.verify, (media) => ({
      isStoreUp: true,
      media,
      readiness: Option.none(),
      activity: Option.none()
    }))
  }))
)

const server = Http.layer.pipe(
  Layer.provide(health),
  Layer.provideMerge(Services.layer),
  Layer.provide([Memory.layer, media, Net.layer({ allowedNetworks: [] })]),
  Layer.provide([NodeCrypto.layerSecureRandom, NodeCrypto.layerDigest]),
  Layer.provideMerge(NodeHttpServer.layer(() => createServer(), { port: 0 }))
)

const program = Effect.gen(function* () {
  const key = Redacted.make("management-key-of-a-small-program")
  const workspaces = yield* Workspaces
  yield* workspaces.found({ minutes: 600, keys: [{ kind: "management", token: Option.some(key) }] })

  const baseUrl = yield* HttpServer.addressFormattedWith(Effect.succeed)
  const { presets } = yield* HttpApiClient.make(Api, {
    baseUrl,
    transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(key))
  })
  const params = { slug: "notes" }
  for (const instructions of ["Take notes.", "Take short notes."]) {
    yield* presets.createFromResponses({
      params,
      query: {},
      headers: {},
      payload: { instructions }
    })
  }
  const { data } = yield* presets.diff({ params, query: { from: 1, to: 2 } })
  yield* Console.log(`The prompt was: ${data.system_prompt?.from}`)
  yield* Console.log(`The prompt is: ${data.system_prompt?.to}`)

  const refusal = yield* Effect.flip(presets.get({ params: { slug: "none" } }))
  yield* Console.log("error" in refusal ? refusal.error.message : refusal)
})

program.pipe(Effect.provide([server, FetchHttpClient.layer]), NodeRuntime.runMain)
