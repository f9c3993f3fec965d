/** Tests the host's console: where it is served, and which users have access. */
import { assert, describe, it } from "@effect/vitest"
import { openFor } from "./Opened.ts"

const at = (path: string) => `http://app.test/api/verbatim${path}`

const ours = { "x-verbatim-console": "workspace", "content-type": "application/json" }

const preset = { method: "POST", headers: ours, body: JSON.stringify({ model: "any/model" }) }

describe("the host's console", () => {
  it("is off by default", async () => {
    const verbatim = await openFor({ prefix: "/api/verbatim" })
    const { status } = await verbatim.fetch(new Request(at("/console/")))
    assert.strictEqual(status, 404)
  })

  it("requires a key if the host has no `authorize`", async () => {
    const verbatim = await openFor({ prefix: "/api/verbatim", console: true })
    const sendRequest = (path: string, init?: RequestInit) =>
      verbatim.fetch(new Request(at(path), { redirect: "manual", ...init }))
    const folder = await sendRequest("/console")
    assert.strictEqual(folder.status, 302)
    assert.strictEqual(folder.headers.get("location"), "console/")
    assert.strictEqual((await sendRequest("/console/session")).status, 401)
    assert.strictEqual((await sendRequest("/console/api/v1/presets")).status, 401)
    const wrong = { method: "POST", headers: ours, body: JSON.stringify({ key: "nobody" }) }
    assert.strictEqual((await sendRequest("/console/session", wrong)).status, 403)
    assert.strictEqual((await sendRequest("/v1/presets")).status, 401)
  })

  it("can be read with read access, and changed only with write access", async () => {
    const verbatim = await openFor({
      prefix: "/api/verbatim",
      authenticate: () => Promise.resolve({ workspace: "acme", kind: "management" }),
      console: {
        authorize: ({ headers }) => {
          const name = headers.get("cookie")
          if (name === "boss" || name === "look") return name === "boss" ? "write" : "read"
          return name === "broken" ? Promise.reject(new Error("no sessions")) : "none"
        }
      }
    })
    const sendRequest = async (cookie: string, path: string, init: RequestInit = {}) => {
      const headers = { ...init.headers, cookie }
      const { status } = await verbatim.fetch(new Request(at(path), { ...init, headers }))
      return status
    }
    const create = "/console/api/v1/presets/notes/responses"
    const resolve = "/console/api/v1/presets/notes/resolve"
    assert.deepStrictEqual(
      await Promise.all([
        sendRequest("boss", "/console/session"),
        sendRequest("look", "/console/session"),
        sendRequest("nobody", "/console/session"),
        sendRequest("broken", "/console/session"),
        sendRequest("look", create, preset),
        sendRequest("nobody", create, preset)
      ]),
      [200, 200, 401, 401, 403, 401]
    )
    assert.strictEqual(await sendRequest("boss", create, preset), 200)
    assert.strictEqual(await sendRequest("look", "/console/api/v1/presets/notes"), 200)
    assert.strictEqual(await sendRequest("look", resolve, preset), 200)
    assert.strictEqual(await sendRequest("boss", create, { ...preset, headers: {} }), 403)
  })
})
