/**
 * What the page weighs, how soon one can use it, and how long it stands still: sizes by file, the
 * first screens on a processor that is slowed down four times, and the longest tasks among ten
 * thousand jobs and in a transcript of ten hours. `npm run bench console` runs it.
 */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { bundle, destination } from "../../bundle/Bundle.ts"
import { startBrowser } from "../Chromium.ts"
import { keys, type Server, startServer } from "../Server.ts"
import { logIn } from "../Visit.ts"
import { noteLongTasks, type Step, slowDown, step } from "./LongTasks.ts"
import { jobCount, serveJobs, serveTranscript } from "./Subjects.ts"

/** As slow as a cheap phone. */
const slowRate = 4

/** What people still take for at once. */
const taskMillisMax = 100

const visitCount = 5

const letter = new URL("../../../adapters/test/media/letter.wav", import.meta.url)

const size = { width: 1_280, height: 800 } as const

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0

const show = (rows: ReadonlyArray<object>): void => console.table(rows)

const lengthOf = async (name: string): Promise<number> =>
  (await readFile(join(destination, name)).catch(() => Buffer.alloc(0))).length

const tellSizes = async (): Promise<void> => {
  const names = await bundle()
  const document = await readFile(join(destination, "index.html"), "utf8")
  const rows = await Promise.all(
    names.map(async (file) => {
      const raw = await lengthOf(file)
      const gzip = (await lengthOf(`${file}.gz`)) || raw
      const isFirst = file === "index.html" || document.includes(file)
      return { file, raw, gzip, loaded: isFirst ? "at once" : "when it is wanted" }
    })
  )
  const sum = (of: "gzip" | "raw", some: typeof rows) =>
    some.reduce((total, row) => total + row[of], 0)
  const first = rows.filter(({ loaded }) => loaded === "at once")
  show(rows.toSorted((one, other) => other.gzip - one.gzip))
  console.log(`first screen: ${sum("raw", first)} bytes, ${sum("gzip", first)} compressed`)
  console.log(`all of it: ${sum("raw", rows)} bytes, ${sum("gzip", rows)} compressed`)
}

const open = async (browser: Browser): Promise<Page> => {
  const context = await browser.newContext({ viewport: size })
  const page = await context.newPage()
  await noteLongTasks(page)
  return page
}

/** The time of the page when what matches is there and the main thread is free for it. */
const usableAfter = (page: Page, selector: string): Promise<number> =>
  page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const look = (): void => {
          if (document.querySelector(wanted) === null) return void requestAnimationFrame(look)
          // Behind what is still to be drawn and run.
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
        }
        look()
      }),
    selector
  )

const tellFirstScreens = async (browser: Browser, server: Server): Promise<void> => {
  const login: Array<number> = []
  const jobs: Array<number> = []
  const standing: Array<number> = []
  for (let visit = 0; visit < visitCount; visit += 1) {
    const page = await open(browser)
    await slowDown(page, slowRate)
    await page.goto(`${server.address}/console/`)
    login.push(await usableAfter(page, "input[name=key]:focus"))
    await logIn(page, keys.management)
    const first = await step(page, "reload", async () => {
      await page.reload()
      jobs.push(await usableAfter(page, "ol.virtual a[href]"))
    })
    standing.push(first.longestMillis)
    await page.context().close()
  }
  const toRow = (screen: string, values: ReadonlyArray<number>) => ({
    screen,
    "median, ms": Math.round(median(values)),
    "longest, ms": Math.round(Math.max(...values))
  })
  console.log(`\nuntil a screen can be used, on a processor ${slowRate} times as slow`)
  show([toRow("a stranger's: the key", login), toRow("the jobs", jobs)])
  console.log(`longest task on the way to the jobs: ${Math.round(median(standing))} ms`)
}

const scrollDown = async (page: Page, times: number): Promise<void> => {
  for (let turn = 0; turn < times; turn += 1) {
    await page.mouse.wheel(0, 700)
    await page.waitForTimeout(40)
  }
}

const jump = (page: Page, share: number): Promise<void> =>
  page.evaluate((to) => scrollTo(0, to * document.body.scrollHeight), share)

const scrollAround = async (page: Page): Promise<void> => {
  await page.mouse.move(400, 500)
  await scrollDown(page, 30)
  for (const share of [0.5, 0.1, 0.9, 0]) {
    await jump(page, share)
    await page.waitForTimeout(150)
  }
}

