/**
 * Tests over HTTP how versions are created from other versions, and how version fields override
 * requests.
 */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { json } from "../Bodies.ts"
import * as Deployment from "../Deployment.ts"
import { broken, create, fetchJson, read, refusalOf } from "./PresetCalls.ts"

const { management } = Deployment.keys

type Headers = Readonly<Record<string, string>>

const edit = (slug: string, parts: unknown, headers: Headers = {}) =>
  fetchJson({ path: `/${slug}/versions`, json: parts, headers })

const versionAt = (slug: string, version: number | string) =>
  Effect.map(read(`/${slug}/versions/${version}`), ({ body }) => body.data)

const marked = [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }]

const body = { model: "m", max_tokens: 9, system: marked, messages: [] }

/**
 * Creates a preset from a messages request with a cache mark in the prompt. One field of the preset
 * overrides requests.
 */
const makePreset = (slug: string) =>
  fetchJson({ path: `/${slug}/messages?wins=max_tokens&comment=Born`, json: body })

layer(Deployment.layer(), { excludeTestServices: true })(
  "a version made from another one",
  (it) => {
    it.effect("has the changed fields, and all other fields of the designated version", () =>
      Effect.gen(function* () {
        yield* makePreset("rest")
        const made = yield* edit("rest", {
          set: { model: "n", temperature: 0.5 },
          comment: "Cooler"
        })
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

    it.effect("reports the fields that are not kept, just like the creation of a preset", () =>
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

    it.effect("is refused with a message that fits each error", () =>
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
        const inQuery = yield* fetchJson({
          path: "/wrong/versions?stage=true&dry_run=true",
          json: {}
        })
        assert.deepStrictEqual(
          refusalOf(inQuery),
          broken(
            "dry_run: is not a parameter of this operation; stage: is not a parameter of this " +
              "operation"
          )
        )
        const ofCreation = yield* fetchJson({
          path: "/wrong/messages",
          json: { ...body, top_k: "x" }
        })
        const ofParts = yield* edit("wrong", { set: { top_k: "x" } })
        assert.deepStrictEqual(refusalOf(ofParts), refusalOf(ofCreation))
        assert.strictEqual((yield* read("/wrong/versions")).body.total_count, 1)
      })
    )
  }
)
