/** A host as its clients see it: a process of its own that tells its address. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import type { Runtime } from "../bundles/Runtimes.ts"

/** The folder below which every host has put us, and what its sessions know. */
export const prefix = "/api/verbatim"
export const session = { authorization: "Bearer let me in" }

export interface Host {
  readonly child: ChildProcess
  readonly address: string
  readonly call: (path: string, init?: RequestInit) => Promise<Answer>
  /** The recordings that it has stored, whole or not. */
  readonly recordings: () => Promise<ReadonlyArray<string>>
  /** Closes Verbatim, while the host itself goes on. */
  readonly closeVerbatim: () => void
  /** The memory of the process now, in bytes, as the system sees it. */
  readonly memory: () => number
  /** Asks it to stop, and gives how it ended. */
  readonly stop: () => Promise<number | null>
}

/** An answer, read to its end. */
interface Answer {
  readonly status: number
  readonly text: string
}

const pageBytes = 4_096

/** By this file a store of media is recognised. */
const marker = ".verbatim-media"

/** All files but the marker. Folders may go while they are read. */
const filesBelow = async (folder: string): Promise<ReadonlyArray<string>> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const found = entries.map(async (each) =>
    each.isDirectory() ? filesBelow(join(folder, each.name)) : [each.name]
  )
  return (await Promise.all(found)).flat().filter((name) => name !== marker)
}

/** Starts a host, and waits until it tells where it listens. */
export const start = async (path: string, { sourceWords, ...runtime }: Runtime): Promise<Host> => {
  const program = fileURLToPath(new URL(`../../${path}`, import.meta.url))
  const media = await mkdtemp(join(tmpdir(), "verbatim-host-"))
  const child = spawn(runtime.path ?? runtime.name, [...sourceWords, program], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, PORT: "0", MEDIA: media }
  })
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
    memory: () =>
      Number(readFileSync(`/proc/${child.pid}/statm`, "utf8").split(" ")[1]) * pageBytes,
    stop: async () => {
      child.kill("SIGTERM")
      const [code] = await exited
      await rm(media, { recursive: true, force: true })
      return code
    }
  }
}
