/** A speech engine of a host's own, what its faults mean, and a summarizer. */
import { openAsBlob } from "node:fs"
import { EngineRefused, EngineUnavailable, type Recognise, type Summarise } from "@verbatim/embed"

/** A server of the host's own that takes WAV files. */
export const recogniseBy =
  (url: string): Recognise =>
  async ({ durationMillis, language, path, progress, signal }) => {
    const request = { method: "POST", body: await openAsBlob(path), signal }
    const answer = await fetch(url, request).catch((cause: unknown) => {
      // Tried again until it answers, for a day: no attempt is spent.
      throw new EngineUnavailable("the server does not answer", { cause })
    })
    // The end of this job: the same again fails again.
    if (answer.status === 403) throw new EngineRefused("the server refuses the recording")
    // Everything else spends one of three attempts.
    if (!answer.ok) throw new Error(`the server answered with ${answer.status}`)
    progress(1)
    const text = await answer.text()
    const segments = [{ startMillis: 0, endMillis: durationMillis, text }]
    return { engine: "acme/large", language: language ?? "en", segments }
  }

/** What was said first. A model of language goes here: what was said is data to it. */
export const summarise: Summarise = async ({ transcript, type }) =>
  `${type}: ${transcript.segments[0]?.text ?? "nothing was said"}`
