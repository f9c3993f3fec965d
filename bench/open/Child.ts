/** Opens Verbatim once in a separate process, and reports the times. */
import { open } from "@verbatim/embed"

/**
 * The times in milliseconds until the package was imported and until it was open, and the processor
 * time.
 */
export interface Opening {
  readonly imported: number
  readonly opened: number
  readonly cpu: number
}

const [, , database = "memory:", media = "media"] = process.argv

const imported = performance.now()
const verbatim = await open({
  database,
  media,
  transcribe: async () => ({ language: "en", segments: [] })
})
const opened = performance.now() - imported
const { system, user } = process.cpuUsage()
const opening: Opening = { imported, opened, cpu: (system + user) / 1_000 }
process.send?.(opening)
await verbatim.close()
process.disconnect()
