/**
 * Tests logins over real HTTP: which sessions a login ends or keeps, and how logins are limited.
 */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { TestClock } from "effect/testing"
import { makeLogFailure } from "#src/SessionRoutes"
import { sessionsPerKeyMax } from "#src/Sessions"
import { Address, keys, serverLayer, writeHeaders } from "../InProcessServer.ts"

const cookieOf = (headers: Headers): string => headers.get("set-cookie")?.split(";", 1)[0] ?? ""

const send = (path: string, init: RequestInit = {}) =>
  Effect.flatMap(Address, (address) => address.send(path, init))

interface Login {
  readonly cookie?: string
  readonly adds?: boolean
}

/** Logs in, optionally within a session, and returns the cookie. */
const logIn = Effect.fnUntraced(function* (key: string, { cookie = "", ...more }: Login = {}) {
  const { headers, status } = yield* send("/console/session", {
    method: "POST",
    headers: { ...writeHeaders, cookie },
    body: JSON.stringify({ key, ...more })
  })
  return { status, cookie: cookieOf(headers), headers }
})

const readJson = (response: Response) => Effect.promise(() => response.json())

/** Returns a session's permissions. */
const readSession = Effect.fnUntraced(function* (cookie: string) {
  const response = yield* send("/console/session", { headers: { cookie } })
  const { operator = null, workspace = null } = yield* readJson(response)
  return { status: response.status, isOperator: operator !== null, kind: workspace?.kind }
})

const both = { status: 200, isOperator: true, kind: "management" }

/** Reads a stream until the given text appears, or to the end if the text never appears. */
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
  return send("/v1/transcribe", { method: "POST", headers, body })
})

const live = { excludeTestServices: true } as const

describe("a login", () => {
  layer(
    serverLayer(),
    live
  )((it) => {
    it.effect("ends only the oldest session for the same key, and none for another key", () =>
      Effect.gen(function* () {
        const other = yield* logIn(keys.inference)
        const first = yield* logIn(keys.management)
        for (let count = 1; count <= sessionsPerKeyMax; count += 1) yield* logIn(keys.management)
        assert.strictEqual((yield* readSession(first.cookie)).status, 401)
        assert.strictEqual((yield* readSession(other.cookie)).status, 200)
      })
    )

    it.effect("keeps nothing from the session whose cookie was sent", () =>
      Effect.gen(function* () {
        const planted = yield* logIn(keys.operator)
        const own = yield* logIn(keys.management, { cookie: planted.cookie })
        assert.notStrictEqual(own.cookie, planted.cookie)
        assert.deepStrictEqual(yield* readSession(own.cookie), { ...both, isOperator: false })
        assert.strictEqual((yield* readSession(planted.cookie)).status, 401)
      })
    )

    it.effect("adds a key to the session on request, and gives the session a new id", () =>
      Effect.gen(function* () {
        const before = yield* logIn(keys.management)
        const after = yield* logIn(keys.operator, { cookie: before.cookie, adds: true })
        assert.notStrictEqual(after.cookie, before.cookie)
        assert.deepStrictEqual(yield* readSession(after.cookie), both)
        assert.strictEqual((yield* readSession(before.cookie)).status, 401)
        const other = yield* logIn(keys.inference, { cookie: after.cookie, adds: true })
        assert.deepStrictEqual(yield* readSession(other.cookie), { ...both, kind: "inference" })
      })
    )

    it.effect("is refused if a browser sends two session cookies", () =>
      Effect.gen(function* () {
        const own = yield* logIn(keys.management)
        const planted = yield* logIn(keys.inference)
        const cookie = `${planted.cookie}; ${own.cookie}`
        assert.strictEqual((yield* readSession(cookie)).status, 401)
        assert.strictEqual((yield* logIn(keys.management, { cookie })).status, 409)
      })
    )

    it.effect("counts as one request towards its key's limit", () =>
      Effect.gen(function* () {
        const issued = yield* send("/v1/keys", {
          method: "POST",
          headers: { ...writeHeaders, authorization: `Bearer ${keys.management}` },
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

describe("a stream to one session", () => {
  layer(
    serverLayer(),
    live
  )((it) => {
    it.effect("ends at logout, while streams to the same key's other sessions continue", () =>
      Effect.gen(function* () {
        const own = yield* logIn(keys.inference)
        const other = yield* logIn(keys.inference)
        const path = "/console/api/v1/transcriptions/events"
        const ended = yield* send(path, { headers: { cookie: own.cookie } })
        const continued = yield* send(path, { headers: { cookie: other.cookie } })
        assert.deepStrictEqual([ended.status, continued.status], [200, 200])
        const headers = { ...writeHeaders, cookie: own.cookie }
        yield* send("/console/session", { method: "DELETE", headers })
        assert.isFalse(yield* readUntil(ended, "event: event"))
        yield* upload
        assert.isTrue(yield* readUntil(continued, "event: event"))
      })
    )
  })
})

describe("failed logins", () => {
  it.effect("are logged at most once a minute, with a count", () => {
    const lines: Array<string> = []
    const logger = Logger.make(({ message }) => {
      lines.push(String(message))
    })
    return Effect.gen(function* () {
      const logFailure = makeLogFailure()
      for (let count = 0; count < 3_000; count += 1) yield* logFailure
      assert.deepStrictEqual(lines, ["A login to the console failed: the key is unknown"])
      yield* TestClock.adjust("1 minute")
      yield* logFailure
      assert.strictEqual(lines[1], "3000 logins to the console failed: the key is unknown")
      assert.lengthOf(lines, 2)
    }).pipe(Effect.provide(Logger.layer([logger])))
  })
})
