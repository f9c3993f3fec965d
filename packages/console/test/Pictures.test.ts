/**
 * Compares pictures of eight screens, three of which are also narrow and dark, with the pictures in
 * the folder `pictures`. The data is real, but all timestamps are the same, and a font draws each
 * character as a box, so that a picture shows the layout and the colours, but no text.
 */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import type { components } from "@verbatim/client"
import type { BrowserContext, Page, Route } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { isPinned } from "./Chromium.ts"
import { keys } from "./Server.ts"
import { makeWav } from "./Sound.ts"
import { onStage, type Stage } from "./Stage.ts"
import { until } from "./Until.ts"
import { addOperatorKey, logIn, openContext } from "./Visit.ts"

/** `VERBATIM_PICTURES=write` replaces the pictures. */
const isWriting = process.env.VERBATIM_PICTURES === "write"

const references = new URL("pictures/", import.meta.url)

const font = new URL("block.ttf", references)

/** The folder for the pictures of failed comparisons. Git ignores the folder. */
const failures = new URL("../../../.cache/pictures/", import.meta.url)

/** Another processor can change a colour channel, from 0 to 255, by up to this much. */
const channelMax = 4

/** Maximum number of pixels whose colours differ by more. */
const pixelMax = 20

/** The time of everything that happened on the server, and the current time. */
const [past, present] = [new Date("2026-03-02T10:00:00Z"), new Date("2026-03-02T12:00:00Z")]

/** Queue counts that the server would need many minutes to record. */
const counts: ReadonlyArray<components["schemas"]["QueueSample"]> = [3, 5, 4, 9, 8, 2].map(
  (due, index) => ({
    at: new Date(past.getTime() - (6 - index) * 120_000).toISOString(),
    due,
    later: 0,
    leased: due % 4
  })
)

const hours: ReadonlyArray<components["schemas"]["EndedJobs"]> = [30, 0, 18, 42].map(
  (completed, index) => ({
    from: new Date(past.getTime() - (3 - index) * 3_600_000).toISOString(),
    completed,
    failed: index
  })
)

/** Replaces everything in a response that differs between two test runs. */
const fix = async (route: Route): Promise<void> => {
  const request = route.request()
  const headers = { date: present.toUTCString() }
  if (request.resourceType() !== "fetch") return route.fallback()
  if (request.url().endsWith("/events")) {
    return route.fulfill({ contentType: "text/event-stream", body: ":\n\n", headers })
  }
  if (request.url().endsWith("/work/history")) {
    return route.fulfill({ json: { data: counts }, headers })
  }
  const response = await route.fetch()
  const body = (await response.text())
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, past.toISOString())
    .replace(/"hours":\[[^\]]*\]/, `"hours":${JSON.stringify(hours)}`)
    // A worker's name consists of the host, the process and the version.
    .replace(/"name":"[^"]* \d+ \([\d.]+\)"/g, '"name":"worker 1 (1.0.0)"')
  return route.fulfill({ response, body, headers: { ...response.headers(), ...headers } })
}

/** Draws each character as a box of half its height; runs in the browser. */
const useFont = (font: string): void => {
  const bytes = Uint8Array.from(atob(font), (char) => char.charCodeAt(0))
  document.fonts.add(new FontFace("Block", bytes))
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(
    `*, ::before, ::after, ::file-selector-button { font-family: Block !important }`
  )
  document.adoptedStyleSheets = [sheet]
}

/** Counts the pixels that differ, and draws them in red. This function runs in the browser. */
const compare = async (given: {
  readonly pictures: ReadonlyArray<string>
  readonly channelMax: number
}) => {
  const images = given.pictures.map((png) => {
    const image = new Image()
    image.src = `data:image/png;base64,${png}`
    return image
  })
  for (const image of images) await image.decode()
  const canvas = document.createElement("canvas")
  canvas.width = Math.max(...images.map(({ width }) => width))
  canvas.height = Math.max(...images.map(({ height }) => height))
  const context = canvas.getContext("2d", { willReadFrequently: true })
  if (context === null) throw new Error("this browser has no canvas")
  const size = [0, 0, canvas.width, canvas.height] as const
  const [expected, actual] = images.map((image) => {
    context.clearRect(...size)
    context.drawImage(image, 0, 0)
    return context.getImageData(...size).data
  })
  if (expected === undefined || actual === undefined) throw new Error("two pictures are needed")
  context.globalAlpha = 0.8
  context.fillStyle = "white"
  context.fillRect(...size)
  context.globalAlpha = 1
  context.fillStyle = "red"
  let count = 0
  for (let at = 0; at < actual.length; at += 4) {
    const isEqual = [at, at + 1, at + 2, at + 3].every(
      (channel) => Math.abs((actual[channel] ?? 0) - (expected[channel] ?? 0)) <= given.channelMax
    )
    if (isEqual) continue
    count += 1
    context.fillRect((at / 4) % canvas.width, Math.floor(at / 4 / canvas.width), 1, 1)
  }
  return { count, drawn: canvas.toDataURL().replace(/^.*,/, "") }
}

/** Compares two pictures in an empty page of the browser. */
const comparePictures = async (context: BrowserContext, pictures: readonly [Buffer, Buffer]) => {
  const blank = await context.newPage()
  const given = pictures.map((each) => each.toString("base64"))
  const result = await blank.evaluate(compare, { pictures: given, channelMax })
  await blank.close()
  return result
}

/** Takes pictures of the whole page until two are equal. */
const takePicture = async (page: Page): Promise<Buffer> => {
  // The mask hides the player's controls, which the browser draws in its own font.
  const mask = [page.locator("audio[controls]")]
  const take = (): Promise<Buffer> => page.screenshot({ fullPage: true, mask })
  let picture = await take()
  await until(async () => {
    const before = picture
    picture = await take()
    return before.equals(picture)
  })
  return picture
}