const fetchAll = async (page: Page): Promise<void> => {
  for (;;) {
    await jump(page, 1)
    const size = await page.locator("ol.virtual li").first().getAttribute("aria-setsize")
    if (Number(size) === jobCount) return
  }
}

const measureJobs = async (page: Page): Promise<ReadonlyArray<Step>> => {
  const field = page.getByPlaceholder("Name, file or id")
  await page.reload()
  await page.locator("ol.virtual a[href]").first().waitFor()
  return [
    await step(page, "fetch 10,000 jobs", () => fetchAll(page)),
    await step(page, "scroll", () => scrollAround(page)),
    await step(page, "look for a name", async () => {
      await field.pressSequentially("call 77", { delay: 60 })
      await page.waitForTimeout(600)
    }),
    await step(page, "end the search", () => field.fill("")),
    await step(page, "choose a status", async () => {
      await page.locator("select.select").first().selectOption("FAILED")
      await page.waitForTimeout(600)
    }),
    await step(page, "every status again", async () => {
      await page.locator("select.select").first().selectOption("")
      await page.waitForTimeout(600)
    })
  ]
}

const measureTranscript = async (page: Page, id: string): Promise<ReadonlyArray<Step>> => {
  const field = page.getByPlaceholder(/search|find/i).first()
  return [
    await step(page, "open ten hours", async () => {
      await page.evaluate((to) => {
        location.hash = `/jobs/${to}/transcript`
      }, id)
      await page.locator("[data-block]").first().waitFor()
      await page.waitForTimeout(500)
    }),
    await step(page, "scroll", () => scrollAround(page)),
    await step(page, "search", async () => {
      await field.pressSequentially("harbour", { delay: 60 })
      await page.waitForTimeout(600)
    }),
    await step(page, "from hit to hit", async () => {
      for (let hit = 0; hit < 10; hit += 1) await field.press("Enter", { delay: 30 })
    }),
    await step(page, "end the search", () => field.fill("")),
    await step(page, "open an editor", async () => {
      await jump(page, 0.5)
      await page.waitForTimeout(200)
      await page
        .getByRole("button", { name: /^Correct / })
        .first()
        .click()
      await page.locator("textarea").first().waitFor()
    }),
    await step(page, "write in it", () =>
      page.locator("textarea").first().pressSequentially("The crane is here.", { delay: 30 })
    )
  ]
}

const upload = async (server: Server): Promise<string> => {
  const form = new FormData()
  form.set("file", new File([new Uint8Array(await readFile(letter))], "letter.wav"))
  const answer = await server.request("/v1/transcribe", { method: "POST", body: form })
  const { id }: { readonly id: string } = await answer.json()
  for (;;) {
    const status = await server.request(`/v1/status/${id}`)
    const job: { readonly status: string } = await status.json()
    if (job.status === "COMPLETED") return id
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const modelOf = async (server: Server): Promise<object> => {
  const answer = await server.request("/v1/transcriptions?limit=1")
  const { data }: { readonly data: ReadonlyArray<object> } = await answer.json()
  return data[0] ?? {}
}

const tellLongTasks = async (browser: Browser, server: Server, id: string): Promise<boolean> => {
  const rows: Array<object> = []
  let isOver = false
  for (const rate of [1, slowRate]) {
    const page = await open(browser)
    await page.goto(`${server.address}/console/`)
    await logIn(page, keys.management)
    await slowDown(page, rate)
    await serveJobs(page, await modelOf(server))
    await serveTranscript(page, id)
    const ofJobs = await measureJobs(page)
    const ofTranscript = await measureTranscript(page, id)
    await page.context().close()
    const named = [
      ...ofJobs.map((each) => ({ where: "10,000 jobs", ...each })),
      ...ofTranscript.map((each) => ({ where: "10 hours", ...each }))
    ]
    for (const { longCount, longestMillis, what, where } of named) {
      isOver ||= rate === 1 && longestMillis > taskMillisMax
      const longest = longestMillis === 0 ? "below 50" : Math.round(longestMillis)
      rows.push({ processor: `1/${rate}`, where, what, "longest, ms": longest, longCount })
    }
  }
  console.log("\nthe longest task of the main thread, and how many took more than 50 ms")
  show(rows)
  return isOver
}

await tellSizes()
const [server, browser] = await Promise.all([startServer(), startBrowser()])
try {
  const id = await upload(server)
  await tellFirstScreens(browser, server)
  if (await tellLongTasks(browser, server, id)) {
    console.error(`A task took longer than ${taskMillisMax} ms`)
    process.exitCode = 1
  }
} finally {
  await browser.close()
  await server.stop()
}
