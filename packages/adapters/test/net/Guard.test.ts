/** Tests that a forbidden request opens no socket. */
import { assert, describe, it } from "@effect/vitest"
import { GuardedWebhookSender, type GuardOptions } from "@verbatim/adapters/net"
import * as UrlPolicy from "@verbatim/core/outbound"
import { WebhookSender } from "@verbatim/core/ports"
import { Duration, Effect, Result } from "effect"
import { vi } from "vitest"
import { allow, check, closed, download, failure, loopback, scripted } from "./Fetching.ts"
import { hostile } from "./HostileUrls.ts"
import { answer, clientSockets, listen, respond } from "./LoopbackServer.ts"

/** Tries one operation, and returns its outcome as text. */
type Operation = (url: string, options: GuardOptions) => Effect.Effect<string>

const refusalOf = (outcome: string): string => outcome.replace(/^Unreachable /, "")

const webhook: Operation = (url, options) =>
  Effect.flatMap(WebhookSender, (sender) =>
    sender.post({ url, headers: {}, body: "{}", timeout: Duration.seconds(2) })
  ).pipe(
    Effect.match({
      onFailure: ({ detail }) => detail,
      onSuccess: ({ status }) => `passed ${status}`
    }),
    Effect.provide(GuardedWebhookSender.layer(options))
  )

const passed = <A>(effect: Effect.Effect<A, string>): Effect.Effect<string> =>
  Effect.match(effect, { onFailure: refusalOf, onSuccess: () => "passed 200" })

/** The operations, with the names that test titles give them. */
const operations: ReadonlyArray<readonly [name: string, operation: Operation]> = [
  ["the check", (url, options) => passed(Effect.flip(failure(check(url, options))))],
  ["a download", (url, options) => passed(Effect.flip(failure(download(url, options))))],
  ["a webhook", webhook]
]

/** Lists of addresses that a resolver returns. Each list contains a forbidden address. */
const forbidden: ReadonlyArray<ReadonlyArray<string>> = [
  ["127.0.0.1"],
  ["169.254.169.254"],
  ["::1"],
  ["::ffff:a9fe:a9fe"],
  ["64:ff9b::a00:1"],
  ["fe80::1%eth0"],
  ["1.1.1.1", "127.0.0.1"],
  ["127.0.0.1", "1.1.1.1"],
  ["2606:4700::1111", "::1"],
  ["2606:4700::1111", "192.168.0.1"],
  ["1.1.1.1", "not an address"],
  ["1.1.1.1", ""],
  ["0x7f.1"],
  ["2130706433"],
  [...Array<string>(50).fill("1.1.1.1"), "192.168.0.1"]
]

