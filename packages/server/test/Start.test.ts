/**
 * Tests that a starting server opens its port first, and that an invalid setting has no side
 * effects.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readdir } from "node:fs/promises"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { version } from "@verbatim/core/version"
import { assert, describe, it } from "vitest"
import { SequentialServer } from "#src/listener/SequentialServer"
import { startCountingListener } from "./countingListener.ts"
import { operateInProcess } from "./operateInProcess.ts"
import { dataDirectory, environment, operate, ServerProcess } from "./ServerProcess.ts"
import { listenerLimits } from "./Serving.ts"

/** Keys are generated and printed if the operator supplies none. */
const withoutKeys = { VERBATIM_BOOTSTRAP_MANAGEMENT_KEY: "", VERBATIM_BOOTSTRAP_INFERENCE_KEY: "" }

describe("a server that cannot start", () => {
  it.each([
    ["PORT", "VERBATIM_PORT or --port", {}],
    ["HEALTH_PORT", "VERBATIM_HEALTH_PORT", { VERBATIM_ROLES: "worker" }]
  ])("creates nothing and issues no key if its port is taken: %s", async (name, how, role) => {
    await using directory = await dataDirectory()
    using other = await startCountingListener()
    const { status, stderr, stdout } = await operate(directory.path, ["serve"], {
      VERBATIM_DATA_DIR: join(directory.path, "data"),
      ...withoutKeys,
      ...role,
      [`VERBATIM_${name}`]: `${other.port}`
    })
    const sentence =
      `Cannot listen on 127.0.0.1:${other.port}: another program is listening there. ` +
      `Choose another port with ${how}.`
    assert.deepStrictEqual([status, stdout], [1, ""])
    assert.include(stderr, sentence)
    assert.notMatch(stderr, /Starting|Stopping/)
    assert.deepStrictEqual(await readdir(directory.path), [])
  })

  it("names the known models if the configured model is unknown", async () => {
    await using directory = await dataDirectory()
    const { status, stderr } = await operateInProcess(directory.path, ["serve"], {
      VERBATIM_DATA_DIR: join(directory.path, "data"),
      VERBATIM_TRANSCRIBER: "openai,whisper",
      VERBATIM_MODEL: "bse"
    })
    assert.strictEqual(status, 1)
    assert.match(
      stderr,
      /VERBATIM_MODEL must be auto, or one of tiny, base, .*\. Did you mean base\?/
    )
    assert.deepStrictEqual(await readdir(directory.path), [])
  })

  it("names the required Node version if the running version is older", async () => {
    const old = `Object.defineProperty(process, "versions", { value: { node: "20.20.2" } })`
    const command = fileURLToPath(new URL("../bin/verbatim.js", import.meta.url))
    const child = spawn(process.execPath, ["--import", `data:text/javascript,${old}`, command], {
      stdio: ["ignore", "ignore", "pipe"]
    })
    const [said, [status]] = await Promise.all([text(child.stderr), once(child, "exit")])
    assert.strictEqual(said, "Verbatim needs Node 22.19 or later; this is 20.20.2.\n")
    assert.strictEqual(status, 1)
  })
})

const root = fileURLToPath(new URL("../../../", import.meta.url))

/** Kills the processes that a child process started and left running. */
const endGroup = ({ pid }: ChildProcess) => {
  try {
    process.kill(-(pid ?? 0), "SIGKILL")
  } catch {
    // The call fails if no process in the group is left.
  }
}

describe("a server that starts", () => {
  it("shows its version in its log, health check and metrics, and in the worker list", async () => {
    await using directory = await dataDirectory()
    const settings = { VERBATIM_TRANSCRIBER: "pocketsphinx", VERBATIM_METRICS: "on" }
    await using server = await ServerProcess.start(directory.path, settings)
    // Node 22 prints a warning about SQLite first, so that line is skipped.
    const first = server.errors.split("\n").find((line) => line.startsWith("{"))
    assert.include(first, `Starting Verbatim ${version}`)
    for (const path of ["/", "/health", "/health/ready"]) {
      const answer = (await (await server.request(path)).json()) as { version: string }
      assert.strictEqual(answer.version, version, path)
    }
    const metrics = await (await server.request("/metrics")).text()
    assert.include(metrics, `verbatim_build_info{version="${version}"} 1`)
    const { stdout } = await operate(directory.path, ["workers"])
    assert.include(stdout, `${server.child.pid} (${version})`)
  })

  it("prints its address, and logs a line when a signal to `npm start` stops it", async () => {
    await using directory = await dataDirectory()
    const child = spawn("npm", ["start"], {
      cwd: root,
      // A group of processes can be killed together, even if npm exits before the server.
      detached: true,
      env: environment(directory.path, {
        VERBATIM_ROLES: "http",
        VERBATIM_HOST: "0.0.0.0",
        ...withoutKeys
      }),
      stdio: ["ignore", "pipe", "pipe"]
    })
    const [log, printed] = [text(child.stderr), text(child.stdout)]
    const exit = once(child, "exit")
    child.stdout.on("data", (chunk) => {
      if (`${chunk}`.includes("listens on")) child.kill("SIGTERM")
    })
    try {
      assert.deepStrictEqual(await exit, [0, null])
      assert.match(await log, /"Stopping"[\s\S]*"Stopped"/)
      const [, port] = /listens on http:\/\/0\.0\.0\.0:(\d+)/.exec(await printed) ?? []
      const address = `http://127.0.0.1:${port}`
      assert.include(await printed, `curl ${address}/v1/presets/my-first/responses`)
    } finally {
      endGroup(child)
    }
  })

  it("reports only once that its model cannot be downloaded", async () => {
    await using directory = await dataDirectory()
    await using server = await ServerProcess.start(directory.path, { VERBATIM_ROLES: "worker" })
    await server.saying(
      /Using PocketSphinx \(only English, no punctuation\) instead of a local model\./
    )
    assert.strictEqual(server.errors.match(/could not be downloaded/g)?.length, 1)
  })

  it("responds with 503, in the format of each API, until it is ready", async () => {
    const server = new SequentialServer(listenerLimits)
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
    const address = server.address() as AddressInfo
    const sendRequest = () =>
      fetch(`http://127.0.0.1:${address.port}/v1/presets`, { method: "POST", body: "{}" })
    const early = await sendRequest()
    assert.strictEqual(early.status, 503)
    assert.strictEqual(early.headers.get("retry-after"), "1")
    const { error } = (await early.json()) as { error: { code: number } }
    assert.strictEqual(error.code, 503)
    server.on("request", (_: unknown, response: { end: () => void }) => response.end())
    assert.strictEqual((await sendRequest()).status, 200)
    server.close().closeAllConnections()
  })
})
