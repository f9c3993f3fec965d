import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createClient } from "@verbatim/client"
import { fileStore } from "@verbatim/client/file"
import { presetFetch, type Resolved } from "@verbatim/client/presets"
import { assert, describe, it, onTestFinished } from "vitest"
import { type Meant, startRegistry } from "./Registry.ts"

const notes: Meant = { version: 3, format: "responses", config: '{"seed":9223372036854775807}' }

const request = { method: "POST", body: '{"preset":"notes"}' }

const url = "https://provider.example/v1/responses"

const setUp = async () => {
  const folder = await mkdtemp(join(tmpdir(), "verbatim-pins-"))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, "pins.json")
  const meanings = new Map<string, Meant>([["notes", notes]])
  const registry = await startRegistry(meanings)
  const verbatim = createClient({ baseUrl: registry.url, key: "secret-of-ours", retry: false })
  const resolved: Array<Resolved> = []
  const warnings: Array<string> = []
  const sent: Array<unknown> = []
  /** What a new process would do. */
  const begin = () => {
    const fetch = async (_: string | URL | Request, init?: RequestInit) => {
      sent.push(init?.body)
      return new Response("{}")
    }
    return presetFetch(fetch, {
      ...{ verbatim, maxAge: 0, file: fileStore(path) },
      onResolved: (one) => void resolved.push(one),
      onWarning: (message) => void warnings.push(message)
    })
  }
  return { ...{ begin, folder, meanings, path, resolved, sent, warnings } }
}

/** Waits for a file that is written in the background. */
const untilThere = async (folder: string): Promise<void> => {
  while ((await readdir(folder)).join() !== "pins.json") await stat(folder)
}

describe("a file of pins", () => {
  it("gives the last answer to the next process, which says that it is old", async () => {
    const { begin, folder, meanings, path, resolved, sent, warnings } = await setUp()
    await begin()(url, request)
    await untilThere(folder)
    assert.strictEqual((await stat(path)).mode & 0o777, 0o600)
    assert.notInclude(await readFile(path, "utf8"), "secret-of-ours")
    meanings.set("notes", { page: 502 })
    assert.strictEqual((await begin()(url, request)).status, 200)
    assert.deepStrictEqual(
      resolved.map(({ isStale, version }) => [version, isStale]),
      [
        [3, false],
        [3, true]
      ]
    )
    assert.deepStrictEqual(sent, Array(2).fill('{"seed":9223372036854775807}'))
    assert.isEmpty(warnings)
  })

  it("forgets what is gone before anybody is told so", async () => {
    const { begin, folder, meanings, path } = await setUp()
    const fetch = begin()
    await fetch(url, request)
    await untilThere(folder)
    meanings.delete("notes")
    assert.strictEqual((await fetch(url, request)).status, 404)
    assert.notInclude(await readFile(path, "utf8"), "notes")
    meanings.set("notes", { page: 502 })
    assert.strictEqual((await begin()(url, request)).status, 503)
  })

  it("is left out when it is damaged, with a warning", async () => {
    for (const damage of ["", "{", "null", '{"kind":"other"}', '{"kind":"verbatim pins 1"}']) {
      const { begin, path, resolved, warnings } = await setUp()
      await writeFile(path, damage)
      assert.strictEqual((await begin()(url, request)).status, 200)
      assert.deepStrictEqual([warnings.length, resolved[0]?.isStale], [1, false])
    }
  })

  it("costs nothing but itself when it cannot be written", async () => {
    const { begin, folder, path, warnings } = await setUp()
    const { mkdir } = await import("node:fs/promises")
    await mkdir(path)
    assert.strictEqual((await begin()(url, request)).status, 200)
    while (warnings.length < 2) await stat(folder)
    assert.deepStrictEqual(await readdir(folder), ["pins.json"])
  })
})
