/** Versions that are made of other ones, and fields in which a version wins, over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { json } from "../Bodies.ts"
import * as Deployment from "../Deployment.ts"
import { ask, broken, create, designate, moveLabel, read, refusalOf } from "./PresetCalls.ts"

const { inference, management } = Deployment.keys

type Headers = Readonly<Record<string, string>>

const edit = (slug: string, parts: unknown, headers: Headers = {}) =>
  ask({ path: `/${slug}/versions`, json: parts, headers })

const versionAt = (slug: string, version: number | string) =>
  Effect.map(read(`/${slug}/versions/${version}`), ({ body }) => body.data)

const marked = [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }]

const body = { model: "m", max_tokens: 9, system: marked, messages: [] }

/** A preset of a messages request with marks in its prompt, which wins in a field. */
const makePreset = (slug: string) =>
  ask({ path: `/${slug}/messages?wins=max_tokens&comment=Born`, json: body })

layer(Deployment.layer(), { excludeTestServices: true })("a version of other parts", (it) => {
  it.effect("has what is set, and all the rest of the designated one", () =>
    Effect.gen(function* () {
      yield* makePreset("rest")
      const made = yield* edit("rest", { set: { model: "n", temperature: 0.5 }, comment: "Cooler" })
      const { designated_version } = made.body.data
      const fresh = { model: "n", max_tokens: 9, temperature: 0.5, system: marked }
      assert.deepInclude(designated_version, {
        ...{ version: 2, system_prompt: "Be brief.", config: fresh, comment: "Cooler" }
      })
      assert.notProperty(designated_version, "wins")
      assert.strictEqual(made.etag, `"${designated_version.id}"`)
      const { format, wins } = yield* versionAt("rest", 2)
      assert.deepStrictEqual([format, wins], ["messages", ["max_tokens"]])
      const { body: history } = yield* read("/rest/designations")
      assert.deepInclude(history.data[1], { from: 1, to: 2 })
    })
  )

  it.effect("is made of a number, a label, or the latest one, and only stored on demand", () =>
    Effect.gen(function* () {
      for (const model of ["a", "b", "c"]) yield* create("points", { model, top_k: 1 })
      yield* moveLabel("points@production", 2)
      yield* designate("points", { version: 1 })
      const modelOf = (parts: object) =>
        Effect.map(edit("points", { ...parts, stage: true }), ({ body: { data } }) => [
          data.designated_version.version,
          data.staged_version.config.model
        ])
      assert.deepStrictEqual(yield* modelOf({ from: 3 }), [1, "c"])
      assert.deepStrictEqual(yield* modelOf({ from: "production" }), [1, "b"])
      assert.deepStrictEqual(yield* modelOf({ from: "latest" }), [1, "b"])
      assert.deepStrictEqual(yield* modelOf({ from: "designated" }), [1, "a"])
      assert.deepStrictEqual(yield* modelOf({}), [1, "a"])
    })
  )

  it.effect("loses what is unset, its wins with it, and takes another prompt without marks", () =>
    Effect.gen(function* () {
      yield* makePreset("less")
      yield* edit("less", { unset: ["max_tokens"], system_prompt: "Sing." })
      const second = yield* versionAt("less", 2)
      assert.deepInclude(second, { system_prompt: "Sing.", config: { model: "m" }, wins: [] })
      yield* edit("less", { from: 1, system_prompt: null, wins: ["model", "model"] })
      const third = yield* versionAt("less", 3)
      assert.deepInclude(third, { system_prompt: null, wins: ["model"] })
      assert.deepStrictEqual(third.config, { model: "m", max_tokens: 9 })
    })
  )

  it.effect("names what it does not have, as a creation does", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment.Deployment
      yield* create("kept")
      const server = { type: "mcp", server_label: "s", authorization: "secret" }
      const set = { stream: true, tools: [server] }
      const send = () => call("/v1/presets/kept/versions", { key: management, ...json({ set }) })
      const { headers } = yield* send()
      assert.strictEqual(headers.get("x-verbatim-not-kept"), "stream, tools.0.authorization")
      const { config } = yield* versionAt("kept", 2)
      assert.deepStrictEqual(config, { tools: [{ type: "mcp", server_label: "s" }] })
    })
  )

  it.effect("is refused with a sentence about each thing that is wrong", () =>
    Effect.gen(function* () {
      yield* makePreset("wrong")
      const isPrompt = "is the prompt: set system_prompt to change it, or to null to remove it"
      const rows: ReadonlyArray<readonly [object, string]> = [
        [{ unset: ["top_k"] }, "unset: the version has no field top_k"],
        ...["system", "messages", "instructions", "prompt", "system_prompt"].map(
          (name) => [{ unset: [name] }, `unset: ${name} ${isPrompt}`] as const
        ),
        [{ wins: ["top_k"] }, "wins: the version has no field top_k"],
        [{ set: { system: "x" } }, "set.system: belongs in system_prompt"],
        [{ set: { messages: [] } }, "set.messages: belongs in system_prompt"],
        [{ system_prompt: "" }, "system_prompt: must not be empty in this format: write null"],
        [{ unset: ["model"], set: { model: "n" } }, "set.model: is also in unset"],
        [{ form: 1 }, "form: unknown property"],
        [{ from: "a b" }, "from: must be a version number, a label, designated or latest"]
      ]
      for (const [parts, sentence] of rows) {
        assert.deepStrictEqual(refusalOf(yield* edit("wrong", parts)), broken(sentence))
      }
      const inQuery = yield* ask({ path: "/wrong/versions?stage=true&dry_run=true", json: {} })
      assert.deepStrictEqual(
        refusalOf(inQuery),
        broken(
          "dry_run: is no parameter of this operation; stage: is no parameter of this operation"
        )
      )
      const ofCreation = yield* ask({ path: "/wrong/messages", json: { ...body, top_k: "x" } })
      const ofParts = yield* edit("wrong", { set: { top_k: "x" } })
      assert.deepStrictEqual(refusalOf(ofParts), refusalOf(ofCreation))
      assert.strictEqual((yield* read("/wrong/versions")).body.total_count, 1)
    })
  )

  it.effect("needs a management key, a preset, a version, and the content of that version", () =>
    Effect.gen(function* () {
      for (const model of ["a", "b"]) yield* create("needs", { model })
      const asInference = { path: "/needs/versions", json: {}, key: inference }
      const forbidden = "Only management keys can perform this operation"
      assert.deepStrictEqual(refusalOf(yield* ask(asInference)), [403, forbidden])
      assert.deepStrictEqual(refusalOf(yield* edit("none", {})), [404, "Preset not found"])
      const missing = yield* edit("needs", { from: 9 })
      assert.deepStrictEqual(refusalOf(missing), [404, "Version not found"])
      const unlabelled = yield* edit("needs", { from: "production" })
      assert.deepStrictEqual(refusalOf(unlabelled), [404, "Label not found"])
      yield* ask({ path: "/needs/versions/1/content", method: "DELETE" })
      const erased = "The content of version 1 of the preset needs was erased"
      assert.deepStrictEqual(refusalOf(yield* edit("needs", { from: 1 })), [409, erased])
      const late = yield* edit("needs", {}, { "if-match": '"x"' })
      assert.deepStrictEqual(refusalOf(late), [409, "The designated version has changed"])
    })
  )

  it.effect("is made once for each idempotency key, whatever is designated since", () =>
    Effect.gen(function* () {
      yield* create("once", { model: "a", top_k: 1 })
      const key = { "idempotency-key": "once-1" }
      const parts = { set: { stream: true, model: "b" }, unset: ["top_k"] }
      const first = yield* edit("once", parts, key)
      yield* create("once", { model: "c" })
      const again = yield* edit("once", parts, key)
      assert.deepStrictEqual(again.body.data.designated_version, first.body.data.designated_version)
      const other = yield* edit("once", { ...parts, comment: "Other" }, key)
      assert.strictEqual(other.status, 409)
      assert.strictEqual((yield* read("/once/versions")).body.total_count, 3)
    })
  )

  it.effect("keeps what others change at the same time", () =>
    Effect.gen(function* () {
      yield* create("shared")
      const fields = ["temperature", "top_p", "top_k", "max_output_tokens", "max_tool_calls"]
      yield* Effect.forEach(fields, (name) => edit("shared", { set: { [name]: 1 } }), {
        concurrency: "unbounded"
      })
      const { body: found } = yield* read("/shared")
      assert.hasAllKeys(found.data.designated_version.config, fields)
    })
  )
})

