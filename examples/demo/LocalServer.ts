/** Starts the real server as a separate process, with a temporary directory and a free port. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

export interface LocalServer {
  readonly address: string
  readonly managementKey: string
  readonly inferenceKey: string
  /** Stops the server gracefully, and removes its directory. */
  readonly stop: () => Promise<void>
}

/** On its first start, the server looks for engines, which takes a few seconds. */
const startMillis = 30_000

const command = fileURLToPath(new URL("../../packages/server/src/main.ts", import.meta.url))

/**
 * Returns this environment without the settings of a server that may be running here, because the
 * demo must not change that server's store.
 */
const ownEnvironment = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !name.startsWith("VERBATIM_") || name === "VERBATIM_CACHE_DIR"
    )
  )

/**
 * Prints a line from the server's log. Requests are omitted, because there are so many that they
 * would hide the other lines.
 */
const tell = (line: string): void => {
  const read = (): Readonly<Record<string, unknown>> => {
    try {
      return Object(JSON.parse(line))
    } catch {
      return { message: line }
    }
  }
  const { message, route } = read()
  if (route === undefined) console.log(`  (server) ${message}`)
}

/** Starts a server whose outbound requests can reach this machine, but no private network. */
export const startServer = async (): Promise<LocalServer> => {
  const directory = await mkdtemp(join(tmpdir(), "verbatim-demo-"))
  const managementKey = `demo-management-${crypto.randomUUID()}`
  const inferenceKey = `demo-inference-${crypto.randomUUID()}`
  const child = spawn(process.execPath, ["--conditions=@verbatim/source", command, "serve"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...ownEnvironment(),
      VERBATIM_PORT: "0",
      VERBATIM_DATA_DIR: directory,
      VERBATIM_ALLOW_NETWORKS: "127.0.0.0/8",
      // Keeps recordings so that the console can play them.
      VERBATIM_KEEP_MEDIA: "on",
      VERBATIM_BOOTSTRAP_MANAGEMENT_KEY: managementKey,
      VERBATIM_BOOTSTRAP_INFERENCE_KEY: inferenceKey
    }
  })
  createInterface({ input: child.stderr }).on("line", tell)
  const stop = async () => {
    if (child.exitCode === null && child.kill("SIGTERM")) await once(child, "exit")
    await rm(directory, { recursive: true, force: true })
  }
  const address = await new Promise<string>((found, failed) => {
    const timer = setTimeout(() => failed(new Error("the server did not start")), startMillis)
    child.once("exit", (code) => failed(new Error(`the server ended with ${code}`)))
    createInterface({ input: child.stdout }).on("line", (line) => {
      const match = /listens on (http:\S+)/.exec(line)?.[1]
      if (match !== undefined) {
        clearTimeout(timer)
        found(match)
      }
    })
  }).catch(async (cause: unknown) => {
    await stop()
    throw cause
  })
  return { address, managementKey, inferenceKey, stop }
}
