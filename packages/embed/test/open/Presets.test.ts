/**
 * Tests presets in an opened Verbatim: in-process calls and HTTP requests read the same presets,
 * and `presetFetch` applies them. The client's tests cover the other operations.
 */
import { type AnyFetch, type Embedded, presetFetch, type Verbatim } from "@verbatim/embed"
import { assert, describe, it } from "vitest"
import { openFor } from "./Opened.ts"

const url = "https://provider.example/v1/messages"

const post = (preset: string) => ({
  method: "POST",
  body: JSON.stringify({ model: `@preset/${preset}`, max_tokens: 9, messages: [] })
})

/** A provider that records the requests it gets. */
const over = (verbatim: Embedded, options: Partial<Parameters<typeof presetFetch>[1]> = {}) => {
  const sent: Array<unknown> = []
  const provider: AnyFetch = async (_, init) => {
    sent.push(init?.body)
    return new Response("{}")
  }
  return { fetch: presetFetch(provider, { verbatim, ...options }), sent }
}

const create = ({ presets }: Embedded, temperature: number) =>
  presets.createFromResponses("notes", {
    ...{ model: "a/b", instructions: "Be brief.", temperature }
  })

describe("presetFetch with an opened Verbatim", () => {
  it("applies a preset to a request", async () => {
    const verbatim = await openFor()
    const { fetch, sent } = over(verbatim, { maxAge: 0 })
    for (const temperature of [0.5, 0.7]) {
      await create(verbatim, temperature)
      await fetch(url, post("notes"))
    }
    const expected = (temperature: number) =>
      `{"system":"Be brief.","model":"a/b","temperature":${temperature},` +
      '"max_tokens":9,"messages":[]}'
    assert.deepStrictEqual(sent, [expected(0.5), expected(0.7)])
  })

  it("uses the last known preset after Verbatim closes, if the host allows that", async () => {
    const statusAfterClose = async (verbatim: Verbatim, staleIfError: number) => {
      const { fetch } = over(verbatim, { maxAge: 0, staleIfError })
      await create(verbatim, 0.5)
      await fetch(url, post("notes"))
      await verbatim.close()
      return (await fetch(url, post("notes"))).status
    }
    assert.strictEqual(await statusAfterClose(await openFor(), 60_000), 200)
    assert.strictEqual(await statusAfterClose(await openFor(), 0), 503)
  })
})