layer(Deployment.layer(), { excludeTestServices: true })("a version that wins", (it) => {
  const kinds = {
    responses: { service_tier: "flex" },
    "chat/completions": { service_tier: "flex", messages: [] },
    messages: { service_tier: "auto", messages: [], max_tokens: 16 }
  }

  for (const [path, sent] of Object.entries(kinds)) {
    it.effect(`is made of a body for ${path}, and has a say in resolutions`, () =>
      Effect.gen(function* () {
        const slug = `wins-${path.replace("/", "-")}`
        const made = yield* ask({ path: `/${slug}/${path}?wins=service_tier`, json: sent })
        assert.notProperty(made.body.data.designated_version, "wins")
        assert.deepStrictEqual((yield* versionAt(slug, 1)).wins, ["service_tier"])
        assert.deepStrictEqual((yield* read(`/${slug}/pin`)).body.data.wins, ["service_tier"])
        const request = { service_tier: "default", top_p: 1, input: "Hi" }
        const resolved = yield* ask({ path: `/${slug}/resolve?format=responses`, json: request })
        const { left_out, provenance, request: meant } = resolved.body.data
        assert.strictEqual(meant.service_tier, sent.service_tier)
        assert.deepInclude(provenance.fields, { service_tier: "preset", top_p: "request" })
        const reason = "the preset wins over the request"
        assert.deepStrictEqual(left_out, [{ field: "service_tier", reason }])
      })
    )
  }

  it.effect("is compared, and previewed, with the fields that it names", () =>
    Effect.gen(function* () {
      yield* create("named", { model: "m" })
      const path = "/named/responses?wins=model,model"
      const wins = { from: [], to: ["model"] }
      const preview = yield* ask({ path: `${path}&dry_run=true`, json: { model: "m" } })
      assert.deepStrictEqual(preview.body.data.changes.wins, wins)
      yield* ask({ path, json: { model: "m" } })
      const { body: compared } = yield* read("/named/diff?from=1&to=2")
      assert.deepStrictEqual([compared.data.config, compared.data.wins], [[], wins])
      const { body: versions } = yield* read("/named/versions")
      assert.deepStrictEqual(
        versions.data.map((each: { wins: unknown }) => each.wins),
        [[], ["model"]]
      )
    })
  )

  it.effect("names fields that it has, once", () =>
    Effect.gen(function* () {
      const sent = { model: "m", top_p: 1 }
      const wrong = broken("wins: the version has no field top_p")
      for (const dry of ["", "&dry_run=true"]) {
        const path = `/absent/responses?wins=model,top_p${dry}`
        assert.deepStrictEqual(refusalOf(yield* ask({ path, json: { model: "m" } })), wrong)
      }
      const twice = yield* ask({ path: "/absent/responses?wins=a&wins=b", json: {} })
      assert.deepStrictEqual(refusalOf(twice), broken("wins: must be sent once"))
      const empty = yield* ask({ path: "/absent/responses?wins=", json: {} })
      assert.strictEqual(empty.status, 200)
      const spaced = yield* ask({ path: "/spaced/responses?wins=,model,,%20top_p,", json: sent })
      assert.strictEqual(spaced.status, 200)
      assert.deepStrictEqual((yield* versionAt("spaced", 1)).wins, ["model", "top_p"])
    })
  )

  it.effect("is another request under an idempotency key", () =>
    Effect.gen(function* () {
      const headers = { "idempotency-key": "wins-1" }
      const send = (wins: string) =>
        ask({ path: `/keyed/responses?wins=${wins}`, json: { model: "m" }, headers })
      assert.strictEqual((yield* send("model")).status, 200)
      assert.strictEqual((yield* send("model")).status, 200)
      assert.strictEqual((yield* send("")).status, 409)
      assert.strictEqual((yield* read("/keyed/versions")).body.total_count, 1)
    })
  )
})
