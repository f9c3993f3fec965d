/**
 * Tests Verbatim in Express 4 and 5, before and after their body parsers. The responses must equal
 * the responses from a server without parsers.
 */
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { open, type Verbatim } from "@verbatim/embed"
import express5 from "express"
import express4 from "express4"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { authenticate, transcribe } from "../hosts/host.ts"
import { prefix, session } from "./hosts/Host.ts"
import { sendWav } from "./hosts/Wav.ts"

/**
 * The limit is larger than any body in this test, because a host that parses everything reads whole
 * uploads into memory.
 */
const limit = "1mb"

const parsers = {
  "express.json()": (express: typeof express5) => express.json({ limit }),
  "express.urlencoded()": (express: typeof express5) => express.urlencoded({ extended: true }),
  "express.text() for all": (express: typeof express5) => express.text({ type: "*/*" }),
  "express.raw() for all": (express: typeof express5) => express.raw({ type: "*/*", limit })
}

type Parser = keyof typeof parsers

const json = (body: unknown): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body)
})

interface Question {
  readonly path: string
  readonly init: () => RequestInit
  /** Parsers that change the body irreversibly. */
  readonly lostBy?: ReadonlyArray<Parser>
}

/** A form whose URL is refused before any network request. */
const form = "url=http%3A%2F%2F127.0.0.1%2Fa.mp3&language=en&callback_id=a+b%C3%A9"

const questions = {
  "a preset": {
    path: "/v1/presets/notes/responses",
    init: () => json({ model: "any/model", instructions: "Notes, ünïcödé.", temperature: 0.2 })
  },
  "a body of the wrong shape": {
    path: "/v1/presets/notes/responses",
    init: () => json([1, 2, 3])
  },
  "a change": {
    path: "/v1/presets/notes/designated-version",
    init: () => ({ ...json({ version: 1_000 }), method: "PUT" })
  },
  "a form": {
    path: "/v1/transcribe",
    init: () => ({
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: form
    })
  },
  "a form in JSON": {
    path: "/v1/transcribe",
    init: () => json({ url: "http://127.0.0.1/a.mp3", diarization: true })
  },
  "an upload": {
    path: "/v1/transcribe",
    init: () => sendWav(64_000),
    // Binary bytes cannot be restored from text.
    lostBy: ["express.text() for all"]
  },
  nothing: { path: "/v1/presets/notes/responses", init: () => ({ method: "POST" }) },
  "a question": { path: "/v1/presets", init: () => ({}) }
} satisfies Readonly<Record<string, Question>>

const all: ReadonlyArray<Question> = Object.values(questions)

/** Replaces values that differ between calls: ids, timestamps, counts and balances. */
const steady = (text: string): string =>
  text
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "NOW")
    .replace(/"balance_minutes":"[\d.]+"/, "LEFT")
    .replace(/"((?:designated_|latest_)?version(?:_number)?|total)":\d+/g, '"$1":N')

/** Sends all requests over real connections, and returns the responses. */
const answersOf = async (listener: RequestListener, requests: ReadonlyArray<Question>) => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
  const { port } = server.address() as AddressInfo
  try {
    const answers = []
    for (const { init, path } of requests) {
      const { headers, ...rest } = init()
      const sent = { ...rest, headers: { ...headers, ...session } }
      const answer = await fetch(`http://127.0.0.1:${port}${prefix}${path}`, sent)
      answers.push([answer.status, steady(await answer.text())])
    }
    return answers
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

describe("Express", () => {
  let verbatim: Verbatim
  beforeAll(async () => {
    verbatim = await open({ database: "memory:", transcribe, authenticate, prefix })
    // The first request creates the preset that all later requests use.
    await answersOf(verbatim.handler, all)
  })
  afterAll(() => verbatim.close())

  it("returns 400 for an upload that a multipart parser has already read", async () => {
    const app = express5()
    app.use(async (request, _response, next) => {
      for await (const _ of request.resume());
      request.body = {}
      next()
    })
    app.use(prefix, verbatim.handler)
    const [[status, text] = []] = await answersOf(app, [questions["an upload"]])
    assert.strictEqual(status, 400, String(text))
  })

  const versions = { "Express 4": express4, "Express 5": express5 }
  for (const [version, express] of Object.entries(versions)) {
    for (const [name, make] of Object.entries(parsers)) {
      for (const place of ["before", "after"] as const) {
        const title = `${version.slice(-1)} answers like a bare server if mounted ${place} ${name}`
        it(title, async () => {
          const app = express()
          if (place === "before") app.use(prefix, verbatim.handler)
          app.use(make(express))
          if (place === "after") app.use(prefix, verbatim.handler)
          const requests = all.filter(
            ({ lostBy = [] }) => place === "before" || !lostBy.includes(name as Parser)
          )
          const [theirs, bare] = [
            await answersOf(app, requests),
            await answersOf(verbatim.handler, requests)
          ]
          assert.deepStrictEqual(theirs, bare)
        })
      }
    }
  }
})
