/**
 * Tests that presets work in the providers' SDKs after a change of one line, and that the SDKs
 * report the errors.
 */
import { createAnthropic } from "@ai-sdk/anthropic"
import { createOpenAI } from "@ai-sdk/openai"
import { APICallError, createGateway, generateText, streamText } from "ai"
import { AzureOpenAI } from "openai"
import { assert, describe, it } from "vitest"
import type { Meant } from "./Registry.ts"
import { anthropic, hi, openAi, openRouter, setUp } from "./Sdks.ts"

describe("openai", () => {
  it("sends a request that contains everything the preset adds", async () => {
    const { fetch, provider, sent } = await setUp()
    const client = openAi(provider.url, fetch)
    const { output_text } = await client.responses.create({ model: "@preset/notes", input: "Hi" })
    assert.strictEqual(output_text, "Hello.")
    assert.strictEqual(
      sent(),
      '{"instructions":"Be brief.","model":"a/b","temperature":0.5,"max_output_tokens":500,' +
        '"input":"Hi"}'
    )
  })

  it("streams a chat with a preset that was created from a Responses request", async () => {
    const { fetch, provider, sent } = await setUp()
    const client = openAi(provider.url, fetch)
    const body = { model: "x/y@preset/notes", messages: hi, stream: true } as const
    let text = ""
    for await (const { choices } of await client.chat.completions.create(body)) {
      text += choices[0]?.delta.content ?? ""
    }
    assert.strictEqual(text, "Hello.")
    assert.strictEqual(
      sent(),
      '{"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Hi"}],' +
        '"model":"x/y","temperature":0.5,"max_completion_tokens":500,"stream":true}'
    )
  })
})

describe("@anthropic-ai/sdk", () => {
  it("sends and streams messages", async () => {
    for (const stream of [false, true]) {
      const { fetch, provider, sent } = await setUp()
      const client = anthropic(provider.url, fetch)
      const body = { model: "@preset/notes", max_tokens: 9, messages: hi }
      const message = stream
        ? await client.messages.stream(body).finalMessage()
        : await client.messages.create(body)
      const [content] = message.content
      assert.strictEqual(content?.type === "text" ? content.text : "", "Hello.")
      assert.strictEqual(
        sent(),
        '{"system":"Be brief.","model":"a/b","temperature":0.5,"max_tokens":9,' +
          `"messages":[{"role":"user","content":"Hi"}]${stream ? ',"stream":true' : ""}}`
      )
    }
  })
})

describe("ai", () => {
  it("sends and streams responses, chats and messages", async () => {
    const models = (url: string, fetch: typeof globalThis.fetch) => {
      const openai = createOpenAI({ apiKey: "key", baseURL: `${url}/v1`, fetch })
      const anthropic = createAnthropic({ apiKey: "key", baseURL: `${url}/v1`, fetch })
      return {
        responses: openai("@preset/notes"),
        chat: openai.chat("@preset/notes"),
        messages: anthropic("@preset/notes")
      }
    }
    const expected = {
      responses: { instructions: "Be brief.", max_output_tokens: 500, temperature: 0.5 },
      chat: { max_completion_tokens: 500, temperature: 0.5 },
      messages: { system: "Be brief.", temperature: 0.5 }
    }
    for (const kind of ["responses", "chat", "messages"] as const) {
      for (const isStreamed of [false, true]) {
        const { fetch, provider, sent } = await setUp()
        const given = { model: models(provider.url, fetch)[kind], prompt: "Hi", maxRetries: 0 }
        const text = isStreamed ? await streamText(given).text : (await generateText(given)).text
        assert.strictEqual(text, "Hello.", kind)
        const body = JSON.parse(sent())
        assert.deepInclude(body, { model: "a/b", ...expected[kind] }, kind)
        if (isStreamed) assert.isTrue(body.stream)
      }
    }
  })
})

