import { assert, describe, it } from "vitest"
import type { Meant } from "./Registry.ts"
import { anthropic, hi, openAi, setUp } from "./Sdks.ts"

const post = (fetch: typeof globalThis.fetch, url: string, body: string) => {
  const headers = { "content-type": "application/json" }
  return fetch(`${url}/v1/chat/completions`, { method: "POST", headers, body })
}

const welcome: Meant = {
  ...{ version: 3, format: "responses", system_prompt: "Greet {{name}}." },
  config: '{"model":"a/b"}'
}
const meanings = ["welcome", "welcome@3"].map((reference) => [reference, welcome] as const)
const variables = { name: "Ann" }
const prompt = { id: "welcome", version: "3", variables }
const greeting = "Greet Ann."
// Anthropic requires `max_tokens`.
const message = { model: "a/b", system: greeting, messages: hi, max_tokens: 9 }
const response = { model: "a/b", instructions: greeting, input: "Hi" }

type Ask = (url: string, fetch: typeof globalThis.fetch) => PromiseLike<unknown>

const calls: Readonly<Record<string, readonly [call: Ask, expected: object]>> = {
  "openai, a response": [
    (url, fetch) => openAi(url, fetch).responses.create({ prompt, input: "Hi" }),
    response
  ],
  "@anthropic-ai/sdk, a message": [
    (url, fetch) => {
      const body = { model: "@preset/welcome@3", max_tokens: 9, messages: hi, prompt }
      return anthropic(url, fetch).messages.create(body)
    },
    message
  ]
}

describe("prompt variables", () => {
  for (const [name, [call, expected]] of Object.entries(calls)) {
    it(`are filled for ${name}`, async () => {
      const { fetch, provider, sent } = await setUp(meanings)
      await call(provider.url, fetch)
      const body = JSON.parse(sent())
      assert.deepInclude(body, expected)
      assert.doesNotHaveAnyKeys(body, ["prompt", "variables"])
    })
  }

  it("are all reported if their values are missing, and nothing is sent", async () => {
    const { fetch, provider, resolved } = await setUp(meanings)
    const body = JSON.stringify({
      prompt: { id: "welcome", variables: { nome: "x" } },
      messages: hi
    })
    const refused = await post(fetch, provider.url, body)
    assert.strictEqual(refused.status, 400)
    const { error } = (await refused.json()) as { error: { type: string; message: string } }
    assert.strictEqual(error.type, "preset_variables_invalid")
    assert.strictEqual(error.message, "variables: must have a text for name")
    assert.isEmpty([...provider.arrivals, ...resolved])
  })
})
