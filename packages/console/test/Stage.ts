/** One server and one browser for all stories, and what they share. */
import { readFile } from "node:fs/promises"
import type { Browser, Page } from "playwright-core"
import { startBrowser } from "./Chromium.ts"
import { keys, type Server, startServer } from "./Server.ts"
import { type Visitor, visit } from "./Visit.ts"

/** Two seconds of speech. */
const letter = new URL("../../adapters/test/media/letter.wav", import.meta.url)

/** What a story has. */
export interface Stage {
  readonly server: Server
  readonly browser: Browser
  /** Visits the console of the server; with the management key, unless another one is named. */
  readonly visit: (
    story: (page: Page) => Promise<void>,
    visitor?: Partial<Visitor>
  ) => Promise<void>
  /** Hands a recording in, and gives the id of its job. */
  readonly upload: (
    parameters?: Readonly<Record<string, string>>,
    file?: { readonly name: string; readonly bytes?: Uint8Array<ArrayBuffer> }
  ) => Promise<string>
  /** Waits until a job is as wanted. */
  readonly until: (id: string, status: string) => Promise<void>
}

/** Starts server and browser. */
export const openStage = async () => {
  const [server, browser] = await Promise.all([
    startServer({ VERBATIM_KEEP_MEDIA: "on" }),
    startBrowser()
  ])
  const speech = new Uint8Array(await readFile(letter))
  const stage: Stage = {
    server,
    browser,
    visit: (story, visitor = {}) =>
      visit(
        browser,
        { address: `${server.address}/console`, key: keys.management, ...visitor },
        story
      ),
    upload: async (parameters = {}, { bytes = speech, name } = { name: "letter.wav" }) => {
      const form = new FormData()
      for (const [field, value] of Object.entries(parameters)) form.set(field, value)
      form.set("file", new File([bytes], name))
      const answer = await server.request("/v1/transcribe", { method: "POST", body: form })
      const { id }: { readonly id: string } = await answer.json()
      return id
    },
    until: async (id, status) => {
      for (;;) {
        const answer = await server.request(`/v1/status/${id}`)
        const job: { readonly status?: string } = await answer.json()
        if (job.status === status) return
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
  }
  return {
    stage,
    close: async () => {
      await browser.close()
      await server.stop()
    }
  }
}
