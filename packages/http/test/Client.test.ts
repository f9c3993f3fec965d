import { assert, layer } from "@effect/vitest"
import { WorkspaceId } from "@verbatim/core/workspace"
import * as Client from "@verbatim/http/client"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { file, form } from "./Bodies.ts"
import * as Deployment from "./Deployment.ts"

const clientOf = (key: string) =>
  Effect.gen(function* () {
    const { port } = yield* Deployment.Deployment
    return yield* Client.make({ baseUrl: `http://127.0.0.1:${port}`, key: Redacted.make(key) })
  }).pipe(Effect.provide(FetchHttpClient.layer))

layer(Deployment.layer(), { excludeTestServices: true })("the client", (it) => {
  it.effect("makes a preset and reads it", () =>
    Effect.gen(function* () {
      const client = yield* clientOf(Deployment.keys.management)
      const params = { slug: "from-client" }
      const payload = { model: "some/model", instructions: "Be kind." }
      const made = yield* client.presets.createFromResponses({
        params,
        query: {},
        headers: {},
        payload
      })
      const read = yield* client.presets.get({ params })
      assert.deepStrictEqual(made, read)
      assert.deepStrictEqual(read.data.designated_version?.config, { model: "some/model" })
    })
  )

  it.effect("makes one preset under an idempotency key", () =>
    Effect.gen(function* () {
      const { presets } = yield* clientOf(Deployment.keys.management)
      const params = { slug: "keyed" }
      const headers = { "idempotency-key": "order-1" }
      const ask = (model: string) =>
        presets.createFromResponses({ params, query: {}, headers, payload: { model } })
      const made = yield* ask("some/model")
      assert.deepStrictEqual(yield* ask("some/model"), made)
      const message = "Idempotency-Key was already used with another request"
      assert.deepInclude(yield* Effect.flip(ask("other/model")), { error: { code: 409, message } })
      assert.strictEqual((yield* presets.versions({ params, query: {} })).total_count, 1)
    })
  )

  it.effect("reads, compares and changes presets", () =>
    Effect.gen(function* () {
      const { presets } = yield* clientOf(Deployment.keys.management)
      const params = { slug: "all-of-it" }
      const messages = [{ role: "system", content: "Be kind." }]
      yield* presets.createFromChatCompletions({
        params,
        query: {},
        headers: {},
        payload: { messages }
      })
      yield* presets.createFromMessages({
        params,
        query: {},
        headers: {},
        payload: { messages: [], top_k: 1 }
      })
      const page = yield* presets.versions({ params, query: { offset: 1, limit: 1 } })
      const list = yield* presets.list({ query: {} })
      const { data: second } = yield* presets.version({ params: { ...params, version: 2 } })
      const { data: diff } = yield* presets.diff({ params, query: { from: 1, to: 2 } })
      assert.deepStrictEqual(page, { data: [second], total_count: 2 })
      assert.include(list.data[0], { slug: "all-of-it", designated_version_id: second.id })
      assert.deepStrictEqual(diff.system_prompt, { from: "Be kind.", to: null })
      assert.deepStrictEqual(diff.config, [{ path: "/top_k", kind: "added", to: 1 }])

      const headers = { "if-match": `"${second.id}"` }
      const payload = { version: 1 }
      const [back, response] = yield* presets.designate({
        params,
        headers,
        payload,
        responseMode: "decoded-and-response"
      })
      const late = yield* Effect.flip(presets.designate({ params, headers, payload }))
      const off = yield* presets.revise({ params, headers: {}, payload: { status: "disabled" } })
      const history = yield* presets.designations({ params, query: {} })
      assert.strictEqual(back.data.designated_version?.version, 1)
      assert.strictEqual(response.headers.etag, `"${back.data.designated_version_id}"`)
      assert.deepInclude(late, {
        error: { code: 409, message: "The designated version has changed" }
      })
      assert.strictEqual(off.data.status, "disabled")
      assert.deepStrictEqual(
        history.data.map(({ from, to }) => [from, to]),
        [
          [null, 1],
          [1, 2],
          [2, 1]
        ]
      )
    })
  )

  it.effect("manages workspaces and their keys with an operator key", () =>
    Effect.gen(function* () {
      const { workspaceKeys, workspaces } = yield* clientOf(Deployment.operatorKey)
      const { data } = yield* workspaces.ensure({ params: { external_id: "a/b c" } })
      const params = { id: data.id }
      const { data: left } = yield* workspaces.credit({ params, payload: { minutes: 61 } })
      const read = yield* workspaces.get({ params })
      assert.deepStrictEqual(read.data, { ...data, ...left })
      const page = yield* workspaces.list({ query: { limit: 1 } })
      const cursor = WorkspaceId.make(page.next_cursor ?? "")
      assert.deepStrictEqual((yield* workspaces.list({ query: { cursor } })).data, [read.data])

      const payload = { kind: "management", name: "first" } as const
      const { data: key } = yield* workspaceKeys.issue({ params, payload })
      const own = yield* clientOf(key.token)
      const key_id = key.id
      const { data: next } = yield* own.keys.rotate({ params: { key_id }, payload: {} })
      yield* own.keys.revoke({ params: { key_id } })
      const { data: keys } = yield* (yield* clientOf(next.token)).keys.list()
      assert.deepStrictEqual(
        keys.map(({ id, revoked_at }) => [id, revoked_at === null]),
        [
          [key_id, false],
          [next.id, true]
        ]
      )
      const late = yield* Effect.flip(own.keys.list())
      assert.deepInclude(late, { error: { code: 401, message: "Invalid API key" } })
      assert.strictEqual((yield* workspaces.remove({ params })).data.status, "deleting")
    })
  )

  it.effect("uploads a file and looks at its job", () =>
    Effect.gen(function* () {
      const client = yield* clientOf(Deployment.keys.inference)
      const payload = form([["file", file("a.mp3")]])
      const { id } = yield* client.transcription.create({ headers: {}, payload })
      const job = yield* client.transcription.status({ params: { id }, query: {} })
      const params = { id, modifier: "plain_text" }
      const result = yield* client.transcription.result({ params })
      assert.strictEqual(job.transcription_status, "IN_QUEUE")
      assert.deepStrictEqual(result, job)
    })
  )

  it.effect("fails with the error that the server sent", () =>
    Effect.gen(function* () {
      const reader = yield* clientOf(Deployment.keys.inference)
      const nobody = yield* clientOf("nobody")
      const params = { slug: "nothing" }
      const absent = yield* Effect.flip(reader.presets.get({ params }))
      const unknown = yield* Effect.flip(
        nobody.transcription.status({ params: { id: "1" }, query: {} })
      )
      assert.deepInclude(absent, { error: { code: 404, message: "Preset not found" } })
      assert.deepStrictEqual(unknown, { status: 403, detail: "Forbidden: Invalid API key" })
    })
  )
})
