/** Checks of URLs over real sockets: hosts that are silent keep their own workspace waiting. */
import { createHash } from "node:crypto"
import { createServer } from "node:http"
import { assert, layer } from "@effect/vitest"
import * as Net from "@verbatim/adapters/net"
import type { WorkspaceStore } from "@verbatim/core/ports"
import { type ApiKey, createWorkspace, KeyHash } from "@verbatim/core/workspace"
import { apiKey, instant, upTo, userId, workspaceId } from "@verbatim/testkit/samples"
import { listen } from "@verbatim/testkit/servers"
import { Context, Duration, Effect, Fiber, Layer } from "effect"
import { IpNetwork } from "effect/net"
import * as Deployment from "../Deployment.ts"

/** Checks that a workspace may have under way. */
const share = 32

/** A host that answers one path, and keeps silent about all others. */
class Host extends Context.Service<
  Host,
  { readonly origin: string; readonly silentCount: () => number; readonly speak: () => void }
>()("@verbatim/http/test/UrlChecks/Host") {
  static readonly layer = Layer.effect(
    Host,
    Effect.gen(function* () {
      const silent = new Set<() => void>()
      const server = createServer(({ url }, response) => {
        const answer = () => {
          response.end("sound")
        }
        if (url === "/a.mp3") return answer()
        silent.add(answer)
        response.on("close", () => silent.delete(answer))
      })
      const speak = () => {
        for (const answer of silent) answer()
      }
      return { origin: yield* listen(server), silentCount: () => silent.size, speak }
    })
  )
}

const fetcher = Net.GuardedMediaFetcher.layer({
  allowNetworks: [IpNetwork.fromStringUnsafe("127.0.0.1/32")]
})

const otherKey = "key-of-another-workspace-0123456"

const hash = KeyHash.make(createHash("sha256").update(otherKey).digest("hex"))

const workspace = createWorkspace({
  id: workspaceId(2),
  name: "other",
  externalId: null,
  firstUserId: userId(2),
  createdAt: instant
})

const key: ApiKey = { ...apiKey(2), hash, kind: "inference", workspaceId: workspaceId(2) }

/** A store with a second workspace beside the founded one. */
const withOther = (store: WorkspaceStore["Service"]): WorkspaceStore["Service"] => ({
  ...store,
  findKey: (wanted) =>
    wanted === hash ? Effect.succeedSome({ key, workspace }) : store.findKey(wanted),
  account: (id) =>
    id === workspaceId(2)
      ? Effect.succeedSome({ workspace, balanceMillis: 36_000_000 })
      : store.account(id)
})

const post = Effect.fnUntraced(function* (key: string, url: string) {
  const { call } = yield* Deployment.Deployment
  return yield* call("/v1/transcribe", {
    key,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url })
  })
})

layer(
  Layer.merge(
    Deployment.layer({ fetcher, patience: Duration.millis(300), workspaceStore: withOther }),
    Host.layer
  ),
  {
    excludeTestServices: true
  }
)("checks of urls", (it) => {
  it.effect("are so many for a workspace, and another one is answered beside them", () =>
    Effect.gen(function* () {
      const { origin, silentCount, speak } = yield* Host
      const { call } = yield* Deployment.Deployment
      const key = Deployment.keys.inference
      const silent = yield* Effect.forEach(upTo(share), (number) =>
        Effect.forkChild(post(key, `${origin}/silent-${number}.mp3`))
      )
      yield* Effect.repeat(Effect.sleep("5 millis"), { until: () => silentCount() === share })
      const refused = yield* post(key, `${origin}/a.mp3`)
      assert.deepStrictEqual(
        [refused.status, refused.headers.get("retry-after"), JSON.parse(refused.text)],
        [429, "1", { detail: "Too many requests at the same time" }]
      )
      // Another workspace has its own answers, and so has what asks for no check.
      assert.strictEqual((yield* post(otherKey, `${origin}/a.mp3`)).status, 200)
      assert.strictEqual((yield* post(otherKey, "http://10.0.0.1/a.mp3")).status, 400)
      assert.strictEqual((yield* post(key, "ftp://x/a.mp3")).status, 400)
      assert.strictEqual((yield* call("/v1/transcriptions", { key })).status, 200)
      assert.strictEqual(silentCount(), share)
      // Whoever came first is answered as ever, and leaves its place.
      speak()
      for (const fiber of silent) assert.strictEqual((yield* Fiber.join(fiber)).status, 200)
      assert.strictEqual((yield* post(key, `${origin}/a.mp3`)).status, 200)
    })
  )
})
