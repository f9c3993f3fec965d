/** A list of more jobs than anybody would hand in for a story. */
import type { Page } from "playwright-core"

/** The id of a job by its number. */
export const makeId = (place: number): string =>
  `01900000-0000-7000-8000-${place.toString(16).padStart(12, "0")}`

/** Whether it is the address of the list. */
export const isList = (url: URL): boolean => /\/v1\/transcriptions$/.test(url.pathname)

/** Answers for the list, until it is said to be longer, or some of it to be waiting or gone. */
export const serveJobs = async (page: Page, count: number, pageSize = 100) => {
  const served = { count, waiting: new Set<string>(), gone: new Set<string>() }
  await page.route(isList, (route) => {
    const { searchParams } = new URL(route.request().url())
    const cursor = searchParams.get("cursor") ?? makeId(served.count + 1)
    const ids = Array.from({ length: served.count }, (_, index) => makeId(served.count - index))
      .filter((id) => id < cursor && !served.gone.has(id))
      .slice(0, pageSize)
    const last = ids.at(-1) ?? ""
    const data = ids.map((id) => {
      const status = served.waiting.has(id) ? "IN_QUEUE" : "COMPLETED"
      const callback_id = `Call ${Number.parseInt(id.slice(-12), 16)} of many`
      return { id, callback_id, status, transcription_status: status }
    })
    return route.fulfill({ json: { data, next_cursor: last > makeId(1) ? last : null } })
  })
  return served
}
