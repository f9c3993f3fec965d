/**
 * Tests over HTTP how versions are stored without being designated, and how comments are stored.
 */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { prefersStage } from "#src/contract/preset/PresetHeaders"
import { json } from "../Bodies.ts"
import * as Deployment from "../Deployment.ts"
import { create, designate, read } from "./PresetCalls.ts"

const { management } = Deployment.keys

const fields = [
  "id",
  "preset_id",
  "version",
  "creator_id",
  "system_prompt",
  "config",
  "created_at",
  "updated_at"
]

/** Creates a version, and also returns the response headers. */
const send = Effect.fnUntraced(function* (
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body: object = { model: "next" }
) {
  const { call } = yield* Deployment.Deployment
  const sent = json(body)
  const answer = yield* call(`/v1/presets/${path}`, {
    key: management,
    ...sent,
    headers: { ...sent.headers, ...headers }
  })
  return {
    status: answer.status,
    applied: answer.headers.get("preference-applied"),
    etag: answer.headers.get("etag"),
    data: JSON.parse(answer.text).data
  }
})

const staging = { prefer: "handling=stage" }

describe("the preference to stage", () => {
  const rows: ReadonlyArray<readonly [header: string | undefined, isPreferred: boolean]> = [
    [undefined, false],
    ["", false],
    ["handling=stage", true],
    ["Handling = stage", true],
    ['handling="stage"', true],
    ["respond-async, handling=stage; note=why", true],
    ['note="a, handling=stage", wait=1', false],
    ['note="a \\" handling=stage", handling=stage', true],
    ["handling=strict", false],
    ["handling=lenient, handling=stage", false],
    ["handling=stage, handling=strict", true],
    ["handling=STAGE", false],
    ["handling", false],
    ["x-handling=stage", false]
  ]
  for (const [header, isPreferred] of rows) {
    it(`${isPreferred ? "is found" : "is not found"} in the header ${header}`, () => {
      assert.strictEqual(prefersStage(header), isPreferred)
    })
  }
})

layer(Deployment.layer(), { excludeTestServices: true })("a staged version", (it) => {
  const formats = [
    ["responses", "responses", {}],
    ["chat/completions", "chat_completions", { messages: [] }],
    ["messages", "messages", { messages: [], max_tokens: 1 }]
  ] as const
  for (const [format, named, body] of formats) {
    it.effect(`is stored without changing the designated version: ${format}`, () =>
      Effect.gen(function* () {
        const slug = `staged-${format.replace("/", "-")}`
        const first = yield* create(slug, { model: "one" })
        const { staged_version, ...preset } = (yield* send(`${slug}/${format}`, staging, body)).data
        assert.deepStrictEqual(preset.designated_version, first.body.data.designated_version)
        assert.strictEqual(staged_version.version, 2)
        assert.deepStrictEqual((yield* read(`/${slug}`)).body.data, preset)
        const { body: stored } = yield* read(`/${slug}/versions/2`)
        assert.deepStrictEqual(stored.data, {
          ...staged_version,
          format: named,
          variables: [],
          wins: []
        })
        yield* designate(slug, { version: 2 })
        const now = yield* read(`/${slug}`)
        assert.deepStrictEqual(now.body.data.designated_version, staged_version)
      })
    )
  }

  it.effect("is requested by the query or a preference, and the query takes precedence", () =>
    Effect.gen(function* () {
      const { etag } = yield* create("asked", {})
      const rows = [
        ["asked/responses", staging, "handling=stage", 2],
        ["asked/responses?stage=true", {}, null, 3],
        ["asked/responses?stage=true", staging, null, 4]
      ] as const
      for (const [path, headers, applied, version] of rows) {
        const answer = yield* send(path, headers)
        assert.strictEqual(answer.data.staged_version.version, version)
        assert.deepStrictEqual([answer.status, answer.applied, answer.etag], [200, applied, etag])
      }
      const plain = yield* send("asked/responses?stage=false", staging)
      assert.notProperty(plain.data, "staged_version")
      assert.isNull(plain.applied)
      assert.strictEqual(plain.data.designated_version.version, 5)
    })
  )
})

layer(Deployment.layer(), { excludeTestServices: true })("a comment", (it) => {
  it.effect("is shown only in its version, not in the preset", () =>
    Effect.gen(function* () {
      const { data } = yield* send(`said/responses?comment=${encodeURIComponent("Ünder\n😀")}`)
      assert.hasAllKeys(data.designated_version, [...fields, "comment"])
      assert.strictEqual(data.designated_version.comment, "Ünder\n😀")
      yield* create("said", {})
      const { body } = yield* read("/said/versions")
      assert.hasAllKeys(body.data[0], [...fields, "format", "variables", "wins", "comment"])
      assert.hasAllKeys(body.data[1], [...fields, "format", "variables", "wins"])
      assert.hasAllKeys((yield* read("/said")).body.data.designated_version, fields)
    })
  )
})
