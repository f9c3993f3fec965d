/** Tests our installed packages from a client's side, in hosts that frameworks build and start. */
import { execFile } from "node:child_process"
import { openAsBlob } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import { startChild } from "../../../bench/Child.ts"
import { findFreePort } from "../../../packages/testkit/src/servers/LocalServers.ts"
import { type Host, locked } from "../Host.ts"
import { root } from "../Packing.ts"
import { type Framework, frameworks } from "./Frameworks.ts"

const prefix = "/api/verbatim"
const session = { authorization: "Bearer let me in" }
const recording = join(root, "examples/audio/harbour-opening.mp3")

/** Maximum number of polls of a job, half a minute in total. An idle machine needs one second. */
const jobLooksMax = 300
const pauseMillis = 100

interface Wanted {
  readonly status: number
  readonly text: string
}

/** Sends a request. Rejects unless the response has the expected status and text. */
const ask = async (
  url: string,
  { status, text }: Wanted,
  init: RequestInit = {}
): Promise<string> => {
  const answer = await fetch(url, init)
  const said = await answer.text()
  if (answer.status === status && said.includes(text)) return said
  throw new Error(`${url} answered ${answer.status}, not ${status} with "${text}": ${said}`)
}

const upload = async (address: string): Promise<RequestInit> => {
  const body = new FormData()
  body.append("file", await openAsBlob(recording), "a.mp3")
  // The headers that a host's own page sends behind a TLS proxy. SvelteKit accepts forms only with
  // these headers.
  const origin = address.replace("http:", "https:")
  return { method: "POST", headers: { ...session, origin }, body }
}

const preset = {
  method: "POST",
  headers: { ...session, "content-type": "application/json" },
  body: JSON.stringify({ model: "any/model", instructions: "Take notes." })
}

/**
 * Checks that the host's own pages work, that a preset is created, and that an upload is
 * transcribed.
 */
const visit = async (address: string): Promise<void> => {
  const ours = `${address}${prefix}`
  await ask(`${address}/`, { status: 200, text: "the host" })
  await ask(`${address}/nothing`, { status: 404, text: "<html" })
  await ask(`${ours}/nothing`, { status: 404, text: '{"detail":"Not Found"}' })
  await ask(`${ours}/v1/presets`, { status: 401, text: "" })
  await ask(`${ours}/v1/presets/notes/responses`, { status: 200, text: '"slug":"notes"' }, preset)
  const accepted = { status: 200, text: '"id"' }
  const { id } = JSON.parse(await ask(`${ours}/v1/transcribe`, accepted, await upload(address)))
  for (let looks = 1; ; looks += 1) {
    const known = { status: 200, text: id }
    const said = await ask(`${ours}/v1/status/${id}`, known, { headers: session })
    if (said.includes("a file of ")) return
    if (looks === jobLooksMax || said.includes("FAILED"))
      throw new Error(`not transcribed: ${said}`)
    await sleep(pauseMillis)
  }
}

const tryOne = async (host: Host, framework: Framework): Promise<void> => {
  const { build, copies, folder, start, writes } = framework
  host.copy(copies.map((path) => `${folder}/${path}`))
  for (const [path, text] of Object.entries(writes)) host.write(`${folder}/${path}`, text)
  const port = await findFreePort()
  const cwd = join(host.folder, folder)
  const environment = {
    PATH: process.env.PATH,
    HOME: host.folder,
    MEDIA: join(cwd, "media"),
    ...framework.environment(port)
  }
  await promisify(execFile)(process.execPath, build, { cwd, env: environment })
  await using served = await startChild({ cwd, args: start(port), environment })
  await visit(`http://127.0.0.1:${port}`).catch(({ message }: Error) => {
    throw new Error(`${message}\n${served.output()}`)
  })
}

/** Builds, starts and tests each framework. Rejects with the first failure and its output. */
export const tryFrameworks = async (host: Host): Promise<void> => {
  const packages = frameworks.flatMap(({ installs }) => installs)
  await host.install([...["@ffmpeg/core", "pg"].map(locked), ...packages])
  host.copy(["examples/hosts/host.ts"])
  for (const framework of frameworks) {
    await tryOne(host, framework).catch((cause: unknown) => {
      const { message, stdout = "" } = Object(cause)
      throw new Error(`${framework.title}: ${message}\n${stdout}`)
    })
  }
}
