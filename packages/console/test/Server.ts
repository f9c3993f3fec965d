/**
 * Runs the real server in its own process, which can be killed and restarted, because the data
 * folder outlives the process.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { findFreePort } from "@verbatim/testkit/servers"
import { bundle } from "../bundle/Bundle.ts"
import { startEngine } from "./Engine.ts"

export const keys = {
  management: "test-management-key-0123456789abcdef",
  inference: "test-inference-key-0123456789abcdef",
  operator: "test-operator-key-0123456789abcdef"
} as const

/** The server's settings, keyed by variable. */
export type Settings = Readonly<Record<string, string>>

const program = fileURLToPath(new URL("../../server/src/main.ts", import.meta.url))

const start = async (settings: Settings): Promise<{ child: ChildProcess; address: string }> => {
  const child = spawn(process.execPath, ["--conditions=@verbatim/source", program, "serve"], {
    env: { ...process.env, ...settings },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let log = ""
  child.stderr.on("data", (chunk) => {
    log += chunk
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const address = /listens on (http:\/\/[^/\s]+)/.exec(line)?.[1]
    if (address !== undefined) return { child, address }
  }
  return Promise.reject(new Error(`the server did not start: ${log}`))
}

let built: Promise<unknown> | undefined

/** Builds the current page, once for all servers in a run, and starts a server with it. */
export const startServer = async (more: Settings = {}) => {
  built ??= bundle()
  await built
  const engine = await startEngine()
  const folder = await mkdtemp(join(tmpdir(), "verbatim-console-"))
  const settings = {
    VERBATIM_PORT: `${await findFreePort()}`,
    VERBATIM_DATA_DIR: folder,
    VERBATIM_ALLOW_NETWORKS: "127.0.0.0/8",
    VERBATIM_TRANSCRIBER: "openai",
    VERBATIM_OPENAI_BASE_URL: engine.url,
    VERBATIM_OPENAI_API_KEY: "sk-test",
    VERBATIM_OPENAI_SUMMARY_MODEL: "test",
    // The test engine decides the sentences, so the same recording can get different sentences each
    // time. Recordings are transcribed one at a time, in order.
    VERBATIM_REUSE_PIECES: "off",
    VERBATIM_PIECES_AT_ONCE: "1",
    VERBATIM_BOOTSTRAP_MANAGEMENT_KEY: keys.management,
    VERBATIM_BOOTSTRAP_INFERENCE_KEY: keys.inference,
    VERBATIM_BOOTSTRAP_OPERATOR_KEY: keys.operator,
    VERBATIM_BOOTSTRAP_MINUTES: "10000",
    ...more
  }
  let { address, child } = await start(settings)
  const kill = async (): Promise<void> => {
    const over = once(child, "exit")
    child.kill("SIGKILL")
    await over
  }
  return {
    address,
    engine,
    kill,
    /** Restarts the server at the same address. */
    restart: async () => {
      ;({ address, child } = await start(settings))
    },
    request: (path: string, init: RequestInit = {}, key: string = keys.management) =>
      fetch(`${address}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${key}`, ...init.headers }
      }),
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) await kill()
      engine.stop()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  }
}
