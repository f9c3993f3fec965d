/**
 * Visits the console in a new page. Script errors, policy violations and requests to other origins
 * fail the visit.
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from "playwright-core"
import { assert } from "vitest"
import { toastMillis } from "../page/ui/Words.ts"
import { keys } from "./Server.ts"

export interface Visitor {
  /** The key to log in with; empty to stay logged out. */
  readonly key?: string
  readonly colorScheme?: "dark" | "light"
  readonly width?: number
  readonly height?: number
  readonly address: string
  /** Whether the story kills the server and thereby breaks connections. */
  readonly isServerKilled?: boolean
}

const require = createRequire(import.meta.url)

const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8")

const isOurs = (url: string, address: string): boolean =>
  new URL(url).origin === new URL(address).origin || url.startsWith("blob:")

/** Records faults in the page. */
const recordFaults = async (page: Page, { address, isServerKilled = false }: Visitor) => {
  const faults: Array<string> = []
  await page.exposeBinding("noteBreach", (_, text: string) => void faults.push(text))
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      const note: unknown = Reflect.get(window, "noteBreach")
      const where = `${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`
      if (typeof note === "function") note(`policy: ${event.violatedDirective} ${where}`)
    })
  })
  page.on("pageerror", (error) => void faults.push(`error: ${error.message}`))
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on("request", (request) => {
    if (!isOurs(request.url(), address)) faults.push(`request: ${request.url()}`)
  })
  page.on("response", (response) => {
    // The health report of a server that cannot use its engine has status 503.
    const isHealth = response.url().endsWith("/health/ready")
    const isFailure = response.status() >= 500 && !isServerKilled && !isHealth
    if (isFailure) faults.push(`${response.status()} ${response.url()}`)
  })
  return faults
}

/**
 * The timeout of a step: far longer than a busy machine needs, but shorter than the test timeout.
 */
const patienceMillis = 120_000

/** Opens an isolated browser context. */
export const openContext = async (
  browser: Browser,
  options: BrowserContextOptions = {}
): Promise<BrowserContext> => {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(patienceMillis)
  return context
}

/** How long messages stay in stories: long enough to reach a button on a busy machine. */
const keptMillis = 60_000

/** Makes messages and their undo buttons last longer. This function runs in the browser. */
const delayMessages = ([from, to]: readonly [from: number, to: number]): void => {
  const original = window.setTimeout.bind(window)
  const patient = (run: TimerHandler, millis?: number, ...given: ReadonlyArray<unknown>): number =>
    original(run, millis === from ? to : millis, ...given)
  Object.assign(window, { setTimeout: patient })
}

/** Makes messages last longer in a page whose timers a story has replaced. */
export const keepMessages = (page: Page): Promise<void> =>
  page.evaluate(delayMessages, [toastMillis, keptMillis] as const)

/** Logs in through the form. */
export const logIn = async (page: Page, key: string): Promise<void> => {
  await page.getByLabel("API key").fill(key)
  await page.getByRole("button", { name: "Log in" }).click()
  await page.getByRole("navigation", { name: "Screens" }).waitFor()
}

/** Adds the operator key to the session. */
export const addOperatorKey = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "Add an operator key" }).click()
  await page.getByRole("dialog").getByLabel("API key").fill(keys.operator)
  await page.getByRole("dialog").getByRole("button", { name: "Add" }).click()
  await page.getByRole("link", { name: "Workspaces" }).waitFor()
}

/** Changes the open page's address to show another screen. */
export const goTo = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    location.hash = to
  }, path)

/** Visits the console, and asserts afterwards that no fault was recorded. */
export const visit = async (
  browser: Browser,
  visitor: Visitor,
  story: (page: Page) => Promise<void>
): Promise<void> => {
  const { address, colorScheme = "light", height = 800, key, width = 1_280 } = visitor
  const context = await openContext(browser, { colorScheme, viewport: { width, height } })
  try {
    const page = await context.newPage()
    await page.addInitScript(delayMessages, [toastMillis, keptMillis] as const)
    const faults = await recordFaults(page, visitor)
    await page.goto(`${address}/`)
    if (key !== undefined && key !== "") await logIn(page, key)
    await story(page)
    assert.deepStrictEqual(faults, [])
  } finally {
    await context.close()
  }
}

/** The WCAG 2.2 A and AA rules, and best practices. */
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

/** Checks the current page with axe. */
export const assertAccessible = async (page: Page): Promise<void> => {
  // The half-megabyte script is loaded once per page.
  if (await page.evaluate(() => Reflect.get(window, "axe") === undefined)) await page.evaluate(axe)
  // Fast-forwards all finite animations, because colours are not final while an element fades in.
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) {
      if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) {
        animation.finish()
      }
    }
  })
  const found = await page.evaluate(async (values) => {
    const { violations } = await Reflect.get(window, "axe").run(document, {
      runOnly: { type: "tag", values }
    })
    return violations.map(
      ({ help, id, nodes }: { id: string; help: string; nodes: ReadonlyArray<{ html: string }> }) =>
        `${id}: ${help}: ${nodes.map(({ html }) => html).join(" | ")}`
    )
  }, tags)
  assert.deepStrictEqual(found, [])
}

/** Checks the current page with axe, in light and in dark colours. */
export const assertAccessibleInBoth = async (page: Page): Promise<void> => {
  await assertAccessible(page)
  await page.keyboard.press("t")
  await assertAccessible(page)
}

/** Asserts that the page does not scroll sideways. */
export const assertFits = async (page: Page, what = "the page"): Promise<void> => {
  const over = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth
  )
  assert.isAtMost(over, 0, `${what} is wider than the window`)
}

/** Makes the window narrower, as on a phone, and asserts that the page does not scroll sideways. */
export const assertFitsAt = async (page: Page, width: number): Promise<void> => {
  await page.setViewportSize({ width, height: 800 })
  await assertFits(page)
}

/** Scrolls the page, after its own scrolling has finished. */
export const scrollPage = (page: Page, to: number | "end"): Promise<void> =>
  page.evaluate(async (to) => {
    for (const _ of [1, 2]) await new Promise((resolve) => requestAnimationFrame(resolve))
    window.scrollTo(0, to === "end" ? document.body.scrollHeight : to)
  }, to)

/**
 * Holds requests to a URL until they are released, as a slow connection would, and counts the write
 * requests.
 */
export const holdRequests = async (page: Page, url: string) => {
  const released = Promise.withResolvers<void>()
  const held = { count: 0, release: released.resolve }
  await page.route(url, async (route) => {
    if (route.request().method() !== "GET") held.count += 1
    await released.promise
    await route.continue()
  })
  return held
}

/** Leaves all reads of a URL without a response. */
export const holdReads = (page: Page, url: string): Promise<unknown> =>
  page.route(url, (route) => (route.request().method() === "GET" ? undefined : route.continue()))

/** Counts the requests that the page sends from now on. */
export const countRequests = (page: Page, isCounted: (url: string) => boolean) => {
  const requests = { count: 0 }
  page.on("request", (request) => {
    if (isCounted(request.url())) requests.count += 1
  })
  return requests
}

/** Clicks twice before the page renders again. */
export const clickTwice = (button: Locator): Promise<void> =>
  button.evaluate((element: HTMLElement) => {
    element.click()
    element.click()
  })
