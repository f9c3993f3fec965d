/** Tests `verbatim engines` with a model directory served over HTTP. */
import { createHash } from "node:crypto"
import { once } from "node:events"
import { readdir, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { createServer as createSilentServer } from "node:net"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { operateInProcess } from "./operateInProcess.ts"
import { dataDirectory, operate } from "./ServerProcess.ts"

const weights = Buffer.alloc(700_000, 7)

const own = (content: Uint8Array) => [
  ...["base", "other"].map((name) => ({
    name,
    kind: "whisper",
    description: "ours",
    licence: "none",
    files: [
      {
        role: "encoder",
        name: "weights.onnx",
        byteLength: content.byteLength,
        sha256: createHash("sha256").update(content).digest("hex"),
        location: "/weights.onnx"
      }
    ]
  })),
  // A speaker model without files, so that nothing else is downloaded.
  { name: "embedding", kind: "embedding", description: "none", licence: "none", files: [] }
]

/** Serves files, but breaks off the first response that contains weights. */
const offer = async (files: Readonly<Record<string, Uint8Array>>) => {
  const ranges: Array<string | undefined> = []
  const server = createServer((request, response) => {
    const content = files[request.url ?? ""]
    if (content === undefined) return response.writeHead(404).end()
    const isWeights = request.url?.endsWith(".onnx")
    if (isWeights) ranges.push(request.headers.range)
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0)
    const rest = content.subarray(from)
    response.writeHead(from > 0 ? 206 : 200, {
      "content-length": rest.byteLength,
      ...(from > 0 && { "content-range": `bytes ${from}-${content.byteLength - 1}/*` })
    })
    const isCut = isWeights && ranges.length === 1
    if (!isCut) return response.end(rest)
    // Everything that was sent must arrive before the connection is cut.
    return response.write(rest.subarray(0, 300_000), () => response.socket?.end())
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" ? address?.port : 0
  return {
    ranges,
    source: `http://127.0.0.1:${port}`,
    [Symbol.dispose]: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

describe("verbatim engines", () => {
  it("explains what to do if the hub does not respond or is unreachable", async () => {
    await using directory = await dataDirectory()
    const silent = createSilentServer(() => undefined).listen(0, "127.0.0.1")
    await once(silent, "listening")
    const address = silent.address()
    const port = typeof address === "object" ? address?.port : 0
    for (const source of [`hub:http://127.0.0.1:${port}`, "hub:https://hub.invalid"]) {
      const { status, stderr } = await operate(directory.path, ["engines", "install", "base"], {
        VERBATIM_MODELS: directory.path,
        VERBATIM_MODEL_SOURCE: source
      })
      assert.strictEqual(status, 1)
      assert.include(stderr, "The model base could not be downloaded from")
      assert.include(stderr, "VERBATIM_MODEL_SOURCE")
      assert.notMatch(stderr, / at .*\.[jt]s/)
    }
    silent.close()
  })

  it("resumes an interrupted installation, and verifies, repairs and removes models", async () => {
    await using directory = await dataDirectory()
    using server = await offer({
      "/catalogue.json": Buffer.from(JSON.stringify(own(weights))),
      "/base/weights.onnx": weights
    })
    const models = join(directory.path, "models")
    const settings = { VERBATIM_MODELS: models, VERBATIM_MODEL_SOURCE: server.source }
    const run = (...args: ReadonlyArray<string>) =>
      operateInProcess(directory.path, ["engines", ...args], settings)

    const install = ["engines", "install", "base"]
    const installed = await operate(directory.path, install, settings)
    assert.strictEqual(installed.status, 0, installed.stderr)
    // The bytes that were read from the first response are kept. Those in flight when it broke off
    // are lost.
    const [first, second = "", ...others] = server.ranges
    assert.deepStrictEqual([first, others], [undefined, []])
    const kept = Number(/^bytes=(\d+)-$/.exec(second)?.[1])
    assert.isTrue(kept > 0 && kept <= 300_000, second)
    assert.deepStrictEqual(await readdir(join(models, "base")), ["weights.onnx"])
    const listed = await run("list")
    assert.match(listed.stdout, /^base +installed +700 kB/m)
    assert.match(listed.stdout, /^other +absent/m)
    assert.match(
      listed.stdout,
      /^parakeet-110m is best for English with .* \(absent\): verbatim engines install/m
    )
    assert.include((await run("verify")).stdout, "base: intact")

    await writeFile(join(models, "base", "weights.onnx"), Buffer.alloc(700_000, 8))
    const damaged = await run("verify", "base")
    assert.strictEqual(damaged.status, 1)
    assert.include(damaged.stdout, "base: damaged or missing: weights.onnx")
    assert.include(damaged.stderr, "verbatim engines install base")

    assert.strictEqual((await run("remove", "base")).status, 0)
    assert.notInclude(await readdir(models), "base")
    const unknown = await run("remove", "../models")
    assert.strictEqual(unknown.status, 1)
    assert.include(unknown.stderr, "There is no model ../models.")
  })

  it("rejects a model whose checksum does not match", async () => {
    await using directory = await dataDirectory()
    using server = await offer({
      "/catalogue.json": Buffer.from(JSON.stringify(own(Buffer.alloc(700_000, 1)))),
      "/base/weights.onnx": weights
    })
    const { status, stderr } = await operate(directory.path, ["engines", "install", "base"], {
      VERBATIM_MODELS: join(directory.path, "models"),
      VERBATIM_MODEL_SOURCE: server.source
    })
    assert.strictEqual(status, 1)
    assert.include(stderr, "weights.onnx of the model base has an unexpected size or checksum")
    assert.deepStrictEqual(await readdir(join(directory.path, "models", "base")), [])
  })
})
