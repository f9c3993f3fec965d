/**
 * Tests that a host reads the same presets in process as over HTTP. The other operations on presets
 * are covered by the client's tests.
 */
import { assert, describe, it } from "@effect/vitest"
import { openFor, refusal } from "./Opened.ts"

describe("a host's presets", () => {
  it("are resolved in the request's format, whatever kind of reference names them", async () => {
    const { presets } = await openFor()
    const body = { instructions: "Be brief.", model: "one", max_output_tokens: 5 }
    await presets.createFromResponses("notes", body)
    await presets.createFromResponses("notes", { model: "two" })
    await presets.labels.move("notes", "production", { version: 1 })
    const request = { messages: [{ role: "user", content: "Hi" }], stream: true } as const
    const labelled = await presets.resolveNamed({ preset: "notes@production", ...request })
    assert.deepStrictEqual(labelled.request, {
      model: "one",
      max_completion_tokens: 5,
      messages: [{ role: "system", content: "Be brief." }, ...request.messages],
      stream: true
    })
    assert.deepInclude(labelled.preset, { slug: "notes", version: 1, label: "production" })
    const { version } = await presets.pin("notes@1")
    assert.strictEqual(version, 1)
    await refusal(404, presets.pin("notes@staging"))
  })
})
