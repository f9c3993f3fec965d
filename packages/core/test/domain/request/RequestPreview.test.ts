import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Result, type Schema } from "effect"
import { ChatCompletionsRequest } from "#src/domain/request/ChatCompletionsRequest"
import {
  chatCompletions,
  decode,
  messages,
  type RequestFormat,
  responses
} from "#src/domain/request/RequestFormat"
import * as RequestPreview from "#src/domain/request/RequestPreview"

/** Previews a request body as a host would. */
const preview = (format: RequestFormat, body: unknown) => RequestPreview.preview(format, { body })

describe("a preview of a request body", () => {
  it("lists the fields in request order, and says which ones a preset keeps", () =>
    assert.deepStrictEqual(
      Result.getOrThrow(
        preview(responses, {
          stream: true,
          later: 1,
          temprature: 1,
          temperature: null,
          instructions: "Be brief.",
          model: "m"
        })
      ),
      {
        systemPrompt: "Be brief.",
        variables: [],
        config: { model: "m" },
        fields: [
          { name: "stream", fate: "ignored", reason: "controls how one request is sent" },
          { name: "later", fate: "ignored", reason: "is not known" },
          {
            name: "temprature",
            fate: "ignored",
            reason: "is not known (did you mean temperature?)"
          },
          { name: "temperature", fate: "ignored", reason: "is null" },
          { name: "instructions", fate: "systemPrompt", reason: "is the system prompt" },
          { name: "model", fate: "kept", reason: "selects the model or provider" }
        ]
      }
    ))

  it("explains which part of a conversation is added to the system prompt", () => {
    const body = { system: "One.", messages: [{ role: "system", content: "Two." }] }
    assert.deepStrictEqual(Result.getOrThrow(preview(messages, body)), {
      systemPrompt: "One.\n\nTwo.",
      variables: [],
      config: {},
      fields: [
        { name: "system", fate: "systemPrompt", reason: "begins the system prompt" },
        {
          name: "messages",
          fate: "systemPrompt",
          reason: "contains system and developer messages, which end the system prompt"
        }
      ]
    })
    assert.deepStrictEqual(
      Result.getOrThrow(preview(chatCompletions, { messages: [{ role: "user" }] })).fields,
      [{ name: "messages", fate: "ignored", reason: "holds no system prompt" }]
    )
  })

  it.prop(
    "matches the content that would be stored",
    [Arbitrary.schema(ChatCompletionsRequest)],
    ([generated]) => {
      const body: Schema.JsonObject = JSON.parse(
        JSON.stringify(generated).replace(/\\u0000|\\ud[89a-f][0-9a-f]{2}/g, "x")
      )
      const stored = Result.getOrThrow(decode(chatCompletions, { body }))
      const previewed = Result.getOrThrow(preview(chatCompletions, body))
      assert.deepStrictEqual(previewed.config, stored.config)
      assert.strictEqual(previewed.systemPrompt, stored.systemPrompt)
      const fields = previewed.fields.slice(0, Object.keys(body).length)
      assert.deepStrictEqual(
        fields.map(({ name }) => name),
        Object.keys(body)
      )
      assert.deepStrictEqual(
        fields.filter(({ fate }) => fate === "kept").map(({ name }) => name),
        Object.keys(stored.config).filter((name) => name !== "system")
      )
    },
    { arbitrary: { runs: 50, size: 10 } }
  )
})
