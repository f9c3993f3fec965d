/** Runs a host in a separate process. */
import { ok } from "node:assert/strict"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { bytesInUseBy, memoryReportArgument } from "@verbatim/testkit/servers"
import { node, type Runtime } from "../bundles/Runtimes.ts"

/** The API's path in all hosts, and the session header. */
export const prefix = "/api/verbatim"
export const session = { authorization: "Bearer let me in" }

export interface Host {
  readonly child: ChildProcess
  readonly address: string
  readonly call: (path: string, init?: RequestInit) => Promise<Answer>
  /** Lists the recordings that the host has stored, including incomplete ones. */
  readonly recordings: () => Promise<ReadonlyArray<string>>
  readonly closeVerbatim: () => void
  /** Returns the current memory use of a Node host, in bytes. */
  readonly bytesInUse: () => Promise<number>
  /** Stops the host, and returns its exit code. */
  readonly stop: () => Promise<number | null>
}

/** A response with its complete body. */
interface Answer {
  readonly status: number
  readonly text: string
}

/** The file name of a media store's marker. */
const marker = ".verbatim-media"

/** Lists all files except the marker. Folders can be removed while they are being listed. */
const filesBelow = async (folder: string): Promise<ReadonlyArray<string>> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const found = entries.map(async (each) =>
    each.isDirectory() ? filesBelow(join(folder, each.name)) : [each.name]
  )
  return (await Promise.all(found)).flat().filter((name) => name !== marker)
}

/** Starts a host, and waits until it prints its address. */
export const start = async (path: string, runtime: Runtime): Promise<Host> => {
  const isNode = runtime === node
  const words = [...runtime.sourceWords, ...(isNode ? [memoryReportArgument] : [])]
  const program = fileURLToPath(new URL(`../../${path}`, import.meta.url))
  const media = await mkdtemp(join(tmpdir(), "verbatim-host-"))
  const child = spawn(runtime.path ?? runtime.name, [...words, program], {
    stdio: ["ignore", "pipe", "inherit", isNode ? "ipc" : "ignore"],
    env: { ...process.env, PORT: "0", MEDIA: media }
  })
  ok(child.stdout !== null)
  const exited = once(child, "exit")
  const lines = createInterface({ input: child.stdout })
  const address = await new Promise<string>((resolve, reject) => {
    lines.on("line", (line) => line.startsWith("http://") && resolve(line))
    exited.then(([code]) => reject(new Error(`${path} ended with ${code}`)))
  })
  return {
    child,
    address,
    call: async (at, init = {}) => {
      const answer = await fetch(address + at, init)
      return { status: answer.status, text: await answer.text() }
    },
    recordings: () => filesBelow(media),
    closeVerbatim: () => void child.kill("SIGHUP"),
    bytesInUse: () => bytesInUseBy(child),
    stop: async () => {
      child.kill("SIGTERM")
      const [code] = await exited
      await rm(media, { recursive: true, force: true })
      return code
    }
  }
}
