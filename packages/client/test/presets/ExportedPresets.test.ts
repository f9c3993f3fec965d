import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createClient } from "@verbatim/client"
import { exportedPresets } from "@verbatim/client/file"
import { presetFetch, type Resolved } from "@verbatim/client/presets"
import { assert, describe, it, onTestFinished } from "vitest"

const request = { method: "POST", body: '{"preset":"notes","input":"Hi"}' }

const url = "https://provider.example/v1/responses"

const setUp = async (text: string) => {
  const folder = await mkdtemp(join(tmpdir(), "verbatim-exported-"))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, "notes.json"), text)
  const away = () => Promise.reject(new Error("nothing listens"))
  const verbatim = createClient({ baseURL: "http://a.test", fetch: away, key: "k", retry: false })
  const resolved: Array<Resolved> = []
  const sent: Array<unknown> = []
  const fetch = async (_: string | URL | Request, init?: RequestInit) => {
    sent.push(init?.body)
    return new Response("{}")
  }
  const wrapped = presetFetch(fetch, {
    ...{ verbatim, fallback: exportedPresets(folder) },
    onResolved: (one) => void resolved.push(one)
  })
  return { folder, resolved, sent, wrapped }
}

describe("exported presets", () => {
  it("work, with exact numbers, in a program that has never reached the server", async () => {
    const traits = '"slug":"notes","status":"active","format":"responses"'
    const { resolved, sent, wrapped } = await setUp(
      `{${traits},"system_prompt":"P","config":{"seed":9223372036854775807}}`
    )
    assert.strictEqual((await wrapped(url, request)).status, 200)
    const [{ isFallback, slug } = assert.fail("nothing was resolved")] = resolved
    assert.deepStrictEqual([slug, isFallback], ["notes", true])
    assert.deepStrictEqual(sent, ['{"instructions":"P","seed":9223372036854775807,"input":"Hi"}'])
  })

  it("get the same defaults for missing fields as with `apply`", async () => {
    const { sent, wrapped } = await setUp('{"slug":"notes","config":{"model":"m"}}')
    assert.strictEqual((await wrapped(url, request)).status, 200)
    assert.deepStrictEqual(sent, ['{"model":"m","input":"Hi"}'])
  })

  it("are rejected if the folder contains no JSON", async () => {
    const folder = await mkdtemp(join(tmpdir(), "verbatim-exported-"))
    onTestFinished(() => rm(folder, { recursive: true }))
    await writeFile(join(folder, "notes.yaml"), "slug: notes")
    const error = await exportedPresets(folder)().then(
      () => assert.fail("it was read"),
      (cause: Error) => cause
    )
    assert.match(error.message, /contains no JSON files: export the presets with --format json$/)
  })

  it("are rejected with their path if they are not JSON", async () => {
    const { sent, wrapped } = await setUp("slug: notes")
    const error = await wrapped(url, request).then(
      () => assert.fail("it was sent"),
      (cause: Error) => cause
    )
    assert.match(error.message, /notes\.json cannot be read as JSON/)
    assert.isEmpty(sent)
  })
})
