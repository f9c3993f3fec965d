/** Connects each provider's SDK to a local provider, by changing one line per SDK. */
import Anthropic from "@anthropic-ai/sdk"
import { HTTPClient, OpenRouter } from "@openrouter/sdk"
import { createClient } from "@verbatim/client"
import { presetFetch, type Resolved } from "@verbatim/client/presets"
import OpenAI from "openai"
import { assert } from "vitest"
import { startProvider } from "./Provider.ts"
import { type Meant, startRegistry } from "./Registry.ts"

const notes: Meant = {
  ...{ version: 3, format: "responses", system_prompt: "Be brief." },
  config: '{"model":"a/b","temperature":0.5,"max_output_tokens":500}'
}

/** A provider, a registry and the `fetch` that connects them. */
export const setUp = async (
  meanings: ReadonlyArray<readonly [string, Meant]> = [["notes", notes]]
) => {
  const provider = await startProvider()
  const registry = await startRegistry(new Map(meanings))
  const verbatim = createClient({ baseURL: registry.url, key: "secret-of-ours", retry: false })
  const resolved: Array<Resolved> = []
  const onResolved = (one: Resolved) => void resolved.push(one)
  const wrapped = presetFetch(fetch, { verbatim, onResolved })
  /**
   * Returns the only request that the provider received, after checking that it contains no
   * Verbatim fields.
   */
  const sent = () => {
    const { arrivals } = provider
    assert.strictEqual(arrivals.length, 1)
    const [{ body, headers, path } = assert.fail("nothing arrived")] = arrivals
    assert.notInclude(JSON.stringify([headers, path, body]), "secret-of-ours")
    assert.notInclude(body, "@preset")
    assert.strictEqual(headers["content-length"], String(Buffer.byteLength(body)))
    assert.match(headers["content-type"] ?? "", /^application\/json/)
    return body
  }
  return { provider, registry, resolved, fetch: wrapped, sent }
}

export const openAi = (url: string, fetch: typeof globalThis.fetch) =>
  new OpenAI({ apiKey: "key", baseURL: `${url}/v1`, fetch })

export const anthropic = (url: string, fetch: typeof globalThis.fetch) =>
  new Anthropic({ apiKey: "key", baseURL: url, fetch })

export const openRouter = (url: string, fetch: typeof globalThis.fetch) =>
  new OpenRouter({
    apiKey: "key",
    serverURL: `${url}/api/v1`,
    httpClient: new HTTPClient({ fetcher: (input, init) => fetch(input, init) })
  })

export const hi = [{ role: "user" as const, content: "Hi" }]
