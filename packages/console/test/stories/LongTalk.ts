/** A recording that nobody would wait for in a test: what the server says of one is made longer. */
import type { Page } from "playwright-core"

interface Long {
  readonly id: string
  readonly segmentCount: number
}

/** Makes the answer about a job one of as many segments, a second each. */
export const lengthen = (page: Page, { id, segmentCount }: Long): Promise<unknown> =>
  page.route(`**/api/v1/status/${id}`, async (route) => {
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
