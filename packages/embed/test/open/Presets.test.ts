/**
 * Tests presets in an opened Verbatim: in-process calls and HTTP requests read the same presets,
 * and `presetFetch` applies them. The client's tests cover the other operations.
 */
import { type AnyFetch, presetFetch } from "@verbatim/embed"
import { assert, describe, it } from "vitest"
import { openFor } from "./Opened.ts"

const url = "https://provider.example/v1/messages"

const post = {
  method: "POST",
  body: JSON.stringify({ model: "@preset/notes", max_tokens: 9, messages: [] })
}

describe("presetFetch with an opened Verbatim", () => {
  it("applies a preset, also after Verbatim closes if the host allows that", async () => {
    for (const [staleIfError, status] of [
      [60_000, 200],
      [0, 503]
    ] as const) {
      const verbatim = await openFor()
      const sent: Array<unknown> = []
      const provider: AnyFetch = async (_, init) => {
        sent.push(init?.body)
        return new Response("{}")
      }
      const fetch = presetFetch(provider, { verbatim, maxAge: 0, staleIfError })
      for (const temperature of [0.5, 0.7]) {
        const body = { model: "a/b", instructions: "Be brief.", temperature }
        await verbatim.presets.createFromResponses("notes", body)
        await fetch(url, post)
      }
      await verbatim.close()
      assert.strictEqual((await fetch(url, post)).status, status)
      const expected = (temperature: number) =>
        `{"system":"Be brief.","model":"a/b","temperature":${temperature},` +
        '"max_tokens":9,"messages":[]}'
      const stale = status === 200 ? [expected(0.7)] : []
      assert.deepStrictEqual(sent, [expected(0.5), expected(0.7), ...stale])
    }
  })
})
