/** Tests an API that authenticates with the host's sessions. */

import { once } from "node:events"
import { openAsBlob } from "node:fs"
import { createServer, get, type IncomingMessage } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import type { Authenticate, Member } from "@verbatim/embed"
import { ended, listen, openFor, recording } from "./Opened.ts"

interface Person extends Pick<Member, "scopes"> {
  readonly org: string
  readonly isAdmin: boolean
}

const people: Readonly<Record<string, Person>> = {
  ana: { org: "acme", isAdmin: true },
  ben: { org: "acme", isAdmin: false },
  dan: { org: "acme", isAdmin: true, scopes: ["presets:read"] },
  eve: { org: "evil", isAdmin: true }
}

/** Identifies the caller by the session cookie. For one of the sessions, this fails. */
const authenticate: Authenticate = (request) => {
  const name = /session=(\w+)/.exec(request.headers.get("cookie") ?? "")?.[1] ?? ""
  if (name === "broken") return Promise.reject(new Error("no database of sessions"))
  const person = people[name]
  if (person === undefined) return Promise.resolve(null)
  const kind = person.isAdmin ? "management" : "inference"
  const { org, scopes = null } = person
  return Promise.resolve({ workspace: org, kind, user: name, scopes })
}

const as = (name: string, more: RequestInit = {}): RequestInit => ({
  ...more,
  headers: { cookie: `session=${name}`, ...more.headers }
})

const preset = {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ model: "any/model" })
}

