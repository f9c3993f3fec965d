/**
 * Shows all of Verbatim in one run, with a real server, real HTTP and real speech recognition.
 * Creates two versions of a preset, transcribes and summarizes a recording, and receives the
 * webhook. Pass a file to transcribe your own recording. On a terminal, the demo ends with the
 * console.
 */
import { existsSync, openAsBlob } from "node:fs"
import { readFile } from "node:fs/promises"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"
import { alignWords, countWords } from "@verbatim/testkit/samples"
import { startReceiver } from "./LocalReceiver.ts"
import { type LocalServer, startServer } from "./LocalServer.ts"

/** A 73-second recording of a meeting. */
const meeting = fileURLToPath(new URL("../audio/harbour-meeting.flac", import.meta.url))
const spoken = new URL("../audio/harbour-meeting.txt", import.meta.url)

const [audio = meeting] = process.argv.slice(2)
if (!existsSync(audio)) {
  console.error(`There is no file ${audio}.`)
  process.exit(1)
}

/**
 * The minimum share of words that must be recognised. Usually, about 99 % of this recording's words
 * are recognised.
 */
const recallMin = 0.8

/** Recognition takes about 10 s. On a new machine, the recogniser is downloaded first. */
const patienceMillis = 110_000

const title = (text: string) => console.log(`\n── ${text} ${"─".repeat(72 - text.length)}`)

const request = async (url: string, init: RequestInit) => {
  const response = await fetch(url, init)
  const body = await response.text()
  if (!response.ok) throw new Error(`${response.status} from ${url}: ${body}`)
  return body
}

const storePreset = async ({ address, managementKey }: LocalServer, body: unknown) => {
  const answer = await request(`${address}/v1/presets/meeting-notes/responses`, {
    method: "POST",
    headers: { authorization: `Bearer ${managementKey}`, "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  const { data } = JSON.parse(answer)
  const { config, system_prompt, version } = data.designated_version
  console.log(`${data.slug} version ${version}: ${system_prompt} ${JSON.stringify(config)}`)
}

const upload = async ({ address, inferenceKey }: LocalServer, callbackUrl: string) => {
  const form = new FormData()
  form.set("summary", "brief")
  form.set("callback_url", callbackUrl)
  form.set("callback_id", "démo-1")
  form.set("file", await openAsBlob(audio), basename(audio))
  const authorization = `Bearer ${inferenceKey}`
  const answer = await request(`${address}/v1/transcribe`, {
    method: "POST",
    headers: { authorization },
    body: form
  })
  const job = JSON.parse(answer)
  console.log(`job ${job.id}: ${job.transcription_status}`)
  const read = (path: string) =>
    request(`${address}/v1/status/${job.id}${path}`, { headers: { authorization } })
  return { status: async () => JSON.parse(await read("")), text: () => read("/paragraph_text") }
}

/** Polls until the webhook has ended, printing each change. */
const follow = async (status: () => Promise<Record<string, string>>) => {
  const startedAt = performance.now()
  let shown = ""
  for (;;) {
    const job = await status()
    const { summary_status, transcription_status, webhook_status } = job
    const line = `${transcription_status}, summary ${summary_status}, webhook ${webhook_status}`
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)
    if (line !== shown) console.log(`${seconds} s  ${line}`)
    shown = line
    if (job.transcription_status === "FAILED") throw new Error(job.error)
    if (job.webhook_status !== "PENDING") return job
    if (performance.now() - startedAt > patienceMillis) throw new Error("it took too long")
    await new Promise((passed) => setTimeout(passed, 500))
  }
}

const demonstrate = async (
  server: LocalServer,
  receiver: Awaited<ReturnType<typeof startReceiver>>
) => {
  title("A preset with two versions")
  await storePreset(server, { model: "any/model", instructions: "Take notes.", temperature: 0.2 })
  await storePreset(server, { model: "any/model", instructions: "Take short notes.", stream: true })

  title(`${basename(audio)}, uploaded`)
  const job = await upload(server, receiver.url)
  const done = await follow(job.status)

  title("paragraph_text")
  const text = await job.text()
  console.log(text.trimEnd())

  title("Summary (brief)")
  console.log(done.summary ?? done.summary_status)

  title("The webhook")
  const { body, rawHeaders } = await receiver.webhook
  for (let i = 0; i < rawHeaders.length; i += 2)
    console.log(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`)
  const lines = JSON.stringify(JSON.parse(body), null, 2).split("\n").slice(0, 14)
  console.log(`\n${lines.join("\n")}\n  …`)

  title("Result")
  if (audio === meeting) {
    const counts = countWords(alignWords(await readFile(spoken, "utf8"), text))
    const share = counts.correct / counts.spoken
    console.log(`${(share * 100).toFixed(1)} % of the words recognised`)
    if (share < recallMin) throw new Error("too few words were recognised")
  }
  console.log(`webhook_status ${done.webhook_status}`)
  if (done.webhook_status !== "DELIVERED") throw new Error("the webhook was not delivered")
}

/** Whether a user is at the terminal and can open a browser. */
const isWatched = process.stdin.isTTY === true && process.stdout.isTTY === true

/** Keeps the server running if a user is at the terminal. Otherwise, the demo ends immediately. */
const showConsole = async ({ address, managementKey }: LocalServer) => {
  title("The console")
  if (!isWatched) {
    console.log("In a terminal, the server keeps running and the console shows all of this.")
    return
  }
  console.log(`Open        ${address}/console/`)
  console.log(`Log in with ${managementKey}`)
  console.log("\nOpen the job démo-1 to read, play and correct its transcript.")
  console.log("Presets shows the preset. Ctrl+C stops the server and deletes all data of the demo.")
  await new Promise<void>((ended) => process.once("SIGINT", ended))
}

const receiver = await startReceiver()
try {
  const server = await startServer()
  try {
    await demonstrate(server, receiver)
    await showConsole(server)
  } finally {
    await server.stop()
  }
} catch (cause) {
  console.error(`\nThe demo failed: ${cause instanceof Error ? cause.message : cause}`)
  process.exitCode = 1
} finally {
  receiver.stop()
}
