import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import { assert, beforeAll, describe, it } from "vitest"

/** The compressed client's size budget in a page, in bytes. */
const byteMax = 10_000

/**
 * The size budget of the compressed `presetFetch`, which includes the rules of three formats and
 * their endpoints.
 */
const presetByteMax = 15_000

const bundle = async (name: "index" | "PresetFetch") => {
  const made = await rolldown({
    input: fileURLToPath(new URL(`../src/${name}.ts`, import.meta.url)),
    resolve: { conditionNames: ["@verbatim/source", "import", "default"] },
    platform: "browser",
    external: /^node:/
  })
  const { output } = await made.generate({ minify: true })
  await made.close()
  return output.flatMap((each) => (each.type === "chunk" ? [each] : []))
}

describe("the bundled client", () => {
  let chunks: Awaited<ReturnType<typeof bundle>>
  beforeAll(async () => {
    chunks = await bundle("index")
  })

  it("fits the size budget", () => {
    const [chunk, ...others] = chunks
    assert.isEmpty(others)
    const { length } = gzipSync(chunk?.code ?? "", { level: 9 })
    assert.isAtMost(length, byteMax)
    // A bundle below this size would lack a part of the client.
    assert.isAbove(length, byteMax / 4)
  })

  it("imports only openapi-fetch", () => {
    const [{ code, dynamicImports, imports, moduleIds } = assert.fail("no chunk")] = chunks
    assert.deepStrictEqual([...imports, ...dynamicImports], [])
    assert.notMatch(code, /\bnode:|\brequire\(|Buffer/)
    for (const id of moduleIds) {
      assert.match(id, /packages[\\/]client[\\/]src|node_modules[\\/]openapi-fetch|^\0/)
    }
  })

  it("has a separate entry point for presetFetch, which also fits its size budget", async () => {
    assert.notInclude(chunks[0]?.moduleIds.join(), "resolution")
    const [{ code, dynamicImports, imports, moduleIds } = assert.fail("no chunk")] =
      await bundle("PresetFetch")
    const { length } = gzipSync(code, { level: 9 })
    assert.isAtMost(length, presetByteMax)
    assert.isAbove(length, presetByteMax / 2)
    assert.deepStrictEqual([...imports, ...dynamicImports], [])
    assert.notMatch(code, /\bnode:|\brequire\(|Buffer\b(?<!ArrayBuffer)/)
    for (const id of moduleIds) {
      assert.match(
        id,
        /packages[\\/](?:client|resolution)[\\/]src|node_modules[\\/]openapi-fetch|^\0/
      )
    }
  })
})
