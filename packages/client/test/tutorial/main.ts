/** Creates a preset and a transcript over HTTP, from any program that has `fetch`. */
import { createClient, VerbatimError } from "@verbatim/client"

const { VERBATIM_KEY: key, VERBATIM_URL: baseURL = "http://127.0.0.1:8787" } = process.env
const { presets, transcriptions } = createClient({ baseURL, key })

const first = await presets.createFromResponses("notes", { instructions: "Take notes." })
await presets.createFromResponses("notes", { instructions: "Take short notes." })
const { system_prompt } = await presets.diff("notes", { from: 1, to: 2 })
console.log(`${first.name}: ${system_prompt?.from} is now ${system_prompt?.to}`)

const file = new File(["the bytes of a recording"], "meeting.mp3")
const { id } = await transcriptions.create({ file, language: "en", summary: "brief" })
const job = await transcriptions.wait(id, {
  signal: AbortSignal.timeout(600_000),
  onProgress: ({ progress = 0 }) => console.log(`${Math.round(progress * 100)} %`)
})
console.log(job.error ?? (await transcriptions.result(id, "srt")))

for await (const { created_at, status } of transcriptions.list()) console.log(created_at, status)

try {
  await presets.get("none")
} catch (error) {
  if (!(error instanceof VerbatimError)) throw error
  console.log(`${error.status}: ${error.message}`)
}
