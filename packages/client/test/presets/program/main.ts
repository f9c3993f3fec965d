/** A program that uses a provider's SDK and adds presets with one line. */
import { createClient } from "@verbatim/client"
import { exportedPresets } from "@verbatim/client/file"
import { presetFetch } from "@verbatim/client/presets"
import OpenAI from "openai"

const { PROVIDER_URL, VERBATIM_KEY: key, VERBATIM_URL: url = "http://127.0.0.1:8787" } = process.env

const openai = new OpenAI({
  baseURL: PROVIDER_URL,
  // This line adds the presets. Each key is sent only to its own server.
  fetch: presetFetch(fetch, {
    verbatim: createClient({ baseURL: url, key }),
    fallback: exportedPresets("presets"),
    onResolved: ({ ageMillis, isStale, slug, version }) =>
      console.log(`${slug}@${version}, ${isStale ? `stale: ${ageMillis} ms old` : "current"}`)
  })
})

const { output_text } = await openai.responses.create({ model: "@preset/notes", input: "Hi" })
console.log(output_text)
try {
  await openai.responses.create({ model: "@preset/none@production", input: "Hi" })
} catch (error) {
  if (!(error instanceof OpenAI.APIError)) throw error
  console.log(`${error.status}: ${error.message}`)
}
