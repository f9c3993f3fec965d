/**
 * Runs the real server in this process, on a free port: core and worker on in-memory stores, with
 * engines that the test controls.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { NodeCrypto, NodeHttpServer } from "@effect/platform-node"
import * as Memory from "@verbatim/adapters/memory"
import { AudioDecoderError } from "@verbatim/core/ports"
import { MediaIdentity, OperatorKeys, Services, Workspaces } from "@verbatim/core/services"
import { Worker } from "@verbatim/core/worker"
import { Health, layer as http, makeHealthParts } from "@verbatim/http"
import {
  calmScript,
  FakeEngines,
  FakeMedia,
  FakeWebhookSender,
  type RemoteFile
} from "@verbatim/testkit/fakes"
import { Effect, Layer, ManagedRuntime, Option, Redacted, References, Scope } from "effect"

/** One key of each kind. */
export const keys = {
  management: "management-key-for-tests-0123456",
  inference: "inference-key-for-tests-01234567",
  operator: "operator-key-for-tests-012345678"
} as const

export const recordingUrl = "https://media.example.com/meeting.mp3"

const recording: RemoteFile = {
  hops: [],
  filename: Option.none(),
  contentType: Option.none(),
  byteLength: Option.some(3),
  bytes: new Uint8Array(3)
}

const health = Layer.effect(
  Health,
  Effect.map(makeHealthParts, (parts) => Health.of({ report: Effect.all(parts) }))
)

const fakes = Layer.mergeAll(FakeEngines.layer, FakeMedia.layer, FakeWebhookSender.layer)

const found = Effect.gen(function* () {
  yield* (yield* OperatorKeys).ensure(Redacted.make(keys.operator))
  yield* (yield* Workspaces).found({
    minutes: 600,
    keys: (["management", "inference"] as const).map((kind) => ({
      kind,
      token: Option.some(Redacted.make(keys[kind]))
    }))
  })
  yield* (yield* FakeMedia).publish(recordingUrl, recording)
})

const worker = Worker.layer({ Fetch: 2, Deliver: 2, Transcribe: 1, Summarize: 1 })

const make = () => {
  const listener = createServer()
  const layer = Layer.mergeAll(worker, http).pipe(
    Layer.provideMerge(Layer.effectDiscard(found)),
    Layer.provideMerge(Services.layer),
    Layer.provide(health),
    Layer.provideMerge(MediaIdentity.layer),
    Layer.provideMerge(Layer.mergeAll(Memory.layer, fakes)),
    Layer.provideMerge(
      Layer.mergeAll(NodeCrypto.layerSecureRandom, NodeCrypto.layerDigest, NodeCrypto.layerMac)
    ),
    Layer.provide(Layer.succeed(References.MinimumLogLevel, "Error")),
    Layer.provide(
      NodeHttpServer.layer(() => listener, {
        port: 0,
        host: "127.0.0.1",
        gracefulShutdownTimeout: 1_000
      })
    )
  )
  return { listener, layer }
}

/** Starts a server. `run` runs an effect with the server's services. */
export const startServer = async () => {
  const { layer, listener } = make()
  const runtime = ManagedRuntime.make(layer)
  await runtime.context()
  const { port } = listener.address() as AddressInfo
  const engines = await runtime.runPromise(FakeEngines)
  const failure = new AudioDecoderError({
    reason: { _tag: "MediaUndecodable", detail: "no audio" }
  })
  return {
    baseURL: `http://127.0.0.1:${port}`,
    engines,
    /** Makes the decoder fail for every recording. */
    failEngine: () => Effect.runPromise(engines.script({ decode: Effect.fail(failure) })),
    /** Makes the decoder succeed again. */
    mendEngine: () => Effect.runPromise(engines.script({ decode: calmScript.decode })),
    run: runtime.runPromise,
    /** Runs an effect that ends when the server stops. */
    runScoped: <A, E>(
      effect: Effect.Effect<A, E, Scope.Scope | Layer.Success<ReturnType<typeof make>["layer"]>>
    ) => runtime.runPromise(Scope.provide(effect, runtime.scope)),
    stop: () => runtime.dispose()
  }
}

export type Server = Awaited<ReturnType<typeof startServer>>
