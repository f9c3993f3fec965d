/**
 * Hostile pages in the same browser, from another site or from another origin on the same site,
 * whose requests carry the cookie. They must not read, write, frame or log in, whether the session
 * uses a key or the host has its own login.
 */
import type { IncomingMessage } from "node:http"
import { open } from "@verbatim/embed"
import type { BrowserContext } from "playwright-core"
import { assert, it } from "vitest"
import { listen } from "../Listener.ts"
import { startProxy } from "../Proxy.ts"
import { keys } from "../Server.ts"
import type { Stage } from "../Stage.ts"
import { until } from "../Until.ts"
import { logIn, openContext } from "../Visit.ts"

/** Serves an empty page at any address. */
const startStranger = () =>
  listen((_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>x</title>")
  }, "::")

interface Target {
  /** The console under attack. */
  readonly address: string
  /** The key for the session that the attacker wants to use. */
  readonly key: string
}

/** Runs the attacks in the browser; returns the data that they could read. */
const attack = async ({ address, key }: Target): Promise<ReadonlyArray<string>> => {
  const read: Array<string> = []
  const login = JSON.stringify({ key, adds: true })
  const preset = JSON.stringify({ model: "any/model", instructions: "Planted." })
  const send = async (path: string, init: RequestInit = {}): Promise<void> => {
    const response = await fetch(`${address}${path}`, { credentials: "include", ...init }).catch(
      () => undefined
    )
    const text = (await response?.text()) ?? ""
    if (text !== "") read.push(`${path}: ${text}`)
  }
  const ours = { "x-verbatim-console": "workspace", "content-type": "application/json" }
  await send("/session")
  await send("/api/v1/transcriptions")
  for (const mode of ["no-cors", "cors"] as const) {
    await send("/session", { method: "POST", mode, body: login })
    await send("/api/v1/presets/planted/responses", { method: "POST", mode, body: preset })
  }
  await send("/session", { method: "POST", headers: ours, body: login })
  await send("/session", { method: "DELETE", headers: ours })
  await send("/api/v1/presets/planted/responses", { method: "POST", headers: ours, body: preset })
  const post = (path: string, text: string): Promise<unknown> => {
    const frame = document.createElement("iframe")
    const form = document.createElement("form")
    const field = document.createElement("input")
    frame.name = `target${path}`
    Object.assign(form, { method: "post", enctype: "text/plain", target: frame.name })
    form.action = `${address}${path}`
    // A plain-text form sends `name=value`, which becomes JSON with an extra field.
    field.name = text.replace(/\}$/, ',"x":"')
    field.value = '"}'
    form.append(field)
    document.body.append(frame, form)
    const loaded = new Promise((resolve) => {
      frame.addEventListener("load", resolve, { once: true })
    })
    form.submit()
    return loaded
  }
  await post("/session", login)
  await post("/api/v1/presets/planted/responses", preset)
  const load = (element: HTMLIFrameElement | HTMLScriptElement, src: string): Promise<unknown> =>
    new Promise((resolve) => {
      element.addEventListener("load", () => resolve("load"))
      element.addEventListener("error", () => resolve("error"))
      element.src = src
      document.body.append(element)
    })
  const script = await load(document.createElement("script"), `${address}/api/v1/transcriptions`)
  if (script !== "error") read.push("a script of answers")
  const framed = document.createElement("iframe")
  framed.name = "framed"
  await load(framed, `${address}/`)
  return read
}

/** A request to the console, and the status of its response. */
interface Answered {
  readonly what: string
  readonly status: number
  readonly hasCookie: boolean
  readonly site: string
}

const toAnswered = (
  { headers, method, url }: Pick<IncomingMessage, "headers" | "method" | "url">,
  status: number
): Answered => ({
  what: `${method} ${url}`,
  status,
  hasCookie: headers.cookie !== undefined,
  site: String(headers["sec-fetch-site"])
})

/**
 * Attacks the console from both kinds of hostile pages, and asserts that it refuses every request.
 */
