/**
 * Embeds Verbatim in a program: creates two versions of a preset, and transcribes and summarizes a
 * recording.
 */
import { fileURLToPath } from "node:url"
import { open } from "@verbatim/embed"
import { pocketsphinx } from "@verbatim/embed/engines"

const verbatim = await open({ database: "memory:", transcribe: pocketsphinx() })
const { presets, transcriptions } = verbatim
for (const instructions of ["Take notes.", "Take short notes."]) {
  const body = { model: "any/model", instructions, temperature: 0.2 }
  const { designated_version: live } = await presets.createFromResponses("notes", body)
  console.log(`notes version ${live?.version}: ${live?.system_prompt}`)
}
const path = fileURLToPath(new URL("../audio/harbour-minute.mp3", import.meta.url))
const { id } = await transcriptions.create({ path, summary: "brief" })
const { error, summary } = await transcriptions.wait(id)
console.log(error ?? (await transcriptions.result(id, "plain_text")))
console.log(`Summary: ${summary}`)
await verbatim.close()
