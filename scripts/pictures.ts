/**
 * Pictures of every screen of the console, light and dark, for a desk and for a phone, made from a
 * server with jobs of its own. They go into `docs/pictures`.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises"
import type { Browser, Page } from "playwright-core"
import { startBrowser } from "../packages/console/test/Chromium.ts"
import { startReceiver } from "../packages/console/test/Receiver.ts"
import { keys, type Server, startServer } from "../packages/console/test/Server.ts"

const root = new URL("../", import.meta.url)
const folder = new URL("docs/pictures/", root)

/** A picture that is larger weighs on everybody who reads the page. */
const byteMax = 60_000

const sizes = {
  desk: { width: 1_280, height: 800 },
  phone: { width: 390, height: 780 }
} as const

/** What a server has whose screens are worth a look. */
interface Subjects {
  readonly job: string
  readonly workspace: string
}

/** A screen: where it is, and what is there when it is all there. */
interface Sight {
  readonly name: string
  readonly path: (subjects: Subjects) => string
  readonly seen: string
}

const sights: ReadonlyArray<Sight> = [
  { name: "jobs", path: () => "/jobs", seen: "Transcribing" },
  { name: "job", path: ({ job }) => `/jobs/${job}`, seen: "The way it took" },
  { name: "work", path: () => "/work", seen: "Speech engine" },
  { name: "workspaces", path: () => "/workspaces", seen: "Harbour office" },
  { name: "workspace", path: ({ workspace }) => `/workspaces/${workspace}`, seen: "By key" },
  { name: "keys", path: () => "/keys", seen: "Upload service" },
  { name: "usage", path: () => "/usage", seen: "minutes charged" }
]

const recording = await readFile(new URL("examples/audio/harbour-minute.mp3", root))
const meeting = await readFile(new URL("examples/audio/harbour-meeting.txt", root), "utf8")

const json = { "content-type": "application/json" }

const post = async <Answer>(server: Server, path: string, body: unknown, key?: string) => {
  const init = { method: "POST", headers: json, body: JSON.stringify(body) }
  const answer = await server.request(path, init, key)
  return (await answer.json()) as Answer
}

const upload = async (
  server: Server,
  parameters: Readonly<Record<string, string>>,
  bytes = recording
): Promise<string> => {
  const form = new FormData()
  for (const [name, value] of Object.entries(parameters)) form.set(name, value)
  form.set("file", new File([new Uint8Array(bytes)], "meeting.mp3"))
  const answer = await server.request("/v1/transcribe", { method: "POST", body: form })
  return ((await answer.json()) as { readonly id: string }).id
}

const until = async (server: Server, id: string, statuses: ReadonlyArray<string>) => {
  for (;;) {
    const answer = await server.request(`/v1/status/${id}`)
    const { status } = (await answer.json()) as { readonly status: string }
    if (statuses.includes(status)) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Fills a server: jobs in every state, a second workspace, and a key with a name. */
const fill = async (server: Server, receiver: string): Promise<Subjects> => {
  server.engine.say(meeting.split("\n").filter((line) => line.trim() !== ""))
  const over: Array<string> = []
  for (const name of ["Board meeting, 4 May", "Interview with the harbour master", "Call 2291"]) {
    const parameters = { callback_id: name, callback_url: receiver, summary: "brief" }
    over.push(await upload(server, parameters))
  }
  over.push(await upload(server, { callback_id: "Voice memo" }, Buffer.from("not a recording")))
  for (const id of over) await until(server, id, ["WEBHOOK_DELIVERED", "COMPLETED", "FAILED"])
  await post(server, "/v1/keys", { kind: "inference", name: "Upload service" })
  const { data } = await post<{ readonly data: { readonly id: string } }>(
    server,
    "/v1/workspaces",
    { name: "Harbour office", external_id: "customer-42", limits: { unfinished_jobs: 50 } },
    keys.operator
  )
  await post(server, `/v1/workspaces/${data.id}/credits`, { minutes: 600 }, keys.operator)
  const order = { kind: "management", name: "Office" }
  await post(server, `/v1/workspaces/${data.id}/keys`, order, keys.operator)
  server.engine.hold()
  for (const name of ["Town hall, part 1", "Town hall, part 2", "Podcast 118", "Lecture 7"]) {
    await upload(server, { callback_id: name })
  }
  return { job: over[0] ?? "", workspace: data.id }
}

const enter = async (page: Page, server: Server): Promise<void> => {
  await page.goto(`${server.address}/console/`)
  await page.getByLabel("API key").fill(keys.management)
  await page.getByRole("button", { name: "Log in" }).click()
  await page.getByRole("button", { name: "Add an operator key" }).click()
  await page.getByRole("dialog").getByLabel("API key").fill(keys.operator)
  await page.getByRole("dialog").getByRole("button", { name: "Add" }).click()
  await page.getByRole("link", { name: "Workspaces" }).waitFor()
}

/** Worse until it is small enough. */
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

const takeAll = async (browser: Browser, server: Server, subjects: Subjects): Promise<void> => {
  const context = await browser.newContext({ viewport: sizes.desk })
  const page = await context.newPage()
  await page.goto(`${server.address}/console/`)
  await page.getByLabel("API key").waitFor()
  const views = Object.entries(sizes).flatMap(([size, viewport]) =>
    (["light", "dark"] as const).map((colorScheme) => ({ size, viewport, colorScheme }))
  )
  const show = async (name: string): Promise<void> => {
    for (const { colorScheme, size, viewport } of views) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
      await page.waitForTimeout(400)
      await take(page, `${name}-${size}-${colorScheme}`)
    }
  }
  await show("login")
  await page.setViewportSize(sizes.desk)
  await enter(page, server)
  for (const { name, path, seen } of sights) {
    await page.goto(`${server.address}/console/#${path(subjects)}`)
    await page.getByText(seen).filter({ visible: true }).first().waitFor()
    await show(name)
  }
  await context.close()
}

await mkdir(folder, { recursive: true })
await using receiver = await startReceiver(204)
const [server, browser] = await Promise.all([startServer(), startBrowser()])
try {
  await takeAll(browser, server, await fill(server, receiver.url))
} finally {
  await browser.close()
  await server.stop()
}
