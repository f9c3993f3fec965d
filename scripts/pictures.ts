/**
 * Takes screenshots of all console screens, light and dark, for desktop and phone, from a server
 * with its own jobs. The pictures go into `docs/pictures`.
 */
import { mkdir, writeFile } from "node:fs/promises"
import type { Browser, Page } from "playwright-core"
import { startBrowser } from "../packages/console/test/Chromium.ts"
import { startReceiver } from "../packages/console/test/Receiver.ts"
import { keys, type Server, startServer } from "../packages/console/test/Server.ts"
import { fill, type Subjects } from "./pictures/Subjects.ts"

const root = new URL("../", import.meta.url)
const folder = new URL("docs/pictures/", root)

/** The maximum size of a picture. Larger pictures slow down the page. */
const byteMax = 60_000

const sizes = {
  desk: { width: 1_280, height: 800 },
  phone: { width: 390, height: 780 }
} as const

/** A screen, with its path and an element that shows that it is complete. */
interface Sight {
  readonly name: string
  readonly path: (subjects: Subjects) => string
  readonly seen: string
}

const sights: ReadonlyArray<Sight> = [
  { name: "jobs", path: () => "/jobs", seen: "Transcribing" },
  { name: "job", path: ({ job }) => `/jobs/${job}`, seen: "History" },
  {
    name: "transcript",
    path: ({ transcript }) => `/jobs/${transcript}/transcript`,
    seen: "Good morning."
  },
  { name: "presets", path: () => "/presets", seen: "Minutes of a meeting" },
  { name: "preset", path: ({ preset }) => `/presets/${preset}`, seen: "System prompt" },
  {
    name: "compare",
    path: ({ preset }) => `/presets/${preset}?view=compare&from=1&to=3`,
    seen: "temperature"
  },
  {
    name: "try",
    path: ({ preset }) => `/presets/${preset}?view=try&a=designated&b=latest`,
    seen: "from the preset"
  },
  {
    name: "history",
    path: ({ preset }) => `/presets/${preset}?view=history`,
    seen: "What was served at"
  },
  { name: "work", path: () => "/work", seen: "Speech engine" },
  { name: "workspaces", path: () => "/workspaces", seen: "Harbour office" },
  { name: "workspace", path: ({ workspace }) => `/workspaces/${workspace}`, seen: "By key" },
  { name: "keys", path: () => "/keys", seen: "Upload service" },
  { name: "usage", path: () => "/usage", seen: "minutes charged" }
]

const enter = async (page: Page, server: Server): Promise<void> => {
  await page.goto(`${server.address}/console/`)
  await page.getByLabel("API key").fill(keys.management)
  await page.getByRole("button", { name: "Log in" }).click()
  await page.getByRole("button", { name: "Add an operator key" }).click()
  await page.getByRole("dialog").getByLabel("API key").fill(keys.operator)
  await page.getByRole("dialog").getByRole("button", { name: "Add" }).click()
  await page.getByRole("link", { name: "Workspaces" }).waitFor()
}

/** Lowers the quality until the picture is small enough. */
const qualities = [85, 70, 55, 40]

const take = async (page: Page, name: string): Promise<void> => {
  const session = await page.context().newCDPSession(page)
  for (const quality of qualities) {
    const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality })
    const bytes = Buffer.from(data, "base64")
    if (bytes.length > byteMax && quality !== qualities.at(-1)) continue
    await writeFile(new URL(`${name}.webp`, folder), bytes)
    console.log(`pictures: ${name}.webp ${bytes.length} bytes`)
    return
  }
}

const views = Object.entries(sizes).flatMap(([size, viewport]) =>
  (["light", "dark"] as const).map((colorScheme) => ({ size, viewport, colorScheme }))
)

/**
 * Takes pictures of a screen in all views. The screen is opened separately in each view, because a
 * phone shows less when the screen opens.
 */
const takeViews = async (page: Page, name: string, open: () => Promise<void>): Promise<void> => {
  for (const { colorScheme, size, viewport } of views) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
    await open()
    await page.waitForTimeout(400)
    await take(page, `${name}-${size}-${colorScheme}`)
  }
}

const takeAll = async (browser: Browser, server: Server, subjects: Subjects): Promise<void> => {
  const context = await browser.newContext({ viewport: sizes.desk })
  const page = await context.newPage()
  const address = `${server.address}/console/`
  await takeViews(page, "login", async () => {
    await page.goto(address)
    await page.getByLabel("API key").waitFor()
  })
  await page.setViewportSize(sizes.desk)
  await enter(page, server)
  for (const { name, path, seen } of sights) {
    await page.goto(`${address}#${path(subjects)}`)
    await takeViews(page, name, async () => {
      await page.reload()
      await page.getByText(seen).filter({ visible: true }).first().waitFor()
    })
  }
  await context.close()
}

await mkdir(folder, { recursive: true })
await using receiver = await startReceiver(204)
const [server, browser] = await Promise.all([
  startServer({ VERBATIM_KEEP_MEDIA: "on" }),
  startBrowser()
])
try {
  await takeAll(browser, server, await fill(server, receiver.url))
} finally {
  await browser.close()
  await server.stop()
}
