/** Stories about events for the list of jobs, and the requests that they trigger. */
import type { ServerResponse } from "node:http"
import type { Page, Request } from "playwright-core"
import { assert, it } from "vitest"
import { inPieces, startProxy } from "../Proxy.ts"
import type { Stage } from "../Stage.ts"
import { aheadMillis, until } from "../Until.ts"
import { goTo } from "../Visit.ts"
import { isList, makeId, serveJobs } from "./ManyJobs.ts"

/** Several polling intervals for a page that gets no events. */
const longMillis = 12_000

/** A proxy that can add its own events to the server's events. */
const startEventSource = async (address: string) => {
  const listening = new Set<ServerResponse>()
  const proxy = await startProxy(address, {
    passOn: (answer, response) => {
      inPieces(answer, response)
      if (answer.headers["content-type"]?.startsWith("text/event-stream") !== true) return
      listening.add(response)
      response.on("close", () => listening.delete(response))
    }
  })
  return {
    ...proxy,
    /** Sends all events in one chunk. */
    sendEvents: (event: string, ...all: ReadonlyArray<object>): void => {
      const text = all.map((data) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join("")
      for (const response of listening) response.write(text)
    }
  }
}

/** Longer than the page spends collecting events. */
const gapMillis = 300

/**
 * Returns whether a URL requests a page of the list. Other requests count the jobs with a status.
 */
const isPage = (url: string): boolean =>
  isList(new URL(url)) && !new URL(url).searchParams.has("status")

const isJob = (url: string): boolean => /\/v1\/(?:status|transcriptions)\/[0-9a-f-]{36}/.test(url)

/** Counts the requests for jobs, and how many are still pending. */
const countRequests = (page: Page) => {
  const requests = { lists: 0, jobs: 0, open: 0 }
  page.on("request", (request) => {
    if (isPage(request.url())) requests.lists += 1
    if (isJob(request.url())) requests.jobs += 1
    if (isPage(request.url())) requests.open += 1
  })
  const close = (request: Request): void => {
    if (isPage(request.url())) requests.open -= 1
  }
  page.on("requestfinished", close)
  // An outdated read is aborted.
  page.on("requestfailed", close)
  return requests
}

/** Opens the list with a test clock, and waits until the list is subscribed and refreshed. */
const openList = async (page: Page): Promise<ReturnType<typeof countRequests>> => {
  await goTo(page, "/presets")
  await page.getByRole("heading", { name: "Presets", exact: true }).waitFor()
  await page.clock.install()
  const requests = countRequests(page)
  const listening = page.waitForResponse(/\/transcriptions\/events/)
  await goTo(page, "/jobs")
  await listening
  // The list is refreshed at the start, and again once the subscription works.
  await until(() => requests.lists >= 2 && requests.open === 0)
  return requests
}

const jobCount = 400

/** Scrolls to the end, and returns the oldest job's row. */
const readToEnd = async (page: Page) => {
  const last = page.getByRole("listitem").filter({ hasText: "Call 1 of many" })
  await until(async () => {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    return (await last.count()) === 1
  })
  return last
}

export const liveList = (stage: () => Stage): void => {
  it("shows the progress of a job and its pieces without further requests", async () => {
    const { engine } = stage().server
    await using proxy = await startEventSource(stage().server.address)
    engine.hold()
    const id = await stage().upload({ callback_id: "how far" })
    await stage().until(id, "IN_PROGRESS")
    await stage().visitAs({ address: `${proxy.address}/console` }, async (page) => {
      const requests = await openList(page)
      const row = page.getByRole("listitem").filter({ hasText: "how far" })
      await row.getByText("Transcribing").waitFor()
      // From here on, the clock is paused, however slow the machine is.
      await page.clock.pauseAt(Date.now() + aheadMillis)
      const { lists } = requests
      /** Sends progress repeatedly, because the engine reports its start only once. */
      const shows = (progress: number) =>
        until(async () => {
          proxy.sendEvents("progress", { id, progress })
          await page.clock.runFor(gapMillis)
          const bar = row.getByRole("progressbar")
          return (await bar.count()) === 1 && (await bar.getAttribute("value")) === `${progress}`
        })
      await shows(0.25)
      const at = new Date().toISOString()
      const piece = { id, revision: 9, at, about: "transcription", event: "piece_recognised" }
      proxy.sendEvents("event", ...Array.from({ length: 300 }, () => piece))
      await page.clock.runFor(longMillis)
      await shows(0.75)
      assert.deepStrictEqual(requests, { lists, jobs: 0, open: 0 })
      engine.release()
      await page.clock.resume()
      await row.getByText("Completed").waitFor()
      assert.strictEqual(requests.jobs, 0)
    })
  })

  it("removes a deleted job even if the deletion event was lost", async () => {
    await using proxy = await startEventSource(stage().server.address)
    await stage().visitAs({ address: `${proxy.address}/console` }, async (page) => {
      const { gone } = await serveJobs(page, jobCount)
      await openList(page)
      const last = await readToEnd(page)
      gone.add(makeId(1))
      proxy.sendEvents("reset", {})
      await last.waitFor({ state: "detached" })
    })
  })
}
