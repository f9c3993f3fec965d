import { VerbatimError } from "@verbatim/client"
import { assert, describe, it } from "vitest"
import { makeClient } from "#src/Client"
import { pauseAfter } from "#src/Retry"
import { makeClock } from "./Clocks.ts"

type Step = { readonly status: number; readonly retryAfter?: string } | "no answer"

const answerOf = (step: Step): Response => {
  if (step === "no answer") throw new TypeError("fetch failed")
  const { retryAfter, status } = step
  const headers = retryAfter === undefined ? {} : { "retry-after": retryAfter }
  if (status === 204) return new Response(null, { status })
  return Response.json(status < 400 ? { data: {} } : { detail: "Not now" }, { status, headers })
}

type Options = Omit<Parameters<typeof makeClient>[0], "baseURL" | "fetch">

/** A client of a scripted server, with the requests that this server received. */
const script = (steps: ReadonlyArray<Step>, options: Options = {}) => {
  const { clock, pauses } = makeClock()
  const sent: Array<{ readonly headers: Headers; readonly body: string }> = []
  const fetch = async (request: Request) => {
    sent.push({ headers: request.headers, body: await request.text() })
    return answerOf(steps[sent.length - 1] ?? { status: 200 })
  }
  const client = makeClient({ baseURL: "http://a.example", fetch, ...options }, clock)
  return { client, pauses, sent }
}

const busy = { status: 503 }
const later = { status: 429, retryAfter: "3" }

