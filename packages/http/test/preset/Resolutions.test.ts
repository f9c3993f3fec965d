import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Deployment from "../Deployment.ts"
import {
  broken,
  create,
  designate,
  fetchJson,
  patch,
  read,
  refusalOf,
  resolve,
  resolveNamed
} from "./PresetCalls.ts"

const { inference } = Deployment.keys

layer(Deployment.layer(), { excludeTestServices: true })("resolving a request", (it) => {
  it.effect("returns the resolved request and the origin of each part", () =>
    Effect.gen(function* () {
      const made = yield* create("used", {
        instructions: "Be brief.",
        model: "m",
        max_output_tokens: 5,
        tools: [{ type: "function", name: "f" }]
      })
      const { body, status } = yield* resolve("used/resolve", {
        messages: [{ role: "user", content: "Hi" }],
        tools: [{ type: "function", function: { name: "g" } }]
      })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body.data, {
        request: {
          model: "m",
          max_completion_tokens: 5,
          tools: [
            { type: "function", function: { name: "f" } },
            { type: "function", function: { name: "g" } }
          ],
          messages: [
            { role: "system", content: "Be brief." },
            { role: "user", content: "Hi" }
          ]
        },
        format: "chat_completions",
        preset: {
          slug: "used",
          version: 1,
          version_id: made.body.data.designated_version.id
        },
        provenance: {
          fields: {
            model: "preset",
            max_completion_tokens: "preset",
            tools: "request",
            messages: "request"
          },
          tools: ["preset", "request"],
          system_prompt: "preset"
        },
        left_out: []
      })
    })
  )

  it.effect("keeps the digits of numbers", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment.Deployment
      yield* create("exact")
      const answer = yield* call("/v1/presets/exact/resolve", {
        method: "POST",
        key: inference,
        headers: { "content-type": "application/json" },
        body: '{"seed":9223372036854775807,"top_k":1e999}'
      })
      assert.include(answer.text, '"request":{"seed":9223372036854775807,"top_k":1e999}')
    })
  )

  it.effect("uses the version that was designated at the requested time", () =>
    Effect.gen(function* () {
      yield* create("past", { model: "one" })
      const now = yield* resolve("past/resolve?at=2999-01-01T00:00:00Z", {})
      assert.strictEqual(now.body.data.request.model, "one")
      const early = yield* resolve("past/resolve?at=2000-01-01T00:00:00Z", {})
      assert.deepStrictEqual(refusalOf(early), [404, "Preset not found"])
    })
  )

  it.effect("fails if the request names no preset, two presets, or an inactive one", () =>
    Effect.gen(function* () {
      yield* create("off")
      yield* patch("off", { status: "disabled" })
      const named = "preset: must name a preset, here, in model or in prompt"
      assert.deepStrictEqual(refusalOf(yield* resolveNamed({ model: "m" })), broken(named))
      assert.deepStrictEqual(
        refusalOf(yield* resolveNamed({ preset: "a", model: "@preset/b" })),
        broken("preset: must name the same preset as model and prompt")
      )
      assert.strictEqual((yield* resolveNamed({ preset: "a b" })).status, 400)
      assert.deepStrictEqual(refusalOf(yield* resolveNamed([])), broken("body: must be an object"))
      assert.deepStrictEqual(refusalOf(yield* resolve("off/resolve", {})), [
        409,
        "Preset is disabled"
      ])
      assert.deepStrictEqual(refusalOf(yield* resolve("none/resolve", {})), [
        404,
        "Preset not found"
      ])
      assert.deepStrictEqual(refusalOf(yield* resolve("off@7/resolve", {})), [
        409,
        "Preset is disabled"
      ])
      const wrong = yield* resolve("off/resolve?format=yaml&at=now", {})
      assert.strictEqual(wrong.status, 400)
      assert.include(wrong.body.error.message, "format: must be one of")
      assert.include(wrong.body.error.message, "at: must be an instant")
    })
  )

  it.effect("returns the resolved version, or 304 if the client already has it", () =>
    Effect.gen(function* () {
      yield* fetchJson({
        path: "/pinned/messages",
        json: { system: "Be brief.", max_tokens: 9, messages: [] }
      })
      const first = yield* read("/pinned/pin", inference)
      const { version_id } = first.body.data
      assert.strictEqual(first.etag, `"${version_id}"`)
      assert.deepStrictEqual(first.body.data, {
        slug: "pinned",
        version: 1,
        version_id,
        format: "messages",
        variables: [],
        system_prompt: "Be brief.",
        ...{ config: { max_tokens: 9 }, wins: [] }
      })
      const { call } = yield* Deployment.Deployment
      const again = (tag: string) =>
        call("/v1/presets/pinned/pin", { key: inference, headers: { "if-none-match": tag } })
      assert.deepStrictEqual(
        yield* Effect.map(again(`"other", "${version_id}"`), ({ status, text }) => [status, text]),
        [304, ""]
      )
      yield* create("pinned")
      assert.strictEqual((yield* again(`"${version_id}"`)).status, 200)
      assert.strictEqual((yield* again("no tag")).status, 400)
      yield* designate("pinned", { version: 1 })
      assert.strictEqual((yield* again(`"${version_id}"`)).status, 304)
    })
  )
})

layer(Deployment.layer(), { excludeTestServices: true })("a preview", (it) => {
  it.effect("shows the kept fields and the changes, and stores nothing", () =>
    Effect.gen(function* () {
      const body = { model: "two", stream: true, instructions: "Sing." }
      const none = yield* resolve("preview", body)
      assert.deepStrictEqual(none.body.data, {
        system_prompt: "Sing.",
        variables: [],
        config: { model: "two" },
        fields: [
          { name: "model", fate: "kept", reason: "selects the model or provider" },
          { name: "stream", fate: "ignored", reason: "controls how one request is sent" },
          { name: "instructions", fate: "system_prompt", reason: "is the system prompt" }
        ],
        version: null,
        changes: null
      })
      yield* create("tried", { model: "one" })
      const { data } = (yield* resolve("preview?slug=tried", body)).body
      assert.strictEqual(data.version, 2)
      assert.deepStrictEqual(data.changes, {
        from: 1,
        to: 2,
        format: null,
        system_prompt: { from: null, to: "Sing." },
        config: [{ path: "/model", kind: "changed", from: "one", to: "two" }],
        wins: null
      })
      const dry = yield* fetchJson({ path: "/tried/responses?dry_run=true", json: body })
      assert.deepStrictEqual([dry.status, dry.body.data], [200, data])
      const fresh = yield* fetchJson({ path: "/fresh/responses?dry_run=true", json: body })
      assert.deepStrictEqual([fresh.body.data.version, fresh.body.data.changes], [1, null])
      assert.strictEqual((yield* read("/tried")).body.data.designated_version.version, 1)
      assert.strictEqual((yield* read("/fresh")).status, 404)
      const wet = yield* fetchJson({ path: "/tried/responses?dry_run=false", json: body })
      assert.strictEqual(wet.body.data.designated_version.version, 2)
    })
  )
})
