/** Verbatim in a program: a preset gets two versions, a recording becomes text with a summary. */
import { open } from "@verbatim/embed"
import { pocketsphinx } from "@verbatim/embed/engines"

const verbatim = await open({ database: "memory:", transcribe: pocketsphinx() })
for (const instructions of ["Take notes.", "Take short notes."]) {
  const body = { model: "any/model", instructions, temperature: 0.2 }
  const { designated } = await verbatim.presets.create({ slug: "notes", body })
  console.log(`notes version ${designated.version}: ${designated.systemPrompt}`)
}
const media = new URL("../audio/harbour-minute.mp3", import.meta.url)
const result = await verbatim.wait(await verbatim.transcribe({ media, summary: "brief" }))
if (result.state === "completed") {
  console.log(result.transcript?.segments.map(({ text }) => text).join(" "))
  console.log(`Summary: ${result.summary}`)
}
await verbatim.close()