/** Asserts that a picture is unchanged, or stores a new picture. */
const check = async (page: Page, name: string): Promise<void> => {
  const picture = await takePicture(page)
  const reference = new URL(`${name}.png`, references)
  if (isWriting) return writeFile(reference, picture)
  const { count, drawn } = await comparePictures(page.context(), [
    await readFile(reference),
    picture
  ])
  if (count <= pixelMax) return
  await mkdir(failures, { recursive: true })
  await writeFile(new URL(`${name}.png`, failures), picture)
  await writeFile(new URL(`${name}.difference.png`, failures), drawn, "base64")
  const path = fileURLToPath(new URL(name, failures))
  assert.fail(
    `${count} pixels of ${name} differ: see ${path}.difference.png and ${path}.png. ` +
      "VERBATIM_PICTURES=write replaces the expected pictures."
  )
}

/** Creates jobs in four states, and presets. Returns the ids of the jobs that have ended. */
const prepare = async (stage: Stage) => {
  const { send, server, upload } = stage
  const sound = makeWav(16, (at) => Math.sin(at * 2_000) * Math.abs(Math.sin(at)))
  const transcribe = (callback_id: string) =>
    upload({ callback_id }, { name: "meeting.wav", bytes: sound })
  const done = await transcribe("Harbour meeting")
  await stage.until(done, "COMPLETED")
  server.engine.refuse("The layout is odd")
  const failed = await transcribe("Odd recording")
  await stage.until(failed, "FAILED")
  server.engine.refuse()
  const model = "openai/gpt-5-mini"
  for (const [index, tone] of ["brief", "friendly"].entries()) {
    const instructions = `You answer customers.\n\nBe ${tone}.\nNever promise a refund.`
    const body = { model, instructions, temperature: 0.2 + index / 2 }
    await send("/presets/support/responses", { body })
  }
  await send("/presets/summaries/responses", { body: { model } })
  server.engine.hold()
  await stage.until(await transcribe("Interview ".repeat(20).trim()), "IN_PROGRESS")
  await transcribe("Podcast")
  return { done, failed }
}

type Jobs = Awaited<ReturnType<typeof prepare>>

/** A screen, text that the screen shows once it is loaded, and a function that opens a dialog. */
interface Sight {
  readonly path: (jobs: Jobs) => string
  readonly seen: string
  readonly open?: (page: Page) => Promise<void>
}

const sights: Readonly<Record<string, Sight>> = {
  jobs: { path: () => "/jobs", seen: "Interview" },
  "finished-job": { path: ({ done }) => `/jobs/${done}`, seen: "The crane is late." },
  "failed-job": { path: ({ failed }) => `/jobs/${failed}`, seen: "The layout is odd" },
  transcript: { path: ({ done }) => `/jobs/${done}/transcript`, seen: "The crane is late." },
  upload: {
    path: () => "/jobs",
    seen: "Interview",
    open: (page) => page.getByRole("button", { name: "Options…" }).click()
  },
  presets: { path: () => "/presets", seen: "summaries" },
  versions: { path: () => "/presets/support?view=compare&from=1&to=2", seen: "Be friendly." },
  queue: { path: () => "/work", seen: "Transcribe: 1" }
}

const looks = {
  wide: { colorScheme: "light", viewport: { width: 1_280, height: 800 } },
  narrow: { colorScheme: "dark", viewport: { width: 390, height: 844 } }
} as const

type Look = keyof typeof looks

/** Pictures of all narrow screens would be too large for the repository. */
const seenIn: Readonly<Record<Look, ReadonlyArray<string>>> = {
  wide: Object.keys(sights),
  narrow: ["jobs", "transcript", "versions"]
}

/** Logs in with both keys, in a browser that shows the same in each test run. */
const open = async ({ browser, server }: Stage, look: Look) => {
  const context = await openContext(browser, {
    ...looks[look],
    locale: "en-GB",
    timezoneId: "UTC",
    reducedMotion: "reduce",
    baseURL: `${server.address}/console/`
  })
  await context.clock.setFixedTime(present)
  await context.addInitScript(useFont, (await readFile(font)).toString("base64"))
  await context.route("**/console/**", fix)
  const page = await context.newPage()
  await page.goto("")
  await logIn(page, keys.management)
  await addOperatorKey(page)
  await page.close()
  return context
}

describe.skipIf(!isPinned)("the console looks as before", () => {
  const stage = onStage({ VERBATIM_TRANSCRIBE_CONCURRENCY: "1" })
  let jobs: Jobs
  beforeAll(async () => {
    await rm(failures, { recursive: true, force: true })
    jobs = await prepare(stage())
  })

  for (const look of ["wide", "narrow"] as const) {
    describe(look, () => {
      let context: BrowserContext
      beforeAll(async () => {
        context = await open(stage(), look)
      })
      afterAll(() => context.close())

      it.for(Object.entries(sights).filter(([name]) => seenIn[look].includes(name)))(
        "%s",
        async ([name, { open, path, seen }]) => {
          const page = await context.newPage()
          await page.goto(`#${path(jobs)}`, { waitUntil: "networkidle" })
          await page.getByText(seen).first().waitFor()
          await open?.(page)
          await check(page, `${name}-${look}`)
          await page.close()
        }
      )
    })
  }

  it("notices that two pictures of the same size differ", async () => {
    const context = await stage().browser.newContext()
    const read = (name: string): Promise<Buffer> =>
      readFile(new URL(`${name}-wide.png`, references))
    const pictures = [await read("jobs"), await read("presets")] as const
    assert.isAbove((await comparePictures(context, pictures)).count, pixelMax)
    await context.close()
  })
})
