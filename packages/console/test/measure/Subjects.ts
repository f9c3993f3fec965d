/** What is long: ten thousand jobs, and a transcript of ten hours, in the words of the API. */
import type { Page } from "playwright-core"

/** Jobs of a list. */
export const jobCount = 10_000

/** As many as the page asks for at a time. */
const pageMax = 100

const statuses = ["COMPLETED", "WEBHOOK_DELIVERED", "FAILED"] as const

const makeJob = (index: number, model: object): object => {
  const place = (jobCount - index).toString(16).padStart(12, "0")
  const status = statuses[index % statuses.length]
  return {
    ...model,
    id: `01900000-0000-7000-8000-${place}`,
    callback_id: `Call ${jobCount - index} of the harbour office`,
    status,
    transcription_status: status === "FAILED" ? "FAILED" : "TRANSCRIBED"
  }
}

/** Makes the list of jobs as long as that: each is like one that the server has made. */
export const serveJobs = (page: Page, model: object): Promise<unknown> =>
  page.route("**/api/v1/transcriptions?*", (route) => {
    const query = new URL(route.request().url()).searchParams
    if (query.has("callback_id")) return route.fulfill({ json: { data: [], next_cursor: null } })
    const from = Number(query.get("cursor") ?? 0)
    const data = Array.from({ length: pageMax }, (_, index) => makeJob(from + index, model))
    const next = from + pageMax < jobCount ? String(from + pageMax) : null
    return route.fulfill({ json: { data, next_cursor: next } })
  })

/** Ten hours, of which each sentence takes three seconds: a hundred thousand words. */
const hours = 10
const sentenceSeconds = 3
const sentenceCount = (hours * 3_600) / sentenceSeconds

/** Somebody speaks for a minute, then the other one. */
const turnSentences = 20

const sentences = [
  "We met at the harbour at nine, and the crane was late again.",
  "Nobody has told the office about it.",
  "The second ship brings timber, and it needs the long berth.",
  "Then we leave on Friday, if the wind lets us."
]

/** Makes the answer about a job as long as ten hours of speech. */
export const serveTranscript = (page: Page, id: string): Promise<unknown> =>
  page.route(`**/api/v1/status/${id}`, async (route) => {
    const response = await route.fetch()
    const job = await response.json()
    const list = Array.from({ length: sentenceCount }, (_, index) => ({
      start: String(index * sentenceSeconds),
      end: `${index * sentenceSeconds + 2}.8`,
      speaker: `speaker_${Math.floor(index / turnSentences) % 2}`,
      text: `${sentences[index % sentences.length]} ${index}.`
    }))
    const output = { duration: String(hours * 3_600), language: "en", list }
    await route.fulfill({ response, body: JSON.stringify({ ...job, output }) })
  })
