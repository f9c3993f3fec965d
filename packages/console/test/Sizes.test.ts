/** Tests the page's size, for the first screen and for all screens together. */
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "vitest"
import { bundle } from "../bundle/Bundle.ts"

/** The sizes of the files as the server sends them, compressed. */
const firstMax = 60_000
const allMax = 160_000

describe("the page", () => {
  it("stays within the size limits for its first screen and for all screens together", async () => {
    const folder = await mkdtemp(join(tmpdir(), "verbatim-page-"))
    const names = await bundle(folder)
    const sizes = await Promise.all(
      names.map(
        async (name) => [name, gzipSync(await readFile(join(folder, name))).length] as const
      )
    )
    const document = await readFile(join(folder, "index.html"), "utf8")
    await rm(folder, { recursive: true, force: true })
    const sum = (some: typeof sizes) => some.reduce((total, [, size]) => total + size, 0)
    const first = sizes.filter(([name]) => name === "index.html" || document.includes(name))
    assert.isAtLeast(first.length, 3)
    assert.isAtMost(sum(first), firstMax)
    assert.isAtMost(sum(sizes), allMax)
    assert.notMatch(document, /<style|style=|<script(?![^>]* src=)|https?:/)
  })
})
