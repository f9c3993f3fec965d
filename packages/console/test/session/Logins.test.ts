/** Logging in over real HTTP: whose session a login ends, what it keeps, and what it costs. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { TestClock } from "effect/testing"
import { makeTellFailure } from "#src/SessionRoutes"
import { sessionsOfKeyMax } from "#src/Sessions"
import { Address, keys, ours, serving } from "../Serving.ts"

const cookieOf = (headers: Headers): string => headers.get("set-cookie")?.split(";", 1)[0] ?? ""

const ask = (path: string, init: RequestInit = {}) =>
  Effect.flatMap(Address, (address) => address.ask(path, init))

interface Login {
  readonly cookie?: string
  readonly adds?: boolean
}

/** Logs in, perhaps as part of a session, and gives the cookie. */
const logIn = Effect.fnUntraced(function* (key: string, { cookie = "", ...more }: Login = {}) {
  const { headers, status } = yield* ask("/console/session", {
    method: "POST",
    headers: { ...ours, cookie },
    body: JSON.stringify({ key, ...more })
  })
  return { status, cookie: cookieOf(headers), headers }
})

const readJson = (response: Response) => Effect.promise(() => response.json())

/** What a session may do, as the page asks. */
const look = Effect.fnUntraced(function* (cookie: string) {
  const response = yield* ask("/console/session", { headers: { cookie } })
  const { operator = null, workspace = null } = yield* readJson(response)
  return { status: response.status, isOperator: operator !== null, kind: workspace?.kind }
})

const both = { status: 200, isOperator: true, kind: "management" }

/** Reads a stream until something is in it, or to its end. */
const readUntil = (response: Response, wanted: string) =>
  Effect.promise(async () => {
    let text = ""
    const decoder = new TextDecoder()
    for await (const piece of response.body ?? []) {
      text += decoder.decode(piece, { stream: true })
      if (text.includes(wanted)) return true
    }
    return false
  })

const upload = Effect.suspend(() => {
  const body = new FormData()
  body.append("file", new File([new Uint8Array(8)], "a.wav"))
  const headers = { authorization: `Bearer ${keys.inference}` }
  return ask("/v1/transcribe", { method: "POST", headers, body })
})

const live = { excludeTestServices: true } as const

describe("a login", () => {
  layer(
    serving(),
    live
  )((it) => {
    it.effect("ends the oldest session of its own key, and none of another one", () =>
      Effect.gen(function* () {
        const other = yield* logIn(keys.inference)
        const first = yield* logIn(keys.management)
        for (let count = 1; count <= sessionsOfKeyMax; count += 1) yield* logIn(keys.management)
        assert.strictEqual((yield* look(first.cookie)).status, 401)
        assert.strictEqual((yield* look(other.cookie)).status, 200)
      })
    )

    it.effect("keeps nothing of the session that a browser came with", () =>
      Effect.gen(function* () {
        const planted = yield* logIn(keys.operator)
        const own = yield* logIn(keys.management, { cookie: planted.cookie })
        assert.notStrictEqual(own.cookie, planted.cookie)
        assert.deepStrictEqual(yield* look(own.cookie), { ...both, isOperator: false })
        assert.strictEqual((yield* look(planted.cookie)).status, 401)
      })
    )

    it.effect("adds a key where that is asked for, under a new name", () =>
      Effect.gen(function* () {
        const before = yield* logIn(keys.management)
        const after = yield* logIn(keys.operator, { cookie: before.cookie, adds: true })
        assert.notStrictEqual(after.cookie, before.cookie)
        assert.deepStrictEqual(yield* look(after.cookie), both)
        assert.strictEqual((yield* look(before.cookie)).status, 401)
        const other = yield* logIn(keys.inference, { cookie: after.cookie, adds: true })
        assert.deepStrictEqual(yield* look(other.cookie), { ...both, kind: "inference" })
      })
    )

    it.effect("believes no browser that came with two sessions", () =>
      Effect.gen(function* () {
        const own = yield* logIn(keys.management)
        const planted = yield* logIn(keys.inference)
        const cookie = `${planted.cookie}; ${own.cookie}`
        assert.strictEqual((yield* look(cookie)).status, 401)
        assert.strictEqual((yield* logIn(keys.management, { cookie })).status, 409)
      })
    )

    it.effect("counts among the requests that its key may send", () =>
      Effect.gen(function* () {
        const issued = yield* ask("/v1/keys", {
          method: "POST",
          headers: { ...ours, authorization: `Bearer ${keys.management}` },
          body: JSON.stringify({ kind: "inference", limits: { requests_per_second: 1 } })
        })
        const { data } = yield* readJson(issued)
        const logIns = Array.from({ length: 32 }, () => logIn(data.token))
        const many = yield* Effect.all(logIns, { concurrency: "unbounded" })
        const refused = many.find(({ status }) => status === 429)
        assert.match(refused?.headers.get("retry-after") ?? "", /^[1-9]\d*$/)
        assert.strictEqual((yield* logIn(keys.management)).status, 200)
      })
    )
  })
})

describe("what is sent to a session while it happens", () => {
  layer(
    serving(),
    live
  )((it) => {
    it.effect("ends when somebody logs out, and goes on for others of the same key", () =>
      Effect.gen(function* () {
        const own = yield* logIn(keys.inference)
        const other = yield* logIn(keys.inference)
        const path = "/console/api/v1/transcriptions/events"
        const heard = yield* ask(path, { headers: { cookie: own.cookie } })
        const still = yield* ask(path, { headers: { cookie: other.cookie } })
        assert.deepStrictEqual([heard.status, still.status], [200, 200])
        const headers = { ...ours, cookie: own.cookie }
        yield* ask("/console/session", { method: "DELETE", headers })
        assert.isFalse(yield* readUntil(heard, "event: event"))
        yield* upload
        assert.isTrue(yield* readUntil(still, "event: event"))
      })
    )
  })
})

describe("failed logins", () => {
  it.effect("are logged once a minute, with their number", () => {
    const lines: Array<string> = []
    const logger = Logger.make(({ message }) => {
      lines.push(String(message))
    })
    return Effect.gen(function* () {
      const tell = makeTellFailure()
      for (let count = 0; count < 3_000; count += 1) yield* tell
      assert.deepStrictEqual(lines, ["A login to the console failed: the key is unknown"])
      yield* TestClock.adjust("1 minute")
      yield* tell
      assert.strictEqual(lines[1], "3000 logins to the console failed: the key is unknown")
      assert.lengthOf(lines, 2)
    }).pipe(Effect.provide(Logger.layer([logger])))
  })
})
