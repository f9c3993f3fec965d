/** The client as a page loads it: its size, what it imports, and that other platforms run it. */
import { execFile, spawnSync } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { keys, recordingUrl, type Server, startServer } from "./Server.ts"

/** What a page may spend on it, compressed as servers send it. */
const byteMax = 10_000

/** And on `presetFetch`, with the rules of three formats and of their endpoints. */
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

/** Makes a preset, sends a stream and a blob, and fails once; the same on every platform. */
const program = (baseUrl: string) => `
import { createClient } from "./client.js"
const { presets, transcriptions } = createClient({
  baseUrl: ${JSON.stringify(baseUrl)},
  key: ${JSON.stringify(keys.management)}
})
const told = []
told.push((await presets.createFromResponses("notes", { model: "a/b" })).slug)
for (const file of [new Blob(["abc"]), new Blob(["abc"]).stream()]) {
  const { id } = await transcriptions.create({ file, filename: "a.mp3" })
  told.push((await transcriptions.wait(id, { interval: 20 })).transcription_status)
}
const { id } = await transcriptions.create({ url: ${JSON.stringify(recordingUrl)} })
await transcriptions.wait(id, { interval: 20 })
told.push((await transcriptions.result(id, "plain_text")).trim())
told.push(await presets.get("none").catch(({ message, name }) => name + ": " + message))
console.log(told.join(", "))
`

const platforms = [
  { name: "node", command: process.execPath, options: [] },
  { name: "bun", command: "bun", options: ["run"] },
  { name: "deno", command: "deno", options: ["run", "--allow-net"] }
]

describe("the client in one file", () => {
  let chunks: Awaited<ReturnType<typeof bundle>>
  let server: Server
  let directory: string
  beforeAll(async () => {
    chunks = await bundle("index")
    server = await startServer()
    directory = await mkdtemp(join(tmpdir(), "verbatim-client-"))
    await writeFile(join(directory, "package.json"), '{ "type": "module" }')
    await writeFile(join(directory, "client.js"), chunks[0]?.code ?? "")
    await writeFile(join(directory, "main.js"), program(server.baseUrl))
  })
  afterAll(async () => {
    await server.stop()
    await rm(directory, { recursive: true })
  })

  it("is small", () => {
    const [chunk, ...others] = chunks
    assert.isEmpty(others)
    const { length } = gzipSync(chunk?.code ?? "", { level: 9 })
    assert.isAtMost(length, byteMax)
    // It is all there.
    assert.isAbove(length, byteMax / 4)
  })

  it("stands on the platform and on openapi-fetch, and on nothing else", () => {
    const [{ code, dynamicImports, imports, moduleIds } = assert.fail("no chunk")] = chunks
    assert.deepStrictEqual([...imports, ...dynamicImports], [])
    assert.notMatch(code, /\bnode:|\brequire\(|Buffer/)
    for (const id of moduleIds) {
      assert.match(id, /packages[\\/]client[\\/]src|node_modules[\\/]openapi-fetch|^\0/)
    }
  })

  it("leaves presetFetch to a door of its own, which is as small and as bare", async () => {
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

  for (const { command, name, options } of platforms) {
    const isThere = spawnSync(command, ["--version"]).status === 0
    it.skipIf(!isThere)(`runs on ${name}`, async () => {
      const args = [...options, join(directory, "main.js")]
      const { stdout } = await promisify(execFile)(command, args)
      const said = "notes, COMPLETED, COMPLETED, Hello there., VerbatimError: Preset not found"
      assert.strictEqual(stdout.trim(), said)
    })
  }
})
