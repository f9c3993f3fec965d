import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { json } from "../Bodies.ts"
import * as Deployment from "../Deployment.ts"

const { inference, management } = Deployment.keys

/** Replaces each id with a number in order of appearance, and each timestamp with its format. */
const masked = (text: string): string => {
  const seen: Array<string> = []
  return text
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
      if (!seen.includes(id)) seen.push(id)
      return `<${seen.indexOf(id) + 1}>`
    })
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "<instant>")
}

const golden = (version: number, system_prompt: string | null, config: object) => ({
  data: {
    id: "<1>",
    slug: "support-bot",
    name: "support-bot",
    description: null,
    status: "active",
    status_updated_at: null,
    created_at: "<instant>",
    updated_at: "<instant>",
    creator_user_id: "user_<2>",
    workspace_id: "<3>",
    designated_version_id: "<4>",
    designated_version: {
      id: "<4>",
      preset_id: "<1>",
      version,
      creator_id: "user_<2>",
      system_prompt,
      config,
      created_at: "<instant>",
      updated_at: "<instant>"
    }
  }
})

const path = "/v1/presets/support-bot/responses"

layer(Deployment.layer(), { excludeTestServices: true })("a preset", (it) => {
  it.effect("is created with version 1 from a request", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment.Deployment
      const request = {
        model: "some/model",
        instructions: "Be kind.",
        temperature: 0.5,
        input: "Hello",
        stream: true,
        messages: [{ role: "user", content: "ignored" }]
      }
      const answer = yield* call(path, { key: management, ...json(request) })
      const kept = { model: "some/model", temperature: 0.5 }
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(answer.headers.get("content-type"), "application/json")
      assert.strictEqual(masked(answer.text), JSON.stringify(golden(1, "Be kind.", kept)))
    })
  )

  it.effect("can be read, with its designated version, by keys of both kinds", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment.Deployment
      const answers = yield* Effect.forEach([management, inference], (key) =>
        call("/v1/presets/support-bot", { key })
      )
      const kept = { model: "some/model", temperature: 0.5 }
      for (const answer of answers) {
        assert.strictEqual(answer.status, 200)
        assert.strictEqual(masked(answer.text), JSON.stringify(golden(1, "Be kind.", kept)))
      }
    })
  )
})
