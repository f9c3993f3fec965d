/** Serves a list of many jobs. */
import type { Page } from "playwright-core"

/** Returns the id of the job with the given number. */
export const makeId = (number: number): string =>
  `01900000-0000-7000-8000-${number.toString(16).padStart(12, "0")}`

/** Whether a URL requests the list of jobs. */
export const isList = (url: URL): boolean => /\/v1\/transcriptions$/.test(url.pathname)

/** Responds to requests for the list. A story can add and mark jobs. */
export const serveJobs = async (page: Page, count: number, pageSize = 100) => {
  const ids = { waiting: new Set<string>(), failed: new Set<string>(), gone: new Set<string>() }
  const served = { count, ...ids }
  await page.route(isList, (route) => {
    const { searchParams } = new URL(route.request().url())
    const cursor = searchParams.get("cursor") ?? makeId(served.count + 1)
    const ids = Array.from({ length: served.count }, (_, index) => makeId(served.count - index))
      .filter((id) => id < cursor && !served.gone.has(id))
      .slice(0, pageSize)
    const last = ids.at(-1) ?? ""
    const data = ids.map((id) => {
      const ended = served.failed.has(id) ? "FAILED" : "COMPLETED"
      const status = served.waiting.has(id) ? "IN_QUEUE" : ended
      const callback_id = `Call ${Number.parseInt(id.slice(-12), 16)} of many`
      return { id, callback_id, status, transcription_status: status }
    })
    return route.fulfill({ json: { data, next_cursor: last > makeId(1) ? last : null } })
  })
  return served
}
