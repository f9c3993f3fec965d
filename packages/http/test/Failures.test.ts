import { assert, describe, it } from "@effect/vitest"
import { Jobs } from "@verbatim/core/job/Jobs"
import { PresetStoreError } from "@verbatim/core/ports/PresetStore"
import { WorkspaceStoreError } from "@verbatim/core/ports/WorkspaceStore"
import { Presets } from "@verbatim/core/preset/Presets"
import { Workspaces } from "@verbatim/core/workspace/Workspaces"
import { Health, routes } from "@verbatim/http"
import { apiKeyId, userId, workspaceId } from "@verbatim/testkit/samples/Ids"
import { Cause, Effect, Layer, Logger, Redacted } from "effect"
import { HttpRouter, HttpServer } from "effect/http"

const secret = "/var/lib/secret: SELECT * FROM key"
const cause = new Error(secret)

const principal = {
  keyId: apiKeyId(1),
  kind: "management" as const,
  workspaceId: workspaceId(1),
  userId: userId(1)
}

const unavailable = (reason: PresetStoreError["reason"]) =>
  Effect.fail(new PresetStoreError({ operation: "append", reason }))

/** What the store does is what the slug says. */
const presets = Layer.mock(Presets)({
  create: ({ slug }) => {
    if (slug === "contended") return unavailable({ _tag: "Contended" })
    if (slug === "archived") return unavailable({ _tag: "Archived" })
    if (slug === "homeless") return unavailable({ _tag: "WorkspaceMissing" })
    if (slug === "broken") return Effect.die(cause)
    return unavailable({ _tag: "Unavailable", cause })
  }
})

/** A key called `unknowable` cannot be looked up. */
const workspaces = Layer.mock(Workspaces)({
  authenticate: (token) =>
    Redacted.value(token) === "unknowable"
      ? Effect.fail(new WorkspaceStoreError({ operation: "findKey", cause }))
      : Effect.succeed(principal)
})

const jobs = Layer.mock(Jobs)({ status: () => Effect.die(cause) })
const health = Layer.mock(Health)({ report: Effect.die(cause) })

/** Answers in this process, and what was logged meanwhile. */
const ask = (path: string, key = "known") =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const logged: Array<string> = []
      const logger = Logger.make(({ cause, message }) => {
        logged.push(`${message} ${Cause.pretty(cause)}`)
      })
      const app = routes.pipe(
        Layer.provide(Layer.mergeAll(presets, workspaces, jobs, health)),
        Layer.provide(HttpServer.layerServices),
        Layer.provideMerge(Logger.layer([logger]))
      )
      return { logged, ...HttpRouter.toWebHandler(app, { disableLogger: true }) }
    }),
    ({ handler, logged }) =>
      Effect.promise(async () => {
        const isPreset = path.startsWith("/v1/presets")
        const headers = { authorization: `Bearer ${key}` }
        const method = isPreset ? "POST" : "GET"
        const answer = await handler(new Request(`http://localhost${path}`, { method, headers }))
        return { status: answer.status, text: await answer.text(), logged: logged.join("\n") }
      }),
    ({ dispose }) => Effect.promise(dispose)
  )

const preset = (code: number, message: string, user: string | null = userId(1)) =>
  JSON.stringify({ error: { code, message }, gateway_metadata: null, user_id: user })

const failure = "Internal Server Error"
const detail = JSON.stringify({ detail: failure })
const conflict = "Resource conflict. Please try again later."

/** What fails, the path, the key, the status, and the body. */
const rows: ReadonlyArray<readonly [string, string, string, number, string]> = [
  ["the preset store", "/v1/presets/down/responses", "known", 500, preset(500, failure)],
  ["a preset service", "/v1/presets/broken/responses", "known", 500, preset(500, failure)],
  ["the key store", "/v1/presets/a/responses", "unknowable", 500, preset(500, failure, null)],
  ["the key store", "/v1/status/1", "unknowable", 500, detail],
  ["a job service", "/v1/status/1", "known", 500, detail],
  ["health itself", "/health", "known", 500, detail]
]

const refused: ReadonlyArray<readonly [string, string, number, string]> = [
  ["contended write", "contended", 409, conflict],
  ["archived preset", "archived", 409, "Preset is archived"],
  ["workspace that is gone", "homeless", 404, "Workspace not found"]
]

describe("a failure", () => {
  for (const [what, path, key, status, text] of rows) {
    it.effect(`of ${what} is logged and not shown: ${path}`, () =>
      Effect.gen(function* () {
        const answer = yield* ask(path, key)
        assert.deepStrictEqual([answer.status, answer.text], [status, text])
        assert.include(answer.logged, secret)
        assert.notInclude(answer.text, secret)
      })
    )
  }
})

describe("a write", () => {
  for (const [what, slug, status, message] of refused) {
    it.effect(`is refused for a ${what}: ${status} ${message}`, () =>
      Effect.gen(function* () {
        const answer = yield* ask(`/v1/presets/${slug}/responses`)
        assert.deepStrictEqual([answer.status, answer.text], [status, preset(status, message)])
        assert.strictEqual(answer.logged, "")
      })
    )
  }
})
