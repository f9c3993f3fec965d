/** A server of Verbatim with a worker on a free port: stores in memory, scripted engines. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { NodeHttpServer } from "@effect/platform-node"
import * as Memory from "@verbatim/adapters/memory"
import { Services, Workspaces } from "@verbatim/core/services"
import { platform, worker } from "@verbatim/embed/effect"
import { Health, layer as server } from "@verbatim/http"
import { FakeEngines, FakeMedia, FakeWebhookSender } from "@verbatim/testkit/fakes"
import { Context, Effect, Layer, Option, Redacted, References } from "effect"

/** The key of the caller. */
export const apiKey = "inference-key-for-tests-01234567"

/** Where the server listens. */
export class Address extends Context.Service<Address, { readonly baseUrl: string }>()(
  "@verbatim/adapters/test/ai-sdk/Address"
) {}

const found = Effect.flatMap(Workspaces, (workspaces) =>
  workspaces.found({
    minutes: 600,
    keys: [{ kind: "inference", token: Option.some(Redacted.make(apiKey)) }]
  })
)

const health = Layer.succeed(Health, {
  report: Effect.succeed({
    isStoreUp: true,
    media: { _tag: "Ours" as const },
    readiness: Option.none(),
    activity: Option.none()
  })
})

/** The server. */
export const served = Layer.suspend(() => {
  const listener = createServer()
  const address = Effect.sync(() => {
    const { port } = listener.address() as AddressInfo
    return Address.of({ baseUrl: `http://127.0.0.1:${port}` })
  })
  return Layer.effect(Address, address).pipe(
    Layer.provideMerge(server),
    Layer.provideMerge(worker({ name: "test" })),
    Layer.provideMerge(Layer.effectDiscard(found)),
    Layer.provideMerge(Services.layer),
    Layer.provide(health),
    Layer.provideMerge(
      Layer.mergeAll(
        Memory.layer,
        FakeEngines.layer,
        FakeMedia.layer,
        FakeWebhookSender.layer,
        platform,
        Layer.succeed(References.MinimumLogLevel, "Error")
      )
    ),
    Layer.provide(
      NodeHttpServer.layer(() => listener, {
        port: 0,
        host: "127.0.0.1",
        gracefulShutdownTimeout: 100
      })
    ),
    Layer.provide(NodeHttpServer.layerHttpServices)
  )
})
