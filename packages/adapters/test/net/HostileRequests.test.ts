/**
 * Hostile URLs submitted by callers, and names that change their addresses afterwards, with the
 * whole core in between: sockets to forbidden places are counted, and there are none.
 */
import { assert, describe, it } from "@effect/vitest"
import { type GuardOptions, layer as net } from "@verbatim/adapters/net"
import { Jobs } from "@verbatim/core/services"
import { FakeMedia } from "@verbatim/testkit/fakes"
import { Effect, Layer } from "effect"
import { caller, outside, pass, submitFile, submitUrl, worker } from "./Deployment.ts"
import { closed, loopback, scripted } from "./Fetching.ts"
import { hostile } from "./HostileUrls.ts"
import { answer, clientSockets, listen, says } from "./LoopbackServer.ts"

/** The real ways out over a store of media in memory. */
const around = (options: GuardOptions) =>
  outside({
    allowNetworks: options.allowNetworks,
    net: Layer.merge(FakeMedia.layer, net(options))
  })

/** The sentences for a URL that is refused; which one depends on what can be said about it. */
const refused = new Set([
  "Invalid URL or file not accessible",
  "Invalid 'URL' format. Must start with http or https",
  "Invalid 'callback_url' format. Must start with http or https",
  "File or URL required"
])

describe("A request with a hostile URL", () => {
  it.live("is refused without a socket, whether it is for the media or for the webhook", () => {
    const { asked, resolve } = scripted(["127.0.0.1"])
    return Effect.gen(function* () {
      const sockets = yield* clientSockets
      const principal = yield* caller
      for (const [url] of hostile) {
        const said = yield* Effect.flip(submitUrl(principal, url))
        assert.isTrue(refused.has(said.message), `${url}: ${said.message}`)
        // An empty callback is the same as none.
        if (url === "") continue
        const hook = yield* Effect.flip(submitFile(principal, url))
        assert.isTrue(refused.has(hook.message), `${url}: ${hook.message}`)
      }
      assert.deepStrictEqual(asked, [])
      assert.strictEqual(sockets.length, 0)
    }).pipe(Effect.provide(around({ ...closed, resolve })))
  })
})

/** Hands in media at a host with a name, and gives what to ask about the job from then on. */
const submitNamed = Effect.fnUntraced(function* (port: number) {
  const principal = yield* caller
  const id = yield* submitUrl(principal, `http://rebinding.example.com:${port}/a.wav`)
  return Effect.flatMap(Jobs, (jobs) => jobs.status(principal, id))
})

describe("A name that changes its address", () => {
  it.effect("between the check and the download leads nowhere", () => {
    const { asked, resolve } = scripted(["127.0.0.1"], ["10.0.0.1"], ["127.0.0.1", "10.0.0.1"])
    return Effect.gen(function* () {
      const sockets = yield* clientSockets
      const server = yield* listen({ onRequest: says(200, { body: "RIFF" }) })
      const status = yield* submitNamed(server.port)
      assert.strictEqual(sockets.length, 1)
      yield* pass(30)
      const { error, transcription_status } = yield* status
      assert.strictEqual(transcription_status, "FAILED")
      assert.strictEqual(error, "Failed to access the file or invalid URL")
      assert.isAtLeast(asked.length, 2)
      assert.strictEqual(sockets.length, 1)
    }).pipe(Effect.provide(worker.pipe(Layer.provideMerge(around({ ...loopback, resolve })))))
  })

  it.effect("between the attempts of a webhook leads nowhere", () => {
    const { asked, resolve } = scripted(["127.0.0.1"], ["169.254.169.254"], ["1.1.1.1", "::1"])
    return Effect.gen(function* () {
      const sockets = yield* clientSockets
      const server = yield* listen({ onRequest: says(500) })
      const principal = yield* caller
      const jobs = yield* Jobs
      const url = `http://rebinding.example.com:${server.port}/hook`
      const id = yield* submitFile(principal, url)
      yield* pass(150)
      assert.strictEqual((yield* jobs.status(principal, id)).status, "WEBHOOK_FAILED")
      assert.strictEqual(asked.length, 3)
      assert.strictEqual(server.connections(), 1)
      assert.strictEqual(sockets.length, 1)
    }).pipe(Effect.provide(worker.pipe(Layer.provideMerge(around({ ...loopback, resolve })))))
  })

  it.effect("between two hops of a download leads nowhere", () => {
    const names = ["127.0.0.1", "127.0.0.1", "127.0.0.1", "10.0.0.1"]
    const { asked, resolve } = scripted(...names.map((address) => [address]))
    return Effect.gen(function* () {
      const sockets = yield* clientSockets
      const server = yield* listen({
        onRequest: (socket, request) =>
          socket.end(
            request.startsWith("GET /a.wav")
              ? answer(302, { headers: { location: "/b.wav" } })
              : answer(200, { body: "RIFF" })
          )
      })
      // The check follows the redirect; the download is led astray at its second hop.
      const status = yield* submitNamed(server.port)
      assert.strictEqual(sockets.length, 2)
      yield* pass(30)
      assert.strictEqual((yield* status).transcription_status, "FAILED")
      assert.isAtLeast(asked.length, 4)
      assert.strictEqual(sockets.length, 3)
    }).pipe(Effect.provide(worker.pipe(Layer.provideMerge(around({ ...loopback, resolve })))))
  })
})
