import { afterAll, assert, describe, it } from "vitest"
import { dataDirectory, ServerProcess } from "./ServerProcess.ts"

const stack = new AsyncDisposableStack()
afterAll(() => stack.disposeAsync())

const start = async (settings: Readonly<Record<string, string>>) => {
  const { path } = stack.use(await dataDirectory())
  return stack.use(await ServerProcess.start(path, settings))
}

const attributes = (html: string, name: "href" | "id" | "src"): ReadonlyArray<string> =>
  [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, "g"))].map(([, value = ""]) => value)

describe("the guide", () => {
  it("is served only if it is enabled", async () => {
    const { address } = await start({})
    assert.strictEqual((await fetch(`${address}/guide/`)).status, 404)
  })

  it("has no broken link, image or script", async () => {
    const { address } = await start({ VERBATIM_GUIDE: "true" })
    const pages = new Map<string, ReadonlySet<string>>()
    const links: Array<readonly [from: string, to: URL]> = []
    const queue = [`${address}/guide`]
    for (let url = queue.pop(); url !== undefined; url = queue.pop()) {
      if (pages.has(url)) continue
      const response = await fetch(url)
      const text = await response.text()
      assert.strictEqual(response.status, 200, `${url}: ${text.slice(0, 100)}`)
      const isPage = response.headers.get("content-type")?.startsWith("text/html") === true
      pages.set(url, new Set(isPage ? attributes(text, "id") : []))
      if (!isPage) continue
      for (const href of [...attributes(text, "href"), ...attributes(text, "src")]) {
        const to = new URL(href, response.url)
        if (to.origin !== address) continue
        links.push([url, to])
        queue.push(`${to.origin}${to.pathname}`)
      }
    }
    const dead = links.filter(([, { hash, origin, pathname }]) => {
      const id = decodeURIComponent(hash.slice(1))
      return id !== "" && pages.get(`${origin}${pathname}`)?.has(id) !== true
    })
    assert.deepStrictEqual([...new Set(dead.map(([from, to]) => `${from}: ${to}`))], [])
    assert.isAbove(pages.size, 50)
  })
})
