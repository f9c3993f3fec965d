import { type AnyFetch, InvalidInput, presetFetch, type Resolved } from "@verbatim/embed"
import { assert, describe, it } from "vitest"
import { openFor } from "./Opened.ts"

const url = "https://provider.example/v1/messages"

const post = (preset: string) => ({
  method: "POST",
  body: JSON.stringify({ model: `@preset/${preset}`, max_tokens: 9, messages: [] })
})

const setUp = async (options: Partial<Parameters<typeof presetFetch>[1]> = {}) => {
  const verbatim = await openFor()
  const sent: Array<unknown> = []
  const resolved: Array<Resolved> = []
  const provider: AnyFetch = async (_, init) => {
    sent.push(init?.body)
    return new Response("{}")
  }
  const onResolved = (one: Resolved) => void resolved.push(one)
  const fetch = presetFetch(provider, { verbatim, onResolved, ...options })
  return { ...{ fetch, resolved, sent, verbatim } }
}

const body = { model: "a/b", instructions: "Be brief.", temperature: 0.5 }

describe("the fetch of an opened Verbatim", () => {
  it("lays a request over what the preset says at this moment", async () => {
    const { fetch, resolved, sent, verbatim } = await setUp()
    for (const temperature of [0.5, 0.7]) {
      await verbatim.presets.create({ slug: "notes", body: { ...body, temperature } })
      await fetch(url, post("notes"))
    }
    const expected = (temperature: number) =>
      `{"system":"Be brief.","model":"a/b","temperature":${temperature},` +
      '"max_tokens":9,"messages":[]}'
    assert.deepStrictEqual(sent, [expected(0.5), expected(0.7)])
    assert.deepStrictEqual(
      resolved.map(({ isStale, version }) => [version, isStale]),
      [
        [1, false],
        [2, false]
      ]
    )
  })

  it("speaks for the workspace that the host names", async () => {
    const { fetch, sent, verbatim } = await setUp({ workspace: "theirs" })
    await verbatim.presets.create({ slug: "notes", body })
    assert.strictEqual((await fetch(url, post("notes"))).status, 404)
    await verbatim.presets.create({ slug: "notes", workspace: "theirs", body })
    assert.strictEqual((await fetch(url, post("notes"))).status, 200)
    assert.strictEqual(sent.length, 1)
  })

  it("answers for a preset that cannot be used", async () => {
    const { fetch, sent, verbatim } = await setUp({ staleIfError: 60_000 })
    await verbatim.presets.create({ slug: "notes", body })
    await fetch(url, post("notes"))
    for (const [preset, status] of [
      ["none", 404],
      ["notes@9", 404],
      ["notes@none", 404],
      ["a@b@c", 400]
    ] as const) {
      assert.strictEqual((await fetch(url, post(preset))).status, status, preset)
    }
    await verbatim.presets.change({ slug: "notes", status: "archived" })
    assert.strictEqual((await fetch(url, post("notes"))).status, 424)
    assert.strictEqual(sent.length, 1)
  })

  it("goes on with the last answer when Verbatim is closed, if the host allows that", async () => {
    for (const [staleIfError, status] of [
      [60_000, 200],
      [0, 503]
    ] as const) {
      const { fetch, verbatim } = await setUp({ staleIfError })
      await verbatim.presets.create({ slug: "notes", body })
      await fetch(url, post("notes"))
      await verbatim.close()
      assert.strictEqual((await fetch(url, post("notes"))).status, status)
    }
  })

  it("refuses options that cannot be meant", async () => {
    const verbatim = await openFor()
    const refusals: ReadonlyArray<readonly [options: unknown, message: string]> = [
      [{}, "verbatim"],
      [{ verbatim: {} }, "verbatim: must be what open gives"],
      [{ verbatim, maxage: 0 }, 'There is no "maxage": "maxAge" may be meant'],
      [{ verbatim, maxAge: "5" }, "maxAge: must be a number of milliseconds, 0 or more"],
      [{ verbatim, staleIfError: -1 }, "staleIfError: must be a number of milliseconds"],
      [{ verbatim, workspace: 3 }, "workspace: must be the name of a workspace"],
      [{ verbatim, onResolved: "log" }, "onResolved: must be a function"]
    ]
    for (const [options, message] of refusals) {
      const wrap = () => presetFetch(fetch, options as Parameters<typeof presetFetch>[1])
      assert.throws(wrap, InvalidInput, message)
    }
  })

  it("answers for a preset that is no text", async () => {
    const { fetch, sent } = await setUp()
    const answer = await fetch(url, { method: "POST", body: '{"preset":3}' })
    assert.strictEqual(answer.status, 400)
    assert.isEmpty(sent)
  })
})
