import { createClient, type LiveText, VerbatimError } from "@verbatim/client"
import { MediaStore } from "@verbatim/core/ports"
import { sampleRate } from "@verbatim/core/transcription"
import { calmScript, FakeMedia } from "@verbatim/testkit/fakes"
import { Effect } from "effect"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { makeClient } from "#src/Client"
import { makeClock, quickClock } from "./Clocks.ts"
import { keys, recordingUrl, type Server, startServer } from "./Server.ts"

let server: Server
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())
beforeEach(() => Effect.runPromise(server.engines.script(calmScript)))

const clientOf = (key: string = keys.inference) =>
  makeClient({ baseURL: server.baseURL, key }, quickClock)

/** This engine is not ready, so jobs wait for it. */
const preparing = { readiness: { _tag: "Preparing", sentence: "being fetched" } } as const

describe("a transcription", () => {
  it("can be awaited and then read in every rendering", async () => {
    const { transcriptions } = clientOf()
    const order = { url: recordingUrl, summary: "brief", language: "en" } as const
    const { id } = await transcriptions.create(order)
    const seen: Array<string> = []
    const onProgress = (job: { transcription_status: string }) =>
      void seen.push(job.transcription_status)
    const job = await transcriptions.wait(id, { onProgress })
    assert.deepInclude(job, {
      transcription_status: "COMPLETED",
      summary_status: "COMPLETED",
      summary: "Somebody said hello."
    })
    assert.strictEqual(seen.at(-1), "COMPLETED")
    const { list } = await transcriptions.result(id, "paragraph_json")
    assert.strictEqual(list[0]?.text, "Hello there.")
    assert.isNotEmpty((await transcriptions.result(id, "word_json")).list)
    assert.isNotEmpty((await transcriptions.result(id, "plain_json")).list)
    for (const form of ["plain_text", "paragraph_text", "srt", "vtt"] as const) {
      assert.include(await transcriptions.result(id, form), "Hello there.")
    }
    const { duration, interval, peaks } = await transcriptions.peaks(id)
    assert.deepStrictEqual([duration, interval, peaks.length], [120, 60, 4])
    const { events } = await transcriptions.history(id)
    assert.strictEqual(events.at(-1)?.about, "summary")
  })

  it("has text before the recording is fully recognised", async () => {
    const gate = Promise.withResolvers<void>()
    const minute = 60 * sampleRate
    const transcribe = Effect.gen(function* () {
      const recognisePieces = (yield* server.engines.recognitions).at(-1)?.recognisePieces
      if (recognisePieces === undefined) return yield* Effect.die("there are no pieces")
      yield* recognisePieces({
        cut: [0, 1].map((index) => ({ from: index * minute, to: (index + 1) * minute })),
        settings: "a test",
        recognise: ({ from }) =>
          Effect.as(from === 0 ? Effect.void : Effect.promise(() => gate.promise), {
            segments: [{ startMillis: 0, endMillis: 900, text: `from ${from / minute}` }]
          })
      })
      return yield* calmScript.transcribe
    })
    await Effect.runPromise(server.engines.script({ transcribe }))
    const { transcriptions } = clientOf()
    const { id } = await transcriptions.create({ url: recordingUrl, language: "fr" })
    const received: Array<LiveText> = []
    for await (const part of transcriptions.text(id)) {
      received.push(part)
      gate.resolve()
    }
    const { output, pieces } = await transcriptions.details(id)
    assert.deepStrictEqual(pieces, { done: 2, total: 2 })
    assert.deepStrictEqual(received, [
      { segments: [{ start: "0", end: "0.9", text: "from 0" }], partial: true },
      { segments: [{ start: "60", end: "60.9", text: "from 1" }], partial: true },
      { segments: output?.list ?? [], partial: false }
    ])
  })

  it("has no result until it has ended", async () => {
    await Effect.runPromise(server.engines.script(preparing))
    const { transcriptions } = clientOf()
    const { id } = await transcriptions.create({ url: recordingUrl })
    for (const form of ["srt", "word_json"] as const) {
      const error = await transcriptions.result(id, form).catch((cause) => cause)
      assert.instanceOf(error, VerbatimError)
      assert.deepInclude(error, { kind: "unfinished", status: 200 })
      assert.deepInclude(error.body, { id })
    }
  })

  it("ends the wait if it fails, and can then be retried", async () => {
    const { transcriptions } = clientOf()
    await server.failEngine()
    const { id } = await transcriptions.create({ url: recordingUrl })
    assert.strictEqual((await transcriptions.wait(id)).transcription_status, "FAILED")
    await Effect.runPromise(server.engines.script(calmScript))
    await transcriptions.retry(id)
    assert.strictEqual((await transcriptions.wait(id)).transcription_status, "COMPLETED")
  })
})