describe("The guard", () => {
  it.live.each(operations)(
    "opens no socket and resolves no name for a hostile URL, in %s",
    ([, operation]) =>
      Effect.gen(function* () {
        const sockets = yield* clientSockets
        const { queries, resolve } = scripted(["127.0.0.1"])
        for (const [url, refusal] of hostile) {
          assert.strictEqual(yield* operation(url, { ...closed, resolve }), `refused: ${refusal}`)
        }
        assert.isAtLeast(hostile.length, 60)
        assert.deepStrictEqual(queries, [])
        assert.strictEqual(sockets.length, 0)
      })
  )

  it.live.each(operations)(
    "opens no socket for a name with a forbidden address, in %s",
    ([, operation]) =>
      Effect.gen(function* () {
        const sockets = yield* clientSockets
        for (const addresses of forbidden) {
          const options = { ...closed, resolve: scripted(addresses).resolve }
          const outcome = yield* operation("https://media.example.com/", options)
          assert.strictEqual(outcome, "media.example.com: ForbiddenAddress", addresses.join())
        }
        assert.strictEqual(sockets.length, 0)
      })
  )

  it.live.each(operations)("opens one socket, to the checked address, in %s", ([, operation]) =>
    Effect.gen(function* () {
      const sockets = yield* clientSockets
      const server = yield* listen({ onRequest: respond(200, { body: "content" }) })
      const { queries, resolve } = scripted(["127.0.0.1"], ["127.0.0.9"], ["10.0.0.1", "127.0.0.1"])
      const url = `http://rebinding.example.com:${server.port}/`
      assert.strictEqual(yield* operation(url, { ...loopback, resolve }), "passed 200")
      assert.strictEqual(queries.length, 1)
      assert.include(server.received[0], `host: rebinding.example.com:${server.port}\r\n`)
      for (const question of [2, 3]) {
        const outcome = yield* operation(url, { ...loopback, resolve })
        assert.strictEqual(outcome, "rebinding.example.com: ForbiddenAddress")
        assert.strictEqual(queries.length, question)
      }
      assert.strictEqual(server.connections(), 1)
      assert.strictEqual(sockets.length, 1)
    })
  )

  it.live("tries the next address if one does not respond", () =>
    Effect.gen(function* () {
      const server = yield* listen({ onRequest: respond(200, { body: "second" }) })
      const options: GuardOptions = {
        ...loopback,
        allowedNetworks: allow("127.0.0.0/8"),
        resolve: scripted(["127.0.0.2", "127.0.0.1"]).resolve
      }
      const url = `http://media.example.com:${server.port}/`
      assert.strictEqual((yield* download(url, options)).toString(), "second")
    })
  )

  it.live(
    "allows a local name only if all its addresses are allowed and none of them is public",
    () =>
      Effect.gen(function* () {
        const sockets = yield* clientSockets
        const server = yield* listen({ onRequest: respond(200, { body: "content" }) })
        const url = `http://localhost:${server.port}/`
        yield* check(url, { ...loopback, resolve: scripted(["127.0.0.1"]).resolve })
        for (const addresses of [["127.0.0.1", "::1"], ["127.0.0.1", "1.1.1.1"], ["1.1.1.1"]]) {
          const options = { ...loopback, resolve: scripted(addresses).resolve }
          const outcome = yield* failure(check(url, options))
          assert.strictEqual(outcome, "Unreachable localhost: ForbiddenAddress")
        }
        assert.strictEqual(sockets.length, 1)
      })
  )

  it.live(
    "reports a name without an address as Unresolved, or as Unreachable after a redirect",
    () =>
      Effect.gen(function* () {
        const url = "http://nowhere.invalid/"
        const outcome = yield* failure(check(url, closed))
        assert.match(outcome, /^Unresolved nowhere\.invalid: (?:ENOTFOUND|EAI_AGAIN)$/)
        const empty = { ...closed, resolve: scripted([]).resolve }
        assert.strictEqual(yield* failure(check(url, empty)), "Unresolved nowhere.invalid: ENODATA")
        const server = yield* listen({ onRequest: respond(302, { headers: { location: url } }) })
        const hop = yield* failure(check(server.origin, { ...loopback, resolve: empty.resolve }))
        assert.strictEqual(hop, "Unreachable nowhere.invalid: ENODATA")
      })
  )

  it.live("ignores proxies that the environment names", () =>
    Effect.gen(function* () {
      const proxy = yield* listen({ onRequest: respond(200, { body: "content" }) })
      for (const name of ["HTTP_PROXY", "http_proxy", "ALL_PROXY"]) vi.stubEnv(name, proxy.origin)
      vi.stubEnv("NODE_USE_ENV_PROXY", "1")
      const server = yield* listen({ onRequest: respond(200, { body: "direct" }) })
      assert.strictEqual((yield* download(server.origin)).toString(), "direct")
      assert.strictEqual(proxy.connections(), 0)
    }).pipe(Effect.ensuring(Effect.sync(() => vi.unstubAllEnvs())))
  )

  it.live("checks the URL of each redirect like the URL of a caller", () =>
    Effect.gen(function* () {
      const sockets = yield* clientSockets
      const { allowedNetworks } = loopback
      const targets = hostile
        .filter(([url]) => /^[\x21-\x7e]*:[\x21-\x7e]*$/.test(url))
        .flatMap(([url]) =>
          Result.match(UrlPolicy.checkUrl({ url, allowedNetworks }), {
            onFailure: (refusal) => [[url, refusal] as const],
            onSuccess: () => []
          })
        )
      const server = yield* listen({
        onRequest: (socket, request) => {
          const index = Number(/^GET \/(\d+)/.exec(request)?.[1])
          socket.end(answer(302, { headers: { location: targets[index]?.[0] ?? "" } }))
        }
      })
      for (const [index, [url, refusal]] of targets.entries()) {
        const outcome = yield* failure(check(`${server.origin}/${index}`))
        assert.strictEqual(outcome, `Unreachable refused: ${refusal}`, url)
      }
      assert.isAtLeast(targets.length, 40)
      assert.strictEqual(sockets.length, targets.length)
    })
  )
})