describe("a call", () => {
  it("is retried only if a retry is safe and could succeed", async () => {
    for (const [first, isRepeated] of [
      ["no answer", true],
      [later, true],
      [{ status: 429 }, true],
      [busy, true],
      [{ status: 502 }, true],
      [{ status: 500, retryAfter: "1" }, true],
      [{ status: 500 }, false],
      [{ status: 404, retryAfter: "1" }, false],
      [{ status: 409 }, false]
    ] as const) {
      const { client, sent } = script([first])
      await client.presets.list().catch((error) => assert.instanceOf(error, VerbatimError))
      assert.strictEqual(sent.length, isRepeated ? 2 : 1, JSON.stringify(first))
    }
  })

  it("is retried after an unknown outcome only if it has an idempotency key", async () => {
    for (const [first, isRepeated] of [
      ["no answer", false],
      [busy, false],
      // The server refuses these requests before it does any work.
      [later, true]
    ] as const) {
      const { client, sent } = script([first])
      await client.transcriptions.retry("1").catch(() => {})
      assert.strictEqual(sent.length, isRepeated ? 2 : 1)
    }
    const creating = script(["no answer", busy])
    await creating.client.presets.createFromResponses("notes", { model: "a/b" })
    const bodies = new Set(creating.sent.map(({ body }) => body))
    const used = new Set(creating.sent.map(({ headers }) => headers.get("idempotency-key")))
    assert.strictEqual(creating.sent.length, 3)
    assert.deepStrictEqual([...bodies], ['{"model":"a/b"}'])
    assert.strictEqual(used.size, 1)
    assert.match([...used].join(), /^[0-9a-f]{32}$/)
  })

  it("is not retried after an unknown outcome if it has a precondition", async () => {
    const { client, sent } = script(["no answer"])
    await client.presets.designate("notes", { version: 1 }, { ifMatch: "v" }).catch(() => {})
    assert.strictEqual(sent.length, 1)
    assert.strictEqual(sent[0]?.headers.get("if-match"), '"v"')
  })

  it("sends the caller's idempotency key, request id and headers in every attempt", async () => {
    const options = { idempotencyKey: "order-1", requestId: "request-1", headers: { "x-a": "b" } }
    const { client, sent } = script([busy], { key: "k", headers: { "x-c": "d" } })
    await client.transcriptions.create({ url: "https://a.example/a.mp3" }, options)
    assert.strictEqual(sent.length, 2)
    for (const { headers } of sent) {
      assert.deepStrictEqual(Object.fromEntries(headers), {
        authorization: "Bearer k",
        "content-type": "application/json",
        "idempotency-key": "order-1",
        "x-a": "b",
        "x-c": "d",
        "x-request-id": "request-1"
      })
    }
  })

  it("sends a form again with a header that matches its new boundary", async () => {
    const { client, sent } = script([busy])
    await client.transcriptions.create({ file: new File(["abc"], "a.mp3"), vad_filter: false })
    assert.strictEqual(sent.length, 2)
    for (const { body, headers } of sent) {
      const form = await new Response(body, { headers }).formData()
      assert.strictEqual(form.get("vad_filter"), "false")
      assert.strictEqual(await (form.get("file") as File).text(), "abc")
    }
  })

  it("opens its file again for each attempt", async () => {
    const { client, sent } = script([busy])
    await client.transcriptions.create({ path: new URL(import.meta.url).pathname, language: "en" })
    const [first, second] = sent
    assert.strictEqual(sent.length, 2)
    assert.strictEqual(second?.body, first?.body)
    assert.include(first?.body, "opens a file by its path again")
    assert.strictEqual(second?.headers.get("content-type"), first?.headers.get("content-type"))
  })

  it("makes four attempts by default, or as many as the options allow", async () => {
    const down = Array.from({ length: 9 }, () => busy)
    for (const [retry, count] of [
      [undefined, 4],
      [{ maxAttempts: 2 }, 2],
      [false, 1]
    ] as const) {
      const { client, sent } = script(down, { retry })
      const error = await client.presets.list().catch((cause) => cause)
      assert.strictEqual(sent.length, count)
      assert.deepInclude(error, { status: 503, message: "Not now" })
      if (retry === false) assert.isNull(sent[0]?.headers.get("idempotency-key"))
    }
  })

  it("respects Retry-After, backs off, and stays within the time limit", async () => {
    const growing = script([busy, "no answer", busy])
    await growing.client.presets.list()
    assert.deepStrictEqual(growing.pauses, [500, 1000, 2000])
    const delayed = script([later])
    await delayed.client.presets.list()
    assert.deepStrictEqual(delayed.pauses, [3000])
    const tomorrow = script([{ status: 429, retryAfter: "3600" }])
    const error = await tomorrow.client.presets.list().catch((cause) => cause)
    assert.deepStrictEqual([tomorrow.pauses, error.retryAfter], [[], 3600])
    const date = new Date(Date.now() + 30_000).toUTCString()
    const dated = script([{ status: 429, retryAfter: date }])
    await dated.client.presets.list()
    assert.isAbove(dated.pauses[0] ?? 0, 20_000)
  })

  it("is not retried if it is a health check", async () => {
    const { client, sent } = script([busy])
    assert.strictEqual((await client.GET("/health/ready")).response.status, 503)
    assert.strictEqual(sent.length, 1)
  })

  it("succeeds if it deletes a job and the response to its first attempt is lost", async () => {
    const { client } = script(["no answer", { status: 404 }])
    await client.transcriptions.remove("1")
    const gone = script([{ status: 404 }])
    const error = await gone.client.transcriptions.remove("1").catch((cause) => cause)
    assert.deepInclude(error, { status: 404 })
  })

  it("rejects with the abort reason of its own signal or the client's", async () => {
    const reason = new Error("enough")
    for (const place of ["call", "client"]) {
      const { abort, signal } = ((controller) => ({
        abort: () => controller.abort(reason),
        signal: controller.signal
      }))(new AbortController())
      const { clock } = makeClock()
      const fetch = (request: Request) =>
        new Promise<Response>((_, reject) => {
          request.signal.addEventListener("abort", () => reject(request.signal.reason))
          abort()
        })
      const own = place === "client" ? { signal } : {}
      const client = makeClient({ baseURL: "http://a.example", fetch, ...own }, clock)
      const other = new AbortController().signal
      const calling = client.presets.list({ signal: place === "call" ? signal : other })
      assert.strictEqual(await calling.catch((cause) => cause), reason)
    }
  })
})

describe("the pause before an attempt", () => {
  it("never exceeds the time limit", () => {
    const limits = { maxAttempts: 100, totalMillis: 10_000 }
    for (let attempt = 1; attempt < 100; attempt += 1) {
      for (const elapsedMillis of [0, 9_000, 9_999, 10_000]) {
        for (const chance of [0, 0.5, 0.999]) {
          const given = { repeatable: true, limits, attempt, elapsedMillis, chance }
          const pause = pauseAfter({ status: 503 }, given)
          if (pause !== undefined) assert.isAtMost(elapsedMillis + pause, limits.totalMillis)
        }
      }
    }
  })
})