describe("a list of all transcriptions", () => {
  it("contains each job once, newest first, across pages", async () => {
    const { transcriptions } = clientOf()
    const first = await transcriptions.list({ limit: 1 })
    const ids: Array<string> = []
    for await (const { id } of transcriptions.list({ limit: 2 })) ids.push(id)
    const whole = await transcriptions.list({ limit: 100 })
    assert.isAbove(ids.length, 3)
    assert.strictEqual(ids[0], first.data[0]?.id)
    assert.deepStrictEqual(
      ids,
      whole.data.map(({ id }) => id)
    )
    const failed: Array<string> = []
    for await (const { id } of transcriptions.list({ status: "FAILED" })) failed.push(id)
    assert.deepStrictEqual(
      failed,
      whole.data.flatMap(({ id, status }) => (status === "FAILED" ? [id] : []))
    )
  })

  it("loads only the pages that are read", async () => {
    let count = 0
    const fetch = async () => {
      count += 1
      return Response.json({ data: [{ id: `${count}` }], next_cursor: `${Math.min(count, 3)}` })
    }
    const { transcriptions } = createClient({ baseURL: server.baseURL, fetch })
    for await (const { id } of transcriptions.list()) if (id === "2") break
    assert.strictEqual(count, 2)
    count = 0
    const read = async () => {
      for await (const { id } of transcriptions.list()) assert.isAtMost(Number(id), 4)
    }
    // The server's fourth page repeats its own cursor, which must not cause an endless loop.
    assert.deepInclude(await read().catch((cause) => cause), { kind: "unreadable" })
  })
})

describe("wait", () => {
  const answering = (job: object) => {
    const { clock, pauses } = makeClock()
    const fetch = async () => Response.json({ id: "1", transcription_status: "COMPLETED", ...job })
    return { pauses, client: makeClient({ baseURL: "http://a.example", fetch }, clock) }
  }

  it("polls at growing intervals until the job has ended", async () => {
    const { clock, pauses } = makeClock()
    let readCount = 0
    const fetch = async () => {
      readCount += 1
      const transcription_status = readCount > 9 ? "COMPLETED" : "IN_PROGRESS"
      return Response.json({ id: "1", transcription_status, progress: readCount / 10 })
    }
    const { transcriptions } = makeClient({ baseURL: "http://a.example", fetch }, clock)
    await transcriptions.wait("1")
    assert.deepStrictEqual(pauses.slice(0, 3), [1000, 1500, 2250])
    assert.deepStrictEqual([pauses.length, pauses.at(-1)], [8, 15_000])
    readCount = 0
    pauses.length = 0
    await transcriptions.wait("1", { interval: 20_000 })
    assert.deepStrictEqual([...new Set(pauses)], [20_000])
  })

  it("ends when transcript and summary have ended, successfully or not", async () => {
    for (const job of [
      {},
      { transcription_status: "FAILED", summary_status: "SKIPPED: transcription failed" },
      { transcription_status: "TRANSCRIBED", webhook_status: "PENDING" },
      { summary_status: "FAILED: The engine failed" },
      { summary_status: "COMPLETED" }
    ]) {
      const { client, pauses } = answering(job)
      await client.transcriptions.wait("1")
      assert.isEmpty(pauses)
    }
  })

  it("ends if its signal is aborted, and leaves the job unchanged", async () => {
    const reason = new Error("enough")
    const controller = new AbortController()
    const { client } = answering({ summary_status: "PENDING" })
    const options = { signal: controller.signal, onProgress: () => controller.abort(reason) }
    const error = await client.transcriptions.wait("1", options).catch((cause) => cause)
    assert.strictEqual(error, reason)
    // This wait uses the platform's clock, and the abort comes during a pause.
    const real = createClient({
      baseURL: "http://a.example",
      fetch: async () => Response.json({ transcription_status: "IN_QUEUE" })
    })
    const second = new AbortController()
    const waiting = real.transcriptions.wait("1", {
      interval: 3_600_000,
      signal: second.signal,
      onProgress: () => void setTimeout(() => second.abort(reason))
    })
    assert.strictEqual(await waiting.catch((cause) => cause), reason)
  })
})

