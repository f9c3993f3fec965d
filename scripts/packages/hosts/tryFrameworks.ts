/** Tests our installed packages in hosts that frameworks build and start. */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import { findFreePort } from "../../../packages/testkit/src/servers/FreePort.ts"
import type { Host } from "../Host.ts"
import { type Framework, frameworks } from "./Frameworks.ts"
import { visit } from "./Visit.ts"

/** Maximum number of tries to reach a host, which take a few minutes, for a busy machine. */
const looksMax = 3_000
const pauseMillis = 100

/** Waits until a host listens or has ended. */
const untilOpen = async (address: string, host: ChildProcess): Promise<void> => {
  for (let looks = 1; ; looks += 1) {
    const answer = await fetch(address).catch(() => undefined)
    if (answer !== undefined) return
    if (looks === looksMax || host.exitCode !== null) throw new Error("the host did not start")
    await sleep(pauseMillis)
  }
}

const tryOne = async (host: Host, framework: Framework): Promise<void> => {
  const { build, copies, environment, folder, start, writes } = framework
  host.copy(copies.map((path) => `${folder}/${path}`))
  for (const [path, text] of Object.entries(writes)) host.write(`${folder}/${path}`, text)
  const port = await findFreePort()
  const cwd = join(host.folder, folder)
  const env = {
    PATH: process.env.PATH,
    HOME: host.folder,
    MEDIA: join(cwd, "media"),
    ...environment(port)
  }
  await promisify(execFile)(process.execPath, build, { cwd, env })
  const served = spawn(process.execPath, start(port), {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"]
  })
  const ended = once(served, "exit")
  let said = ""
  for (const output of [served.stdout, served.stderr]) {
    output.setEncoding("utf8").on("data", (text: string) => {
      said += text
    })
  }
  try {
    const address = `http://127.0.0.1:${port}`
    await untilOpen(address, served)
    await visit(address)
  } catch (cause) {
    throw new Error(`${Object(cause).message}\n${said}`)
  } finally {
    if (served.exitCode === null && served.kill("SIGTERM")) await ended
  }
}

/** The packages that all frameworks need. */
export const frameworkPackages: ReadonlyArray<string> = frameworks.flatMap(
  ({ installs }) => installs
)

/** Builds, starts and tests each framework. Rejects with the first failure and its output. */
export const tryFrameworks = async (host: Host): Promise<void> => {
  host.copy(["examples/hosts/host.ts"])
  for (const framework of frameworks) {
    await tryOne(host, framework).catch((cause: unknown) => {
      const { message, stdout = "" } = Object(cause)
      throw new Error(`${framework.title}: ${message}\n${stdout}`)
    })
  }
}
