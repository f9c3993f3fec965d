import { createClient } from "@verbatim/client"
import { type AnyFetch, presetFetch, type Resolved } from "@verbatim/client/presets"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { keys, type Server, startServer } from "../Server.ts"

let server: Server
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const url = "https://provider.example/v1/chat/completions"

describe("lists of presets", () => {
  it("can be read across all pages", async () => {
    const { presets } = createClient({ baseURL: server.baseURL, key: keys.management })
    for (const slug of ["one", "two", "three"]) await presets.createFromResponses(slug, {})
    for (const _ of [2, 3]) await presets.createFromResponses("one", {})
    const slugs: Array<string> = []
    for await (const { slug } of presets.list({ limit: 2, status: "active" })) slugs.push(slug)
    const { data, total_count } = await presets.list({ limit: 100 })
    assert.strictEqual(slugs.length, total_count)
    assert.deepStrictEqual(
      slugs,
      data.map(({ slug }) => slug)
    )
    const versions: Array<number> = []
    for await (const { version } of presets.versions("one", { limit: 2 })) versions.push(version)
    assert.deepStrictEqual(versions, [1, 2, 3])
    for await (const { slug } of presets.list({ status: "archived" })) assert.fail(slug)
  })
})

describe("presetFetch and the server", () => {
  it("agree on versions, labels, exact numbers and removed presets", async () => {
    const { baseURL } = server
    const { presets } = createClient({ baseURL, key: keys.management })
    // A JavaScript number cannot hold this many digits.
    const kept =
      '"model":"a/b","tools":[{"type":"function","function":' +
      '{"name":"f","parameters":{"maximum":9223372036854775807}}}]'
    const made = `{${kept},"messages":[]}`
    for (const _ of [1, 2]) {
      const { status } = await fetch(`${baseURL}/v1/presets/notes/chat/completions`, {
        ...{ method: "POST", body: made },
        headers: { authorization: `Bearer ${keys.management}`, "content-type": "application/json" }
      })
      assert.strictEqual(status, 200)
    }
    const sent: Array<unknown> = []
    const resolved: Array<Resolved> = []
    const provider: AnyFetch = async (_, init) => {
      sent.push(init?.body)
      return new Response("{}")
    }
    const wrapped = presetFetch(provider, {
      verbatim: createClient({ baseURL, key: keys.inference }),
      maxAge: 0,
      onResolved: (one) => void resolved.push(one)
    })
    const statusOf = async (preset: string) => {
      const body = JSON.stringify({ preset, messages: [] })
      return (await wrapped(url, { method: "POST", body })).status
    }
    assert.strictEqual(await statusOf("notes"), 200)
    assert.strictEqual(await statusOf("notes"), 200)
    assert.strictEqual(await statusOf("notes@1"), 200)
    assert.strictEqual(await statusOf("notes@3"), 404)
    assert.strictEqual(await statusOf("notes@production"), 404)
    assert.strictEqual(await statusOf("none"), 404)
    await presets.revise("notes", { status: "archived" })
    assert.strictEqual(await statusOf("notes"), 424)
    const expected = `{${kept},"messages":[]}`
    assert.deepStrictEqual(sent, [expected, expected, expected])
    assert.deepStrictEqual(
      resolved.map(({ isStale, version }) => [version, isStale]),
      [
        [2, false],
        [2, false],
        [1, false]
      ]
    )
  })
})