describe("the host's API", () => {
  it("accepts the host's sessions, with their permissions and scopes", async () => {
    const verbatim = await openFor({ authenticate, prefix: "/api/verbatim" })
    const sendRequest = async (path: string, init: RequestInit): Promise<number> =>
      (await verbatim.fetch(new Request(`http://app.test/api/verbatim/v1/${path}`, init))).status
    assert.strictEqual(await sendRequest("presets/notes/responses", as("ana", preset)), 200)
    assert.strictEqual(await sendRequest("presets/notes", as("ben")), 200)
    assert.strictEqual(await sendRequest("presets/notes/responses", as("ben", preset)), 403)
    assert.strictEqual(await sendRequest("presets/notes", as("dan")), 200)
    assert.strictEqual(await sendRequest("presets/notes/responses", as("dan", preset)), 403)
    assert.strictEqual(await sendRequest("presets/notes", as("eve")), 404)
    assert.strictEqual(await sendRequest("presets/notes", as("nobody")), 401)
    assert.strictEqual(await sendRequest("presets/notes", {}), 401)
    assert.isAtLeast(await sendRequest("presets/notes", as("broken")), 500)
    const acme = verbatim.as({ workspace: "acme", user: "ana" })
    const { creator_user_id } = await acme.presets.get("notes")
    assert.strictEqual(
      (await acme.presets.createFromResponses("others", {})).creator_user_id,
      creator_user_id
    )
  })

  it("passes the request's path to `authenticate`, whatever the Host header says", async () => {
    const seen: Array<string> = []
    const verbatim = await openFor({
      prefix: "/v",
      authenticate: (request) => {
        seen.push(request.url)
        return Promise.resolve({ workspace: "acme", kind: "inference" })
      }
    })
    const origin = await listen(createServer(verbatim.handler))
    const sendRequest = async (host: string): Promise<number | undefined> => {
      const sent = get(`${origin}/v/v1/presets?a=1`, { headers: { host } })
      const [response] = (await once(sent, "response")) as [IncomingMessage]
      response.resume()
      return response.statusCode
    }
    const path = "/v/v1/presets?a=1"
    const hosts = ["app.test:8080", "[::1]", "a/v1/status?x", "a#", "u:p@a", "a b", "[", "a:99999"]
    for (const host of hosts) assert.strictEqual(await sendRequest(host), 200, host)
    assert.deepStrictEqual(seen, [
      `http://app.test:8080${path}`,
      `http://[::1]${path}`,
      ...hosts.slice(2).map(() => `http://localhost${path}`)
    ])
  })

  it("accepts an `authenticate` that returns synchronously", async () => {
    const authenticate = (() => ({ workspace: "acme", kind: "inference" })) as unknown
    const verbatim = await openFor({ authenticate: authenticate as Authenticate })
    const response = await verbatim.fetch(new Request("http://app.test/v1/presets"))
    assert.strictEqual(response.status, 200)
  })

  it("rejects callers if `authenticate` returns an invalid result, and logs why", async () => {
    const caller = { workspace: "acme", kind: "management" }
    const rows: ReadonlyArray<readonly [answer: unknown, logged: string]> = [
      [
        { ...caller, scope: ["presets:read"] },
        `There is no option "scope" (did you mean "scopes"?)`
      ],
      [{ ...caller, scopes: ["presets:all"] }, '"scopes": must be a list of scopes'],
      [
        { ...caller, kind: "inference", scopes: ["presets:write"] },
        '"scopes": presets:write needs the kind management'
      ],
      [{ kind: "management" }, '"workspace" is missing'],
      [{ ...caller, workspace: "" }, "a workspace name has 1 to 255"],
      [{ message: 7 }, '"message": '],
      [{ message: "no", code: 1 }, `There is no option "code"`],
      ["acme", "must be an object"]
    ]
    const lines: Array<string> = []
    const nothing = () => undefined
    let answer: unknown
    const verbatim = await openFor({
      authenticate: (() => Promise.resolve(answer)) as Authenticate,
      logger: { debug: nothing, info: nothing, warn: nothing, error: (line) => lines.push(line) }
    })
    for (const [given, fault] of rows) {
      answer = given
      const refusal = await verbatim.fetch(new Request("http://app.test/v1/presets"))
      const body = (await refusal.json()) as { error: { message: string } }
      assert.deepStrictEqual([refusal.status, body.error.message], [401, "Not signed in"], fault)
      const line = lines.splice(0).join("\n")
      assert.include(line, "The result of authenticate is invalid")
      assert.include(line, fault)
    }
    answer = { ...caller, user: undefined, scopes: undefined }
    const admitted = await verbatim.fetch(new Request("http://app.test/v1/presets"))
    assert.strictEqual(admitted.status, 200)
  })

  it("accepts an upload through `node:http`, and leaves other paths to the host", async () => {
    const verbatim = await openFor({ authenticate, prefix: "/api/verbatim" })
    const server = createServer((request, response) =>
      verbatim.handler(request, response, () => response.writeHead(418).end("mine"))
    )
    const at = await listen(server)
    const form = new FormData()
    form.set("file", await openAsBlob(recording), "harbour.mp3")
    const init = as("ana", { method: "POST", body: form })
    const answer = await fetch(`${at}/api/verbatim/v1/transcribe`, init)
    assert.isBelow(answer.status, 300)
    const { id } = (await answer.json()) as { id: string }
    const { status } = await ended(verbatim.as({ workspace: "acme" }), id)
    assert.strictEqual(status, "COMPLETED")
    assert.strictEqual((await fetch(`${at}/boom`)).status, 418)
    assert.strictEqual((await fetch(`${at}/api/verbatim/nothing`)).status, 404)
  })

  it("rejects callers with the host's message", async () => {
    const host = (request: Request) => {
      const isExpired = request.headers.get("cookie") === "session=old"
      return Promise.resolve(isExpired ? { message: "The session\nhas expired" } : null)
    }
    const verbatim = await openFor({ authenticate: host })
    const sendRequest = async (path: string, more: RequestInit = {}) => {
      const answer = await verbatim.fetch(new Request(`http://app.test/v1/${path}`, more))
      return [answer.status, await answer.json()]
    }
    const refusalOf = (message: string) => ({
      error: { code: 401, message },
      gateway_metadata: null,
      user_id: null
    })
    const bearer = { headers: { authorization: "Bearer abc" } }
    assert.deepStrictEqual(await sendRequest("presets"), [401, refusalOf("Not signed in")])
    assert.deepStrictEqual(await sendRequest("presets", bearer), [401, refusalOf("Not signed in")])
    assert.deepStrictEqual(await sendRequest("presets", as("old")), [
      401,
      refusalOf("The session has expired")
    ])
    const forbidden = { detail: "Forbidden: The session has expired" }
    assert.deepStrictEqual(await sendRequest("transcriptions", as("old")), [403, forbidden])
  })

  it("answers every request with 503 after Verbatim closes, even unfinished ones", async () => {
    const arrival = Promise.withResolvers<void>()
    const host = (request: Request) => {
      if (!request.url.includes("hold")) return Promise.resolve(null)
      arrival.resolve()
      return new Promise<null>(() => undefined)
    }
    const verbatim = await openFor({ authenticate: host, prefix: "/v" })
    const origin = await listen(createServer(verbatim.handler))
    const body = {
      error: { code: 503, message: "Service Unavailable" },
      gateway_metadata: null,
      user_id: null
    }
    const sendRequest = (path: string) => [
      verbatim.fetch(new Request(`http://app.test/v/v1/${path}`)),
      fetch(`${origin}/v/v1/${path}`)
    ]
    const held = sendRequest("presets?hold")
    await arrival.promise
    await verbatim.close()
    for (const answer of await Promise.all([...held, ...sendRequest("presets")])) {
      assert.strictEqual(answer.status, 503)
      assert.deepStrictEqual(await answer.json(), body)
    }
    for (const answer of await Promise.all(sendRequest("transcriptions"))) {
      assert.strictEqual(answer.status, 503)
      assert.deepStrictEqual(await answer.json(), { detail: body.error.message })
    }
  })
})
