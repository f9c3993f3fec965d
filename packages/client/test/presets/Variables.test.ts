import { assert, describe, it } from "vitest"
import type { Meant } from "./Registry.ts"
import { hi, setUp } from "./Sdks.ts"

const post = (fetch: typeof globalThis.fetch, url: string, body: string) => {
  const headers = { "content-type": "application/json" }
  return fetch(`${url}/v1/chat/completions`, { method: "POST", headers, body })
}

const welcome: Meant = {
  ...{ version: 3, format: "responses", system_prompt: "Greet {{name}}." },
  config: '{"model":"a/b"}'
}
const meanings = [["welcome", welcome]] as const

describe("the variables of a prompt", () => {
  it("are all reported if they lack a value, and nothing is sent", async () => {
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