/** Returns the stored recording of a job that waits for its engine. */
const storedOf = (id: string): Promise<string> =>
  server.run(
    Effect.scoped(
      Effect.gen(function* () {
        const media = yield* FakeMedia
        const [key] = (yield* media.stored).filter((each) => each.includes(id))
        if (key === undefined) return ""
        const { path } = yield* (yield* MediaStore).open(key)
        return new TextDecoder().decode(media.contentOf(path))
      })
    )
  )

describe("an upload", () => {
  beforeEach(() => Effect.runPromise(server.engines.script(preparing)))

  it("sends files, blobs and streams unchanged", async () => {
    const { transcriptions } = clientOf()
    const bytes = "the bytes of a meeting"
    const stream = new Blob([bytes]).stream()
    for (const source of [
      { file: new File([bytes], "a.mp3") },
      { file: new Blob([bytes]), filename: "a.mp3" },
      { file: stream, filename: 'a "quoted"\r\nname.mp3' }
    ]) {
      const { id } = await transcriptions.create({ ...source, initial_prompt: "Ünal\r\n--" })
      assert.strictEqual(await storedOf(id), bytes)
    }
    const name = { file: new Blob([bytes]).stream(), filename: "a.exe" }
    const error = await transcriptions.create(name).catch((cause) => cause)
    assert.deepInclude(error, { status: 415, message: "Unsupported file extension: .exe" })
  })

  it("reads a stream only as fast as it sends it, and is never retried", async () => {
    let pulled = 0
    const file = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 1
        controller.enqueue(new Uint8Array(65_536))
      }
    })
    let sent = 0
    const fetch = async ({ body }: Request) => {
      sent += 1
      const reader = body?.getReader()
      for (let count = 0; count < 3; count += 1) await reader?.read()
      return Response.json({ detail: "Not now" }, { status: 503 })
    }
    const client = createClient({ baseURL: "http://a.example", fetch })
    const error = await client.transcriptions
      .create({ file, filename: "a.mp3" })
      .catch((cause) => cause)
    assert.deepInclude(error, { status: 503 })
    assert.strictEqual(sent, 1)
    assert.isBelow(pulled, 10)
  })

  it("first reads the stream into a blob if the platform cannot send streams", async () => {
    const { transcriptions } = clientOf()
    const sent = globalThis.Request
    // This `Request` behaves as in Firefox and Safari, where `duplex` is unknown and a stream is
    // sent as text.
    globalThis.Request = class extends sent {
      constructor(url: string, { body, method }: RequestInit = {}) {
        super(url, { body: String(body), method: method ?? "GET" })
      }
    } as typeof Request
    try {
      const file = new Blob(["abc"]).stream()
      const { id } = await transcriptions.create({ file, filename: "a.mp3" })
      assert.strictEqual(await storedOf(id), "abc")
    } finally {
      globalThis.Request = sent
    }
  })

  it("can be sent as a form in a call by path", async () => {
    const client = clientOf()
    const file = new File(["abc"], "a.mp3")
    const { data } = await client.POST("/transcribe", { body: { file, vad_filter: "false" } })
    assert.strictEqual(await storedOf(data?.id ?? ""), "abc")
  })
})
