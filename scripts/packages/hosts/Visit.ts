/** Tests a framework's host as a client would use it. */
import { openAsBlob } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { root } from "../Packing.ts"

const prefix = "/api/verbatim"
const session = { authorization: "Bearer let me in" }
const recording = join(root, "examples/audio/harbour-opening.mp3")

/**
 * Maximum number of looks at a job, half a minute in total. An idle machine needs one second.
 */
const looksMax = 300
const pauseMillis = 100

interface Wanted {
  readonly status: number
  readonly text: string
}

/** Sends a request. Rejects unless the response has the wanted status and text. */
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
  // The headers that one of the host's pages sends behind a TLS proxy. SvelteKit accepts only forms
  // with these headers.
  const origin = address.replace("http:", "https:")
  return { method: "POST", headers: { ...session, origin }, body }
}

const preset = {
  method: "POST",
  headers: { ...session, "content-type": "application/json" },
  body: JSON.stringify({ model: "any/model", instructions: "Take notes." })
}

/** Checks that the host's own pages work, a preset is created, and an upload is transcribed. */
export const visit = async (address: string): Promise<void> => {
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
    if (looks === looksMax || said.includes("FAILED")) throw new Error(`not transcribed: ${said}`)
    await sleep(pauseMillis)
  }
}
