/** Opens Verbatim for a program's tests: in memory, without ffmpeg or a speech engine. */
import { open } from "@verbatim/embed"

/** Every recording, even an invalid one, gets a transcript with this text. */
export const openForTests = (text: string) =>
  open({
    database: "memory:",
    decoder: "none",
    transcribe: async () => ({ segments: [{ startMillis: 0, endMillis: 1_000, text }] })
  })