const attackFrom = async (
  context: BrowserContext,
  { answered, ...target }: Target & { readonly answered: Array<Answered> }
) => {
  await using stranger = await startStranger()
  answered.length = 0
  for (const host of ["localhost", "127.0.0.1"]) {
    const page = await context.newPage()
    await page.goto(`http://${host}:${stranger.port}/`)
    assert.deepStrictEqual(await page.evaluate(attack, target), [])
    const framed = page.frame("framed")
    // The browser reports the load event slightly before the URL.
    await until(() => framed?.url() !== "about:blank")
    assert.match(framed?.url() ?? "", /^chrome-error:/, "the console was framed")
    await page.close()
  }
  // Requests by the open console itself do not count.
  const requests = answered.filter(
    ({ site, what }) => site !== "same-origin" && /^(?!OPTIONS).*(?:\/session|\/api\/)/.test(what)
  )
  const passed = requests.filter(({ status }) => status !== 403)
  assert.deepStrictEqual(passed, [])
  for (const site of ["cross-site", "same-site"]) {
    const posts = requests.filter((each) => each.site === site && each.what.startsWith("POST"))
    assert.isAtLeast(posts.length, 6, `posts of a page that is ${site}`)
  }
  return requests
}

/** A host with its own login. Browsers send this host's cookie from every site. */
export const startHost = async (answered: Array<Answered> = []) => {
  const isBoss = (cookie: string | null | undefined) => /\bhost=boss\b/.test(cookie ?? "")
  const verbatim = await open({
    database: "memory:",
    transcribe: async () => ({ language: "en", segments: [] }),
    authenticate: async ({ headers }) =>
      isBoss(headers.get("cookie")) ? { workspace: "acme", kind: "management" } : null,
    console: { authorize: ({ headers }) => (isBoss(headers.get("cookie")) ? "write" : "none") }
  })
  const server = await listen((request, response) => {
    const { headers, method, url = "" } = request
    response.once("finish", () => {
      answered.push(toAnswered({ headers, method, url }, response.statusCode))
    })
    if (url !== "/enter") return verbatim.handler(request, response)
    const cookie = "host=boss; SameSite=None; Secure; HttpOnly"
    return response.writeHead(200, { "set-cookie": cookie }).end("Welcome.")
  })
  return {
    address: server.address,
    [Symbol.asyncDispose]: async () => {
      server.stop()
      await verbatim.close()
    }
  }
}

export const attacks = (stage: () => Stage): void => {
  it("cannot attack the console before or after a login with a key", async () => {
    const { browser, server } = stage()
    const answered: Array<Answered> = []
    await using proxy = await startProxy(server.address, {
      folder: "/inside",
      onAnswer: (request, status) => void answered.push(toAnswered(request, status))
    })
    const target = { address: `${proxy.address}/inside/console`, key: keys.operator, answered }
    const context = await openContext(browser)
    try {
      await attackFrom(context, target)
      assert.deepStrictEqual(await context.cookies(), [])
      const page = await context.newPage()
      await page.goto(`${target.address}/`)
      await logIn(page, keys.inference)
      const before = await context.cookies()
      const requests = await attackFrom(context, target)
      const sent = (site: string) => requests.some((each) => each.site === site && each.hasCookie)
      assert.deepStrictEqual([sent("same-site"), sent("cross-site")], [true, false])
      assert.deepStrictEqual(await context.cookies(), before)
      await page.reload()
      await page.getByRole("heading", { name: "Jobs", exact: true }).waitFor()
      assert.strictEqual(await page.getByRole("link", { name: "Workspaces" }).count(), 0)
      const planted = await server.request("/v1/presets/planted")
      assert.strictEqual(planted.status, 404)
    } finally {
      await context.close()
    }
  })

  it("cannot attack a host whose cookie is sent from every site", async () => {
    const answered: Array<Answered> = []
    await using host = await startHost(answered)
    const address = `${host.address}/console`
    const context = await openContext(stage().browser)
    try {
      const page = await context.newPage()
      await page.goto(`${host.address}/enter`)
      await page.goto(`${address}/`)
      await page.getByRole("heading", { name: "Jobs", exact: true }).waitFor()
      const requests = await attackFrom(context, { address, key: keys.operator, answered })
      const sent = requests.filter(({ hasCookie, site }) => hasCookie && site === "cross-site")
      assert.isAtLeast(sent.length, 4, "the cookie went along from another site")
      const headers = { cookie: "host=boss" }
      const planted = await fetch(`${address}/api/v1/presets/planted`, { headers })
      assert.strictEqual(planted.status, 404)
    } finally {
      await context.close()
    }
  })
}
