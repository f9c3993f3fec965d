/**
 * Speech as it really is: a recording goes in, the engine hears it, and somebody reads it, looks at
 * it and hears it.
 */
import { readFile } from "node:fs/promises"
import { homedir } from "node:os"
import { join } from "node:path"
import { layer as nodeServices } from "@effect/platform-node/NodeServices"
import { install } from "@verbatim/adapters/pocketsphinx"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { assert, it } from "vitest"
import { realSpeech, startServer } from "../Server.ts"
import type { Stage } from "../Stage.ts"
import { until } from "../Until.ts"
import { judge } from "../Visit.ts"

/** Four seconds, and what is said in them. */
const clip = new URL("../../../adapters/test/media/clip.wav", import.meta.url)
const spoken = "i will write the letter tomorrow and send it to you on friday"

/** A word near the end, and where it is said at the earliest, in seconds. */
const late = { word: "friday", from: 2 }

/** The least share of the words that is heard; the recogniser gets all of this recording. */
const heardMin = 0.8

const { env } = process

/** The user's cache, as the server chooses it. */
const cacheDirectory =
  env.VERBATIM_CACHE_DIR || join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "verbatim")

/** Fetches the recogniser where it is missing; false on a system that has no apt to do it with. */
const hasEngine = (): Promise<boolean> =>
  Effect.runPromise(
    install({ cacheDirectory, report: () => Effect.void }).pipe(
      Effect.as(true),
      Effect.catchIf(
        ({ obstacle }) => obstacle === "AptMissing",
        () => Effect.succeed(false)
      ),
      Effect.provide(nodeServices)
    )
  )

const upload = async (page: Page): Promise<void> => {
  await page.getByLabel("Recordings").setInputFiles({
    name: "clip.wav",
    mimeType: "audio/wav",
    buffer: await readFile(clip)
  })
  const list = page.getByRole("list", { name: "Jobs" })
  await list.getByText("Completed").waitFor()
  await list.getByRole("link", { name: "clip.wav" }).click()
}

/** Clicks a word where it stands. */
const clickWord = async (page: Page, word: string): Promise<void> => {
  const text = page.locator(".block-text", { hasText: word }).first()
  const place = await text.evaluate((paragraph, wanted) => {
    const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const from = node.textContent?.indexOf(wanted) ?? -1
      if (from < 0) continue
      const range = document.createRange()
      range.setStart(node, from)
      range.setEnd(node, from + wanted.length)
      const { height, left, top } = range.getBoundingClientRect()
      return { x: left + 2, y: top + height / 2 }
    }
    return undefined
  }, word)
  assert.isDefined(place)
  await page.mouse.click(place?.x ?? 0, place?.y ?? 0)
}

/** How high the bars of the waveform stand, as they were drawn: the different heights. */
const countHeights = (page: Page): Promise<number> =>
  page.locator(".waveform canvas").evaluate((canvas) => {
    if (!(canvas instanceof HTMLCanvasElement)) return 0
    const { height, width } = canvas
    const pixels = canvas.getContext("2d")?.getImageData(0, 0, width, height).data
    const heights = Array.from({ length: width }, (_, x) => {
      let tall = 0
      for (let y = 0; y < height; y += 1)
        if ((pixels?.[4 * (y * width + x) + 3] ?? 0) > 0) tall += 1
      return tall
    })
    return new Set(heights).size
  })

const soundOf = (page: Page) =>
  page.locator("audio").evaluate((audio) => {
    if (!(audio instanceof HTMLAudioElement)) return { at: 0, duration: 0 }
    return { at: audio.currentTime, duration: audio.duration }
  })

export const speech = (stage: () => Stage): void => {
  it("is uploaded, recognised, seen as a waveform, and heard from a word on", async (context) => {
    if (!(await hasEngine())) return context.skip("there is no recogniser, and no apt to fetch one")
    const server = await startServer(realSpeech)
    const address = `${server.address}/console`
    try {
      await stage().visit(
        async (page) => {
          await upload(page)
          const peaks = page.waitForResponse(/\/peaks$/)
          const media = page.waitForResponse(/\/media$/)
          await page.getByRole("link", { name: "Read, hear and correct" }).click()
          const said = page.getByRole("list", { name: "What was said" })
          await said.waitFor()
          const text = (await said.innerText()).toLowerCase()
          const words = spoken.split(" ")
          const heard = words.filter((word) => text.includes(word))
          assert.isAtLeast(heard.length / words.length, heardMin)
          assert.strictEqual((await peaks).status(), 200)
          assert.include([200, 206], (await media).status())
          // The browser knows how long it is, and it is drawn, a moment after it has come.
          await page.locator(".player-button:enabled").waitFor()
          assert.approximately((await soundOf(page)).duration, 4, 0.1)
          await until(async () => (await countHeights(page)) >= 10)
          await judge(page)
          await clickWord(page, late.word)
          await said.locator(".is-said").first().waitFor()
          assert.isAtLeast((await soundOf(page)).at, late.from)
        },
        { address }
      )
    } finally {
      await server.stop()
    }
  })
}
