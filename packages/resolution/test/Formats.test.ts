/** Tests presets in each of the three formats, with requests in each format. */
import { assert, describe, it } from "@effect/vitest"
import { chatCompletions, messages, responses } from "@verbatim/core/request"
import { formatOfRequest } from "#src/Format"
import {
  type Format,
  formats,
  type JsonObject,
  keptFields,
  resolve,
  type Version
} from "#src/index"
import { type Cell, golden, presets, requests } from "./golden.ts"
import { openAiRefusals } from "./openAiRefusals.ts"
import { refusals } from "./refusals.ts"
import { rows } from "./translations.ts"

const bodies = { chatCompletions, messages, responses }

const versionOf = (
  format: Format,
  config: JsonObject,
  systemPrompt: string | null = null
): Version => ({ version: 3, format, config, systemPrompt })

const pairs = formats.flatMap((from) => formats.map((to) => [from, to] as const))

const resolved = (from: Format, to: Format) =>
  resolve(versionOf(from, presets[from], "Be brief."), requests[to], to)

describe("a preset applied to a request", () => {
  for (const [from, to] of pairs) {
    it(`resolves to the golden request (${from} preset, ${to} request)`, () => {
      const { leftOut, request } = resolved(from, to)
      const { leftOut: named, request: expected }: Cell = golden[from][to]
      assert.deepStrictEqual(request, expected)
      assert.sameMembers(
        leftOut.map(({ field }) => field),
        [...named]
      )
    })
  }

  it("keeps the fields that the contract marks as kept", () => {
    for (const format of formats) {
      const kept = Object.entries(bodies[format].fields).filter(([, { fate }]) => fate === "kept")
      assert.sameMembers(
        kept.map(([name]) => name),
        [...keptFields[format]]
      )
    }
  })

  it("detects the format from the fields of a body", () => {
    assert.strictEqual(formatOfRequest(requests.responses), "responses")
    assert.strictEqual(formatOfRequest(requests.chatCompletions), "chatCompletions")
    assert.strictEqual(formatOfRequest({ ...requests.messages, system: "x" }), "messages")
    assert.strictEqual(formatOfRequest(requests.messages), "messages")
  })
})

describe("a translated preset", () => {
  for (const { config, expected, from, leftOut = [], request = {}, title, to } of [
    ...rows,
    ...refusals,
    ...openAiRefusals
  ]) {
    it(title, () => {
      const resolved = resolve(versionOf(from, config), request, to)
      assert.deepStrictEqual(resolved.request, expected)
      assert.deepStrictEqual(
        resolved.leftOut.map(({ field }) => field),
        leftOut
      )
    })
  }
})

describe("the system prompt of a preset", () => {
  const prompted = (request: JsonObject, format: Format) =>
    resolve(versionOf("responses", {}, "Be brief."), request, format)
  const user = { role: "user", content: "Hi" }

  it("precedes the conversation of a chat", () => {
    const { fields, request, systemPrompt } = prompted({ messages: [user] }, "chatCompletions")
    assert.deepStrictEqual(request.messages, [{ role: "system", content: "Be brief." }, user])
    assert.strictEqual(fields.get("messages")?.from, "request")
    assert.strictEqual(systemPrompt?.from, "preset")
    assert.deepStrictEqual(prompted({}, "chatCompletions").request, {
      messages: [{ role: "system", content: "Be brief." }]
    })
  })

  it("becomes a list of blocks if the request's format supports their members", () => {
    const system: ReadonlyArray<JsonObject> = [
      { type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } },
      { type: "text", text: "Sing.", citations: null }
    ]
    const inFormat = (to: Format, model: string) =>
      resolve(versionOf("messages", { model, system }, "Be brief.\n\nSing."), {}, to)
    assert.deepStrictEqual(inFormat("messages", "m").request.system, system)
    const chat = inFormat("chatCompletions", "lab/m")
    assert.deepStrictEqual(chat.request.messages, [
      { role: "system", content: [system[0] ?? null, { type: "text", text: "Sing." }] }
    ])
    assert.deepStrictEqual(
      chat.leftOut.map(({ field }) => field),
      ["system.1.citations"]
    )
    const text = inFormat("responses", "m")
    assert.strictEqual(text.request.instructions, "Be brief.\n\nSing.")
    assert.deepStrictEqual(
      text.leftOut.map(({ field }) => field),
      ["system.0.cache_control", "system.1.citations"]
    )
  })

  it("is replaced by the request's own prompt in every format", () => {
    const own: ReadonlyArray<readonly [Format, JsonObject]> = [
      ["responses", { instructions: "Sing." }],
      ["responses", { input: [{ role: "system", content: "Sing." }, user] }],
      ["responses", { instructions: null }],
      ["chatCompletions", { messages: [user, { role: "developer", content: "Sing." }] }],
      ["messages", { messages: [user], system: "Sing." }],
      ["messages", { messages: [{ role: "system", content: "Sing." }] }]
    ]
    for (const [format, request] of own) {
      const resolved = prompted(request, format)
      assert.deepStrictEqual(resolved.request, request)
      assert.strictEqual(resolved.systemPrompt?.from, "request")
    }
  })

  it("is left out, and reported, if the request uses the prompt's field for something else", () => {
    const resolved = prompted({ messages: "Hi" }, "chatCompletions")
    assert.deepStrictEqual(resolved.request, { messages: "Hi" })
    assert.isNull(resolved.systemPrompt)
    assert.deepStrictEqual(
      resolved.leftOut.map(({ field }) => field),
      ["system_prompt"]
    )
  })
})

describe("a translation between two formats", () => {
  for (const [from, to] of pairs) {
    it(`keeps everything that both formats can express, from ${from} to ${to} and back`, () => {
      const there = resolve(versionOf(from, presets[from]), {}, to).request
      const back = resolve(versionOf(to, there), {}, from).request
      const again = resolve(versionOf(from, back), {}, to).request
      assert.deepStrictEqual(again, there)
      assert.deepStrictEqual(bodies[from].problems({ ...requests[from], ...back }), [])
    })
  }
})
