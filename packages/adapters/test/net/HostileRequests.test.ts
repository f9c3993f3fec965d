/**
 * Tests the whole core with hostile URLs from callers, and with names that change their addresses
 * later. No socket is opened to a forbidden address.
 */
import { assert, describe, it } from "@effect/vitest"
import { type GuardOptions, layer as net } from "@verbatim/adapters/net"
import { Jobs } from "@verbatim/core/services"
import { FakeMedia } from "@verbatim/testkit/fakes"
import { Effect, Layer } from "effect"
import { caller, outside, pass, submitFile, submitUrl, worker } from "./Deployment.ts"
import { closed, loopback, scripted } from "./Fetching.ts"
import { hostile } from "./HostileUrls.ts"
import { answer, type Behaviour, clientSockets, listen, respond } from "./LoopbackServer.ts"

/** The real outbound ports over a media store in memory. */
const around = (options: GuardOptions) =>
  outside({
    allowedNetworks: options.allowedNetworks,
    net: Layer.merge(FakeMedia.layer, net(options))
  })

/** The sentences about refused URLs, one for each reason. */
const refused = new Set([
  "Invalid URL or file not accessible",
  "Invalid 'URL' format. Must start with http or https",
  "Invalid 'callback_url' format. Must start with http or https",
  "File or URL required"
])

describe("A request with a hostile URL", () => {
  it.live("is refused and opens no socket, both for media and for the webhook", () => {
    const { queries, resolve } = scripted(["127.0.0.1"])
    return Effect.gen(function* () {
      const sockets = yield* clientSockets
      const principal = yield* caller
      for (const [url] of hostile) {
        const outcome = yield* Effect.flip(submitUrl(principal, url))
        assert.isTrue(refused.has(outcome.message), `${url}: ${outcome.message}`)
        // An empty callback counts as missing.
        if (url === "") continue
        const hook = yield* Effect.flip(submitFile(principal, url))
        assert.isTrue(refused.has(hook.message), `${url}: ${hook.message}`)
      }
      assert.deepStrictEqual(queries, [])
      assert.strictEqual(sockets.length, 0)
    }).pipe(Effect.provide(around({ ...closed, resolve })))
  })
})

/** A server whose name resolves according to a script with one line per query. */
const meet = <A, E>(
  met: { readonly script: ReadonlyArray<ReadonlyArray<string>>; readonly onRequest: Behaviour },
  body: (rebinding: {
    readonly queries: ReadonlyArray<string>
    readonly connections: () => number
    readonly principal: Effect.Success<typeof caller>
    readonly sockets: Effect.Success<typeof clientSockets>
    readonly url: string
  }) => Effect.Effect<A, E, Layer.Success<ReturnType<typeof outside>>>
) => {
  const { queries, resolve } = scripted(...met.script)
  return Effect.gen(function* () {
    const sockets = yield* clientSockets
    const { connections, port } = yield* listen(met)
    const principal = yield* caller
    const url = `http://rebinding.example.com:${port}/a.wav`
    yield* body({ queries, connections, principal, sockets, url })
  }).pipe(Effect.provide(worker.pipe(Layer.provideMerge(around({ ...loopback, resolve })))))
}

describe("A host name whose address changes", () => {
  it.effect("does not lead to a new address between the check and the download", () =>
    meet(
      {
        script: [["127.0.0.1"], ["10.0.0.1"], ["127.0.0.1", "10.0.0.1"]],
        onRequest: respond(200, { body: "RIFF" })
      },
      Effect.fnUntraced(function* ({ queries, principal, sockets, url }) {
        const id = yield* submitUrl(principal, url)
        assert.strictEqual(sockets.length, 1)
        yield* pass(30)
        const { error, transcription_status } = yield* (yield* Jobs).status(principal, id)
        assert.strictEqual(transcription_status, "FAILED")
        assert.strictEqual(error, "Failed to access the file or invalid URL")
        assert.isAtLeast(queries.length, 2)
        assert.strictEqual(sockets.length, 1)
      })
    )
  )

  it.effect("does not lead to a new address between the attempts of a webhook", () =>
    meet(
      {
        script: [["127.0.0.1"], ["169.254.169.254"], ["1.1.1.1", "::1"]],
        onRequest: respond(500)
      },
      Effect.fnUntraced(function* ({ queries, connections, principal, sockets, url }) {
        const id = yield* submitFile(principal, url)
        yield* pass(150)
        assert.strictEqual((yield* (yield* Jobs).status(principal, id)).status, "WEBHOOK_FAILED")
        assert.deepStrictEqual([queries.length, connections(), sockets.length], [3, 1, 1])
      })
    )
  )

  it.effect("does not lead to a new address between the redirects of a download", () =>
    meet(
      {
        script: [["127.0.0.1"], ["127.0.0.1"], ["127.0.0.1"], ["10.0.0.1"]],
        onRequest: (socket, request) =>
          socket.end(
            request.startsWith("GET /a.wav")
              ? answer(302, { headers: { location: "/b.wav" } })
              : answer(200, { body: "RIFF" })
          )
      },
      Effect.fnUntraced(function* ({ queries, principal, sockets, url }) {
        // The check follows the redirect, and the name's address changes before the second hop of
        // the download.
        const id = yield* submitUrl(principal, url)
        assert.strictEqual(sockets.length, 2)
        yield* pass(30)
        assert.strictEqual(
          (yield* (yield* Jobs).status(principal, id)).transcription_status,
          "FAILED"
        )
        assert.isAtLeast(queries.length, 4)
        assert.strictEqual(sockets.length, 3)
      })
    )
  )
})
