/** Helpers that open transcripts, correct them as another user, and lengthen them. */
import type { Page } from "playwright-core"
import type { Stage } from "../Stage.ts"
import { goTo } from "../Visit.ts"

interface Long {
  readonly id: string
  readonly segmentCount: number
}

/** Replaces a job's transcript with one that has many segments, each a second long. */
export const lengthen = (page: Page, { id, segmentCount }: Long): Promise<unknown> =>
  page.route(`**/api/v1/transcriptions/${id}`, async (route) => {
    const response = await route.fetch()
    const job = await response.json()
    const list = Array.from({ length: segmentCount }, (_, index) => ({
      start: String(index),
      end: `${index}.9`,
      speaker: "speaker_0",
      text: `Sentence ${index} of the day.`
    }))
    const output = { duration: String(segmentCount), language: "en", list }
    await route.fulfill({ response, body: JSON.stringify({ ...job, output }) })
  })

/** The blocks of the transcript on screen. */
export const said = (page: Page) => page.getByRole("list", { name: "Transcript" })

export const openTranscript = async (page: Page, id: string): Promise<void> => {
  await goTo(page, `/jobs/${id}/transcript`)
  await said(page).waitFor()
}

/** Corrects segments through the API, as another user. */
export const correctElsewhere = (
  { send }: Stage,
  id: string,
  body: ReadonlyArray<object>
): Promise<unknown> => send(`/transcriptions/${id}/segments`, { method: "PATCH", body })

/** The transcript on the server. */
export const textOf = async ({ server }: Stage, id: string): Promise<string> =>
  (await server.request(`/v1/status/${id}/paragraph_text`)).text()
