/** What the list of jobs hears, and what it asks for because of it. */
import type { ServerResponse } from "node:http"
import type { Page } from "playwright-core"
import { assert, it } from "vitest"
import { inPieces, startProxy } from "../Proxy.ts"
import type { Stage } from "../Stage.ts"
import { aheadMillis, until } from "../Until.ts"
import { goTo } from "../Visit.ts"
import { isList, makeId, serveJobs } from "./ManyJobs.ts"

/** Many of the times at which a page asks that is told nothing. */
const longMillis = 12_000

/** A proxy that says more to whoever listens than the server does. */
const startTeller = async (address: string) => {
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
    /** Sends all of it at once, as it would come to a page that is not slow. */
    tell: (event: string, ...all: ReadonlyArray<object>): void => {
      const text = all.map((data) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join("")
      for (const response of listening) response.write(text)
    }
  }
}

/** Longer than the page gathers what it hears. */
const gapMillis = 300

const isJob = (url: string): boolean => /\/v1\/(?:status|transcriptions)\/[0-9a-f-]{36}/.test(url)

/** Counts what is asked about jobs, and how much of it has no answer yet. */
const countAsked = (page: Page) => {
  const asked = { lists: 0, jobs: 0, open: 0 }
  page.on("request", (request) => {
    if (isList(new URL(request.url()))) asked.lists += 1
    if (isJob(request.url())) asked.jobs += 1
    if (isList(new URL(request.url()))) asked.open += 1
  })
  page.on("requestfinished", (request) => {
    if (isList(new URL(request.url()))) asked.open -= 1
  })
  return asked
}

/** Opens the list with timers of the test, and waits until it listens and has looked. */
const openList = async (page: Page): Promise<ReturnType<typeof countAsked>> => {
  await goTo(page, "/presets")
  await page.getByRole("heading", { name: "Presets", exact: true }).waitFor()
  await page.clock.install()
  const asked = countAsked(page)
  const listening = page.waitForResponse(/\/transcriptions\/events/)
  await goTo(page, "/jobs")
  await listening
  // At first, and when somebody tells what happens from then on.
  await until(() => asked.lists >= 2 && asked.open === 0)
  return asked
}

const jobCount = 400

const pageSize = 100

/** The row of the oldest job, once somebody has read on as far as there. */
const readToEnd = async (page: Page) => {
  const last = page.getByRole("listitem").filter({ hasText: "Call 1 of many" })
  await until(async () => {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    return (await last.count()) === 1
  })
  return last
}

export const news = (stage: () => Stage): void => {
  it("shows how far an engine is, and asks for no status while it works", async () => {
    const { engine } = stage().server
    await using proxy = await startTeller(stage().server.address)
    engine.hold()
    const id = await stage().upload({ callback_id: "how far" })
    await stage().until(id, "IN_PROGRESS")
    await stage().visit(
      async (page) => {
        const asked = await openList(page)
        const row = page.getByRole("listitem").filter({ hasText: "how far" })
        await row.getByText("Transcribing").waitFor()
        // From here on the page has no other time, however slow this machine is.
        await page.clock.pauseAt(Date.now() + aheadMillis)
        const { lists } = asked
        /** Told again and again, because the engine tells of a beginning once. */
        const shows = (progress: number) =>
          until(async () => {
            proxy.tell("progress", { id, progress })
            await page.clock.runFor(gapMillis)
            const bar = row.getByRole("progressbar")
            return (await bar.count()) === 1 && (await bar.getAttribute("value")) === `${progress}`
          })
        await shows(0.25)
        await page.clock.runFor(longMillis)
        await shows(0.75)
        assert.deepStrictEqual(asked, { lists, jobs: 0, open: 0 })
        engine.release()
        await page.clock.resume()
        await row.getByText("Completed").waitFor()
        assert.strictEqual(asked.jobs, 0)
      },
      { address: `${proxy.address}/console` }
    )
  })

  it("loses what is over and was deleted, where that cannot be told", async () => {
    await using proxy = await startTeller(stage().server.address)
    await stage().visit(
      async (page) => {
        const { gone } = await serveJobs(page, jobCount)
        await openList(page)
        const last = await readToEnd(page)
        gone.add(makeId(1))
        proxy.tell("reset", {})
        await last.waitFor({ state: "detached" })
      },
      { address: `${proxy.address}/console` }
    )
  })

  it("asks for pages and not for jobs, however many of them change", async () => {
    await using proxy = await startTeller(stage().server.address)
    await stage().visit(
      async (page) => {
        const { waiting } = await serveJobs(page, jobCount)
        // The oldest come first.
        const ids = Array.from({ length: jobCount - pageSize }, (_, index) => makeId(index + 1))
        for (const id of ids) waiting.add(id)
        const asked = await openList(page)
        const last = await readToEnd(page)
        await last.getByText("Queued").waitFor()
        await until(() => asked.open === 0)
        const { lists } = asked
        waiting.clear()
        const at = "2025-01-02T03:04:05.678Z"
        const news = { revision: 2, at, about: "transcription", event: "done" }
        proxy.tell("event", ...ids.map((id) => ({ id, ...news })))
        await last.getByText("Completed").waitFor()
        assert.strictEqual(asked.jobs, 0)
        // Of the newest page and three more, once or twice, as the news is heard.
        assert.isAtMost(asked.lists - lists, 8)
      },
      { address: `${proxy.address}/console` }
    )
  })
}