describe("a preset that cannot be used", () => {
  const gone: ReadonlyArray<readonly [string, Meant]> = [
    ["old", { status: 409, message: "The preset is archived" }]
  ]

  it("is reported by every SDK, and the request never reaches the provider", async () => {
    for (const [reference, status, message] of [
      ["none", 404, "Preset not found"],
      ["old", 424, "The preset is archived"],
      ["a@b@c", 400, "names no preset"]
    ] as const) {
      const { fetch, provider, registry } = await setUp(gone)
      const model = `@preset/${reference}`
      const openai = createOpenAI({ apiKey: "key", baseURL: provider.url, fetch })
      const calls: ReadonlyArray<() => PromiseLike<unknown>> = [
        () => openAi(provider.url, fetch).responses.create({ model, input: "Hi" }),
        () =>
          anthropic(provider.url, fetch).messages.create({ model, max_tokens: 9, messages: hi }),
        () => generateText({ model: openai(model), prompt: "Hi" }),
        () => openRouter(provider.url, fetch).chat.send({ chatRequest: { model, messages: hi } })
      ]
      for (const call of calls) {
        const before = registry.requests.length
        const error = await Promise.resolve(call()).catch((cause: unknown) => cause)
        assert.instanceOf(error, Error)
        assert.include(error.message, message)
        const reported = APICallError.isInstance(error) ? error : (error as { status?: number })
        const told_status = Reflect.get(reported, "status") ?? Reflect.get(reported, "statusCode")
        assert.strictEqual(told_status, status)
        // The SDK does not retry a permanent error.
        assert.isAtMost(registry.requests.length - before, 1)
      }
      assert.isEmpty(provider.arrivals)
    }
  })

  it("is refused at endpoints that have no presets, and never reaches the provider", async () => {
    const { fetch, provider } = await setUp()
    const model = "@preset/notes"
    const at = { apiKey: "key", baseURL: provider.url, fetch }
    const azure = new AzureOpenAI({
      ...{ apiKey: "key", fetch },
      endpoint: provider.url,
      apiVersion: "1"
    })
    const { responses } = openAi(provider.url, fetch)
    const { messages } = anthropic(provider.url, fetch)
    const batch = { params: { model, max_tokens: 9, messages: hi }, custom_id: "a" }
    const calls: Readonly<Record<string, () => PromiseLike<unknown>>> = {
      azure: () => azure.chat.completions.create({ model, messages: hi }),
      compact: () => responses.compact({ model: "a/b@preset/notes", input: "Hi" }),
      inputTokens: () => responses.inputTokens.count({ model, input: "Hi" }),
      countTokens: () => messages.countTokens({ model, messages: hi }),
      batches: () => messages.batches.create({ requests: [batch] }),
      gateway: () => generateText({ model: createGateway(at)(model), prompt: "Hi" }),
      bytes: () =>
        fetch(`${provider.url}/embeddings`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: new TextEncoder().encode('{"model":"@preset\\/notes"}')
        }).then(async (answer) => Promise.reject(new Error(await answer.text())))
    }
    for (const [name, call] of Object.entries(calls)) {
      const error = await Promise.resolve(call()).catch((cause: unknown) => cause)
      assert.instanceOf(error, Error, name)
      assert.include(error.message, "alone: name the model here", name)
    }
    assert.isEmpty(provider.arrivals)
  })

  it("is named in `preset` for AzureOpenAI, where `model` names the deployment", async () => {
    const { fetch, provider } = await setUp()
    const azure = new AzureOpenAI({
      ...{ apiKey: "key", fetch },
      endpoint: provider.url,
      apiVersion: "1"
    })
    const named = { model: "ours", preset: "notes", messages: hi }
    await azure.chat.completions.create(named)
    const [{ body, path } = assert.fail("nothing arrived")] = provider.arrivals
    assert.match(path, /^\/openai\/deployments\/ours\/chat\/completions/)
    assert.deepInclude(JSON.parse(body), { model: "ours", temperature: 0.5 })
  })
})
