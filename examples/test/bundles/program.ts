/**
 * A program for the bundle tests, with a database file, the API at a path, a WebAssembly decoder
 * and speech recognition. The program submits a recording over HTTP and prints the transcript.
 */
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { basename, join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { open } from "@verbatim/embed"
import { pocketsphinx } from "@verbatim/embed/engines"

/** Recognition takes a few seconds, or longer on a busy machine. */
const lookMax = 1_200

interface Status {
  readonly id: string
  readonly transcription_status: string
  readonly error?: unknown
  readonly output?: { readonly list: ReadonlyArray<{ readonly text: string }> }
}

const run = async (directory: string, recording: string) => {
  const verbatim = await open({
    database: `sqlite:${join(directory, "bundle.db")}`,
    media: join(directory, "media"),
    prefix: "/api",
    transcribe: pocketsphinx(),
    authenticate: async ({ headers }) =>
      headers.get("authorization") === "Bearer key"
        ? { workspace: "acme", kind: "management" }
        : null
  })
  const server = createServer(verbatim.handler).listen(0, "127.0.0.1")
  await new Promise((resolve) => server.once("listening", resolve))
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`
  const sendRequest = async (path: string, init: RequestInit = {}): Promise<Status> => {
    const answer = await fetch(root + path, { ...init, headers: { authorization: "Bearer key" } })
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Status
  }
  const body = new FormData()
  body.set("file", new Blob([await readFile(recording)]), basename(recording))
  let job = await sendRequest("/transcribe", { method: "POST", body })
  for (let look = 0; look < lookMax && !/COMP|FAIL/.test(job.transcription_status); look++) {
    await sleep(250)
    job = await sendRequest(`/status/${job.id}`)
  }
  console.log(job.output?.list.map(({ text }) => text).join(" ") ?? JSON.stringify(job))
  server.close()
  await verbatim.close()
}

const [directory = "", recording = ""] = process.argv.slice(2)
run(directory, recording).then(
  () => process.exit(0),
  (cause: unknown) => {
    console.error(cause)
    process.exit(1)
  }
)
