/** A host's own speech engine with its errors, and a summarizer. */
import { openAsBlob } from "node:fs"
import { EngineRefused, EngineUnavailable, type Summarize, type Transcribe } from "@verbatim/embed"

/** The host's own server for WAV files. */
export const recogniseBy =
  (url: string): Transcribe =>
  async ({ durationMillis, language, path, progress, signal }) => {
    const request = { method: "POST", body: await openAsBlob(path), signal }
    const answer = await fetch(url, request).catch((cause: unknown) => {
      // Retried for a day, without using an attempt.
      throw new EngineUnavailable("the server does not answer", { cause })
    })
    // Fails the job: a retry would fail again.
    if (answer.status === 403) throw new EngineRefused("the server refuses the recording")
    // Any other error uses one of three attempts.
    if (!answer.ok) throw new Error(`the server answered with ${answer.status}`)
    progress(1)
    const text = await answer.text()
    const segments = [{ startMillis: 0, endMillis: durationMillis, text }]
    return { engine: "acme/large", language: language ?? "en", segments }
  }

/** Returns the first words. Use a language model here, with the transcript as data. */
export const summarise: Summarize = async ({ transcript, type }) =>
  `${type}: ${transcript.segments[0]?.text ?? "nothing was said"}`
