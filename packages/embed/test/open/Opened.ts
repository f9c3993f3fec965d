/** An opened Verbatim for a test, with an engine that says how long a recording was. */
import { fileURLToPath } from "node:url"
import { type Engine, type EveryRole, open, type Recognise, type Verbatim } from "@verbatim/embed"
import { onTestFinished } from "vitest"

/** A minute of speech as MP3. */
export const recording = fileURLToPath(
  new URL("../../../../examples/audio/harbour-minute.mp3", import.meta.url)
)

/** Says how long the recording is. */
export const measuring: Recognise = ({ durationMillis }) =>
  Promise.resolve({
    language: "en",
    segments: [{ startMillis: 0, endMillis: durationMillis, text: `${durationMillis} ms` }]
  })

type Chosen = Partial<EveryRole> & { readonly transcribe?: Recognise | Engine }

/** Opens it in memory, unless the test says otherwise, and closes it at its end. */
export const openFor = async (options: Chosen = {}): Promise<Verbatim> => {
  const verbatim = await open({ database: "memory:", transcribe: measuring, ...options })
  onTestFinished(() => verbatim.close())
  return verbatim
}

/** What a promise is rejected with. */
export const rejection = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise
  } catch (fault) {
    return fault
  }
  throw new Error("it was not rejected")
}
