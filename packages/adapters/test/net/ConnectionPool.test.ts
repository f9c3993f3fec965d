/** Tests that webhooks share connections, and that the address is checked before each reuse. */
import { assert, describe, it } from "@effect/vitest"
import { type Guard, GuardedWebhookSender, type GuardOptions } from "@verbatim/adapters/net"
import { WebhookSender } from "@verbatim/core/ports"
import { Duration, Effect } from "effect"
import { allow } from "./Fetching.ts"
import { answer, type Behaviour, eventually, listen } from "./LoopbackServer.ts"

const timeout = Duration.minutes(5)

const limits: Partial<Guard.Limits> = { connectTimeout: timeout, idleConnectionTimeout: timeout }

const options: GuardOptions = { allowedNetworks: allow("127.0.0.0/8"), limits }

/** Sends a webhook, and returns the status or the failure as text. */
const post = (url: string) =>
  Effect.flatMap(WebhookSender, (sender) =>
    sender.post({ url, headers: {}, body: "{}", timeout })
  ).pipe(
    Effect.map(({ status }) => status),
    Effect.catch(({ detail }) => Effect.succeed(detail))
  )

/** Starts a server that answers every request, and keeps the connection open. */
const answers =
  (...outcome: Parameters<typeof answer>): Behaviour =>
  (socket) =>
    socket.write(answer(...outcome))

const polite = listen({ onRequest: answers(200, { body: "ok" }), isRepeated: true })

describe("Connections to receivers", () => {
  it.live("are reused, each for one webhook at a time", () =>
    Effect.gen(function* () {
      const server = yield* polite
      for (let number = 0; number < 3; number++) {
        assert.strictEqual(yield* post(`${server.origin}/${number}`), 200)
      }
      assert.strictEqual(server.connections(), 1)
      assert.strictEqual(server.received[0]?.match(/POST \/\d /g)?.length, 3)
      const both = Effect.all([post(server.origin), post(server.origin)], { concurrency: 2 })
      assert.deepStrictEqual(yield* both, [200, 200])
      assert.strictEqual(server.connections(), 2)
    }).pipe(Effect.provide(GuardedWebhookSender.layer(options)))
  )

  it.live("go to an address that the host name has now", () =>
    Effect.gen(function* () {
      const server = yield* polite
      const url = `http://hooks.example.com:${server.port}/`
      let addresses: ReadonlyArray<string> = ["127.0.0.1"]
      const resolve = () => Effect.sync(() => addresses)
      yield* Effect.gen(function* () {
        assert.strictEqual(yield* post(url), 200)
        addresses = ["127.0.0.1", "169.254.169.254"]
        assert.strictEqual(yield* post(url), "hooks.example.com: ForbiddenAddress")
        addresses = ["127.0.0.2"]
        assert.strictEqual(yield* post(url), "hooks.example.com: ECONNREFUSED")
        addresses = ["127.0.0.2", "127.0.0.1"]
        assert.strictEqual(yield* post(url), 200)
        assert.strictEqual(server.connections(), 1)
        // This URL has another origin, but the same address.
        assert.strictEqual(yield* post(server.origin), 200)
        assert.strictEqual(server.connections(), 2)
      }).pipe(Effect.provide(GuardedWebhookSender.layer({ ...options, resolve })))
    })
  )

  it.live("never send a webhook twice, whenever the receiver closes them", () =>
    Effect.gen(function* () {
      let count = 0
      const server = yield* listen({
        onRequest: (socket) => {
          socket.write(answer(200))
          setTimeout(() => socket.end(), count++ % 6)
        },
        isRepeated: true
      })
      for (let number = 0; number < 60; number++) {
        // A request that was written to a closed connection is lost, and must not be sent again.
        yield* post(`${server.origin}/${number}`)
        yield* Effect.sleep(number % 7)
      }
      const all = server.received.join("").match(/POST \/\d+ /g)
      assert.strictEqual(new Set(all).size, all?.length)
      assert.isAbove(all?.length ?? 0, 30)
    }).pipe(Effect.provide(GuardedWebhookSender.layer(options)))
  )

  const unfit = {
    "announces that it will close the connection": answers(200, {
      headers: { connection: "close" }
    }),
    "keeps connections open for less than a second": answers(200, {
      headers: { "keep-alive": "timeout=1" }
    }),
    "sends more bytes than the client reads": answers(200, { body: "x".repeat(100_000) }),
    "sends more than one response": (socket) => socket.write(answer(200) + answer(200)),
    "closes the connection after its response": (socket) => socket.end(answer(200))
  } satisfies Record<string, Behaviour>
  for (const [does, onRequest] of Object.entries(unfit)) {
    it.live(`are closed if the receiver ${does}`, () =>
      Effect.gen(function* () {
        const server = yield* listen({ onRequest, isRepeated: true })
        for (const number of [1, 2]) {
          assert.strictEqual(yield* post(server.origin), 200)
          assert.isTrue(yield* eventually(() => server.open() === 0))
          assert.strictEqual(server.connections(), number)
        }
      }).pipe(Effect.provide(GuardedWebhookSender.layer(options)))
    )
  }

  it.live("are closed if they are idle, if there are too many, and when the sender closes", () =>
    Effect.gen(function* () {
      const servers = yield* Effect.all([polite, polite, polite])
      const open = () => servers.map((server) => server.open())
      const each = Effect.forEach(servers, ({ origin }) => post(origin))
      const few = { ...options, limits: { ...limits, maxIdleConnections: 2 } }
      yield* Effect.gen(function* () {
        yield* each
        assert.isTrue(yield* eventually(() => open().join() === "0,1,1"))
      }).pipe(Effect.provide(GuardedWebhookSender.layer(few)))
      assert.isTrue(yield* eventually(() => open().join() === "0,0,0"))
      const brief = {
        ...options,
        limits: { ...limits, idleConnectionTimeout: Duration.millis(50) }
      }
      yield* Effect.gen(function* () {
        yield* each
        assert.isTrue(yield* eventually(() => open().join() === "0,0,0"))
      }).pipe(Effect.provide(GuardedWebhookSender.layer(brief)))
    })
  )
})
