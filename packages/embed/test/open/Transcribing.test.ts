/** Tests that a host can submit recordings, use its own engine and read its jobs. */
import { openAsBlob } from "node:fs"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { EngineRefused, type Transcribe, type TranscriptionRequest } from "@verbatim/embed"
import {
  collectFaults,
  ended,
  gated,
  measuring,
  newFolder,
  openFor,
  recording,
  refusal,
  transcribed
} from "./Opened.ts"

const text = "60900 ms"

const authenticate = async () => ({ kind: "inference", user: "ana", workspace: "acme" }) as const

const absent = "018bcfe5-6800-7000-8000-000000000000"

describe("transcriptions.create", () => {
  it.each<[what: string, order: () => Promise<TranscriptionRequest>]>([
    ["a path", async () => ({ path: recording })],
    ["a File", async () => ({ file: new File([await openAsBlob(recording)], "a.mp3") })],
    ["a Blob", async () => ({ file: await openAsBlob(recording), filename: "b.mp3" })],
    ["a stream", async () => ({ file: (await openAsBlob(recording)).stream(), filename: "c.mp3" })]
  ])("accepts %s", async (_, makeOrder) => {
    const verbatim = await openFor()
    const { id } = await verbatim.transcriptions.create(await makeOrder())
    assert.strictEqual((await ended(verbatim, id)).status, "COMPLETED")
    assert.include(await verbatim.transcriptions.result(id, "plain_text"), text)
  })

  it("accepts a form in the framework's own class of requests", async () => {
    const { fetch } = await openFor({ authenticate })
    const body = new FormData()
    body.set("file", await openAsBlob(recording), "a.mp3")
    const request = new Request("http://app.test/v1/transcribe", { method: "POST", body })
    const foreign = new Proxy(request, { get: (own, name) => Reflect.get(own, name, own) })
    assert.strictEqual((await fetch(foreign)).status, 200)
  })

  it("refuses a file that is too large, without unhandled rejections", async () => {
    const faults = collectFaults()
    const { fetch, transcriptions } = await openFor({ authenticate, maxFileMegabytes: 1 })
    const path = join(newFolder(), "large.wav")
    await writeFile(path, new Uint8Array(32_000_000))
    const file = new File([await openAsBlob(path)], "a.wav")
    await refusal(413, transcriptions.create({ file }))
    const body = new FormData()
    body.set("file", file)
    const request = new Request("http://app.test/v1/transcribe", { method: "POST", body })
    assert.strictEqual((await fetch(request)).status, 413)
    await new Promise((resolve) => setTimeout(resolve, 100))
    assert.isEmpty(faults)
  })

  it("uses the same media folder for one in-memory database after another", async () => {
    const media = newFolder()
    for (let opened = 0; opened < 2; opened += 1) {
      const verbatim = await openFor({ media })
      assert.strictEqual((await transcribed(verbatim)).status, "COMPLETED")
      await verbatim.close()
    }
  })
})

describe("the host's engine", () => {
  it("gets the job's parameters", async () => {
    const recordings: Array<object> = []
    const transcribe: Transcribe = (wanted) => {
      const { path, signal, ...wishes } = wanted
      recordings.push({ ...wishes, isWave: path.endsWith(".wav"), isAborted: signal.aborted })
      return measuring(wanted)
    }
    const verbatim = await openFor({ transcribe })
    const { id } = await verbatim.transcriptions.create({
      ...{ path: recording, language: "de", initial_prompt: "Namen", keywords: ["Elbe"] },
      ...{ speakers: 2, speakers_max: 3, vad_filter: false }
    })
    await ended(verbatim, id)
    assert.deepInclude(recordings[0], {
      durationMillis: 60_900,
      language: "de",
      initialPrompt: "Namen",
      keywords: ["Elbe"],
      speakerCount: 2,
      speakerCountMin: null,
      speakerCountMax: 3,
      isVadFiltered: false,
      isWave: true,
      isAborted: false
    })
    assert.doesNotHaveAnyKeys(recordings[0], ["audio", "cutOnce", "onProgress", "recognisePieces"])
  })

  it("can return its result synchronously", async () => {
    const transcribe = (() => ({ segments: [] })) as unknown as Transcribe
    assert.strictEqual((await transcribed(await openFor({ transcribe }))).status, "COMPLETED")
  })

  it.each<[what: string, answer: unknown]>([
    ["nothing", undefined],
    ["a text", "hello"],
    ["segments without text", { segments: [{ startMillis: 0, endMillis: 1 }] }]
  ])("fails an attempt if it returns %s", async (_, answer) => {
    const { transcriptions } = await openFor({ transcribe: (async () => answer) as Transcribe })
    const { id } = await transcriptions.create({ path: recording })
    for await (const { data, event } of transcriptions.events(id)) {
      if (event !== "event" || data.event !== "retry_scheduled") continue
      assert.include(JSON.stringify(data), "The engine failed")
      break
    }
  })

  it("makes the job fail without another attempt if it refuses the recording", async () => {
    const refusing = new EngineRefused("the recording is forbidden")
    const verbatim = await openFor({ transcribe: () => Promise.reject(refusing) })
    const { id } = await verbatim.transcriptions.create({ path: recording, summary: "brief" })
    const { error, status, summary_status } = await ended(verbatim, id)
    assert.deepStrictEqual([status, summary_status], ["FAILED", "SKIPPED: transcription failed"])
    assert.include(JSON.stringify(error), "The engine refused the work")
    const { events } = await verbatim.transcriptions.history(id)
    assert.include(JSON.stringify(events), "The engine refused the work")
    assert.strictEqual((await verbatim.transcriptions.retry(id)).status, "IN_QUEUE")
  })
})

describe("the host's jobs", () => {
  it("return the recording, or ranges of it, while it is kept", async () => {
    const gate = gated()
    const verbatim = await openFor({ transcribe: gate.transcribe })
    const { transcriptions } = verbatim
    const { id } = await transcriptions.create({ path: recording })
    const whole = await readFile(recording)
    const read = async (range?: object) => {
      const media = await transcriptions.media(id, range)
      assert.strictEqual(media.type, "audio/mpeg")
      return Buffer.from(await media.arrayBuffer())
    }
    assert.isTrue(whole.equals(await read()))
    for (const range of [{ from: 10, to: 20 }, { from: whole.length - 5 }, { to: 3 }]) {
      const { from, to }: { from?: number; to?: number } = range
      assert.isTrue(whole.subarray(from, to).equals(await read(range)))
    }
    await refusal(416, transcriptions.media(id, { from: whole.length }))
    await refusal(404, transcriptions.peaks(id))
    gate.open()
    await ended(verbatim, id)
    await refusal(409, transcriptions.media(id))
    const { duration, interval, peaks } = await transcriptions.peaks(id)
    assert.approximately(Number(duration), 60.9, 0.1)
    assert.approximately((peaks.length / 2) * Number(interval), Number(duration), Number(interval))
    for (const fetchPart of [transcriptions.media, transcriptions.peaks])
      await refusal(404, fetchPart(absent))
  })
})
