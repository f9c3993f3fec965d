/**
 * Tests that the whole core opens no socket to a forbidden address, even if a URL is hostile or a
 * host name changes its address.
 */
import { NodeCrypto } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Memory from "@verbatim/adapters/memory"
import { type GuardOptions, layer as net } from "@verbatim/adapters/net"
import { OutboundPolicy } from "@verbatim/core/outbound"
import { Jobs, Services, Submissions, Workspaces } from "@verbatim/core/services"
import { Worker } from "@verbatim/core/worker"
import type { Principal } from "@verbatim/core/workspace"
import { FakeEngines, FakeMedia } from "@verbatim/testkit/fakes"
import { Effect, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { closed, loopback, scripted } from "./Fetching.ts"
import { hostile } from "./HostileUrls.ts"
import { answer, clientSockets, listen } from "./LoopbackServer.ts"

/** Provides the real core and outbound ports, with stores in memory and scripted engines. */
const deployment = (options: GuardOptions) =>
  Services.layer.pipe(
    Layer.provide(Layer.succeed(OutboundPolicy, { allowedNetworks: options.allowedNetworks })),
    Layer.provideMerge(
      Layer.mergeAll(
        Memory.layer,
        FakeEngines.layer,
        FakeMedia.layer,
        net(options),
        NodeCrypto.layerSecureRandom,
        NodeCrypto.layerDigest,
        NodeCrypto.layerMac
      )
    )
  )

/** A worker that fetches the media of submitted URLs. */
const worker = Worker.layer({ Fetch: 4, Transcribe: 1, Summarize: 1, Deliver: 1 })

/** Creates a workspace with 600 minutes, and returns a caller that has its key. */
const caller = Effect.gen(function* () {
  const workspaces = yield* Workspaces
  yield* workspaces.found({ keys: [], minutes: 600 })
  const [account] = yield* workspaces.accounts({ after: null, limit: 1 })
  if (account === undefined) return yield* Effect.die("a founded store has no workspace")
  const { firstUserId, id } = account.workspace
  return { kind: "inference" as const, workspaceId: id, userId: firstUserId }
})

/** Submits a file whose webhook goes to the URL, and returns the job's id. */
const submitFile = Effect.fnUntraced(function* (principal: Principal, callbackUrl: string) {
  const submissions = yield* Submissions
  const content = Stream.succeed(new Uint8Array(8))
  const { id } = yield* submissions.submit(principal, {
    isTextual: false,
    parts: Stream.fromArray([
      { _tag: "Parameter" as const, name: "callback_url", value: callbackUrl },
      { _tag: "File" as const, name: "file", filename: "a.wav", content }
    ])
  })
  return id
})

/** Submits a URL, and returns the job's id. */
const submitUrl = Effect.fnUntraced(function* (principal: Principal, url: string) {
  const submissions = yield* Submissions
  const { id } = yield* submissions.submit(principal, {
    isTextual: false,
    parts: Stream.succeed({ _tag: "Parameter" as const, name: "url", value: url })
  })
  return id
})

/**
 * Advances the test clock second by second. Real time passes in between, because sockets do not
 * follow the test clock.
 */
const pass = (seconds: number) =>
  Effect.forEach(
    Array.from({ length: seconds }),
    () => Effect.andThen(TestClock.adjust("1 second"), TestClock.withLive(Effect.sleep(2))),
    { discard: true }
  )

/** The error messages for refused URLs, by reason. */
const refused = new Set([
  "Invalid URL or file not accessible",
  "Invalid 'URL' format. Must start with http or https",
  "Invalid 'callback_url' format. Must start with http or https",
  "File or URL required"
])

describe("a request with a hostile URL", () => {
  it.live("is refused and opens no socket, neither for media nor for a webhook", () => {
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
    }).pipe(Effect.provide(deployment({ ...closed, resolve })))
  })
})

describe("a host name that changes its address", () => {
  it.effect("gets no socket to the new address between the redirects of a download", () => {
    const { queries, resolve } = scripted(["127.0.0.1"], ["127.0.0.1"], ["127.0.0.1"], ["10.0.0.1"])
    return Effect.gen(function* () {
      const sockets = yield* clientSockets
      const { port } = yield* listen({
        onRequest: (socket, request) =>
          socket.end(
            request.startsWith("GET /a.wav")
              ? answer(302, { headers: { location: "/b.wav" } })
              : answer(200, { body: "RIFF" })
          )
      })
      // The check follows the redirect. The address changes before the second request of the
      // download.
      const principal = yield* caller
      const id = yield* submitUrl(principal, `http://rebinding.example.com:${port}/a.wav`)
      assert.strictEqual(sockets.length, 2)
      yield* pass(30)
      const { error, transcription_status } = yield* (yield* Jobs).status(principal, id)
      assert.strictEqual(transcription_status, "FAILED")
      assert.strictEqual(error, "Failed to access the file or invalid URL")
      assert.isAtLeast(queries.length, 4)
      assert.strictEqual(sockets.length, 3)
    }).pipe(Effect.provide(worker.pipe(Layer.provideMerge(deployment({ ...loopback, resolve })))))
  })
})
