/** The host's own speech engine, with its errors, and a summarizer. */
import { openAsBlob } from "node:fs"
import { EngineRefused, EngineUnavailable, type Summarize, type Transcribe } from "@verbatim/embed"

/** The host's own server, which transcribes WAV files. */
export const recogniseBy =
  (url: string): Transcribe =>
  async ({ durationMillis, language, path, progress, signal }) => {
    const request = { method: "POST", body: await openAsBlob(path), signal }
    const answer = await fetch(url, request).catch((cause: unknown) => {
      // After this error, the job is retried for up to a day, and the attempt is not counted.
      throw new EngineUnavailable("the server does not answer", { cause })
    })
    // After this error, the job fails immediately, because a retry would fail too.
    if (answer.status === 403) throw new EngineRefused("the server refuses the recording")
    // After any other error, the job is attempted up to three times in total.
    if (!answer.ok) throw new Error(`the server answered with ${answer.status}`)
    progress(1)
    const text = await answer.text()
    const segments = [{ startMillis: 0, endMillis: durationMillis, text }]
    return { engine: "acme/large", language: language ?? "en", segments }
  }

/**
 * Returns the first words. In your program, call a language model here, and pass the transcript as
 * data.
 */
export const summarise: Summarize = async ({ transcript, type }) =>
  `${type}: ${transcript.segments[0]?.text ?? "nothing was said"}`
