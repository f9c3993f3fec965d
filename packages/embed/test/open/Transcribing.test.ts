/** What a host gives to be transcribed, and what it gets. */
import { createReadStream, openAsBlob } from "node:fs"
import { pathToFileURL } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import {
  EngineRefused,
  InvalidInput,
  type JobReference,
  type Media,
  NotFound,
  type Recognise,
  Refused,
  type Transcribe
} from "@verbatim/embed"
import { newFolder } from "./NewFolder.ts"
import { measuring, openFor, recording, rejection } from "./Opened.ts"

const duration = 60_900

describe("transcribe", () => {
  it("takes media into one folder for databases in memory, one after another", async () => {
    const media = newFolder()
    for (let opened = 0; opened < 2; opened += 1) {
      const verbatim = await openFor({ media })
      const result = await verbatim.wait(await verbatim.transcribe({ media: recording }))
      assert.strictEqual(result.state, "completed")
      await verbatim.close()
    }
  })

  it.each<[what: string, media: () => Promise<Media>, filename?: string]>([
    ["a path", async () => recording],
    ["a file: URL", async () => pathToFileURL(recording)],
    ["a Blob", () => openAsBlob(recording), "a.mp3"],
    ["a File", async () => new File([await openAsBlob(recording)], "b.mp3")],
    ["a stream of the web", async () => (await openAsBlob(recording)).stream(), "c.mp3"],
    ["a stream of Node", async () => createReadStream(recording), "d.mp3"]
  ])("takes %s", async (_, makeMedia, filename) => {
    const verbatim = await openFor()
    const media = await makeMedia()
    const job = await verbatim.transcribe({
      media,
      ...(filename === undefined ? {} : { filename })
    })
    const result = await verbatim.wait(job)
    assert(result.state === "completed" && result.transcript !== null)
    assert.strictEqual(result.transcript.durationMillis, duration)
    assert.strictEqual(result.transcript.segments[0]?.text, `${duration} ms`)
  })

  it.each<[what: string, wanted: object, sentence: RegExp]>([
    ["no such file", { media: "/nowhere/a.mp3" }, /no such file/],
    ["a folder", { media: "/tmp", filename: "a.mp3" }, /a folder/],
    ["bytes without a name", { media: new Blob(["x"]) }, /"filename"/],
    ["an extension of another kind", { media: new Blob(["x"]), filename: "a.txt" }, /extension/],
    [
      "texts instead of bytes",
      { media: ReadableStream.from(["x"]), filename: "a.mp3" },
      /Uint8Array/
    ],
    ["nothing", {}, /must be a path/],
    ["a misspelt wish", { media: recording, sumary: "brief" }, /"summary" may be meant/],
    ["a wish that is none", { media: recording, summary: "huge" }, /summary/],
    ["a language of no code", { media: recording, language: "english" }, /language/],
    [
      "a webhook to this machine",
      { media: recording, webhook: { url: "http://localhost:3000/x" } },
      /^webhook\.url leads into a private network, .*`allowNetworks`/
    ],
    ["a workspace without a name", { media: recording, workspace: "" }, /1 to 255/]
  ])("refuses %s with a sentence", async (_, wanted, sentence) => {
    const verbatim = await openFor()
    const fault = await rejection(verbatim.transcribe(wanted as Transcribe))
    assert.instanceOf(fault, InvalidInput)
    assert.match(fault.message, sentence)
    assert.lengthOf((await verbatim.jobs.list()).jobs, 0)
  })

  it("gives the host's own fault back", async () => {
    const verbatim = await openFor()
    const own = new Error("the tape broke")
    const media = async function* (): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(8)
      throw own
    }
    const fault = await rejection(verbatim.transcribe({ media: media(), filename: "a.mp3" }))
    assert.strictEqual(fault, own)
  })

  it("makes one job under one key", async () => {
    const verbatim = await openFor()
    const wanted = { media: recording, idempotencyKey: "one" }
    const [first, second] = await Promise.all([
      verbatim.transcribe(wanted),
      verbatim.transcribe(wanted)
    ])
    assert.strictEqual(first.id, second.id)
    const fault = await rejection(verbatim.transcribe({ ...wanted, language: "de" }))
    assert.instanceOf(fault, Refused)
    assert.strictEqual(fault.code, "IdempotencyConflict")
  })

  it("gives an engine of the host what it needs", async () => {
    const asked: Array<object> = []
    const transcribe: Recognise = (recording) => {
      const { path, signal, ...wishes } = recording
      asked.push({ ...wishes, isWave: path.endsWith(".wav"), isAborted: signal.aborted })
      return measuring(recording)
    }
    const verbatim = await openFor({ transcribe })
    const wishes = {
      ...{ language: "de", initialPrompt: "Namen", diarization: false, vadFilter: false },
      keywords: ["Elbe", "Köhlbrand"]
    }
    await verbatim.wait(await verbatim.transcribe({ media: recording, ...wishes }))
    assert.deepInclude(asked[0], {
      durationMillis: duration,
      language: "de",
      initialPrompt: "Namen",
      keywords: ["Elbe", "Köhlbrand"],
      isDiarized: false,
      isVadFiltered: false,
      isWave: true,
      isAborted: false
    })
  })

  it.each<[what: string, answer: unknown]>([
    ["nothing", undefined],
    ["a text", "hello"],
    ["segments without text", { segments: [{ startMillis: 0, endMillis: 1 }] }]
  ])("fails the attempt where an engine gives %s", async (_, answer) => {
    let calls = 0
    const transcribe = (async () => {
      calls += 1
      if (calls > 1) throw new EngineRefused("enough")
      return answer
    }) as Recognise
    const verbatim = await openFor({ transcribe })
    const job = await verbatim.transcribe({ media: recording })
    const started = await verbatim.jobs.get(job)
    assert.isFalse(started.isOver)
    await untilAttempted(verbatim, job.id)
    const [failed] = (await verbatim.jobs.history(job)).filter(
      ({ failure }) => failure !== undefined
    )
    assert.strictEqual(failed?.failure?.code, "EngineFailed")
  })

  it("ends at once where an engine refuses", async () => {
    const refusal = new EngineRefused("the recording is forbidden")
    const transcribe: Recognise = () => Promise.reject(refusal)
    const verbatim = await openFor({ transcribe })
    const job = await verbatim.transcribe({ media: recording, summary: "brief" })
    const result = await verbatim.wait(job)
    assert(result.state === "failed")
    assert.deepStrictEqual(result.failure, {
      code: "EngineRefused",
      message: "The engine refused the work",
      detail: "EngineRefused: the recording is forbidden"
    })
    assert.deepInclude(result.job.summary, { state: "skipped", reason: "transcription failed" })
    const again = await verbatim.jobs.retry(job)
    assert.strictEqual(again.transcription.state, "pending")
  })
})

describe("jobs", () => {
  it("are listed in pages, and belong to their workspace", async () => {
    const verbatim = await openFor()
    for (const workspace of ["a", "a", "a", "b"]) {
      await verbatim.transcribe({ media: recording, workspace })
    }
    const first = await verbatim.jobs.list({ workspace: "a", limit: 2 })
    assert.lengthOf(first.jobs, 2)
    const rest = await verbatim.jobs.list({ workspace: "a", limit: 2, after: first.next ?? "" })
    assert.lengthOf(rest.jobs, 1)
    assert.isNull(rest.next)
    const [mine] = rest.jobs
    assert(mine !== undefined)
    const { id } = mine
    const { get, render } = verbatim.jobs
    for (const ask of [get, (job: JobReference) => render(job, "srt")]) {
      const missing = await rejection(ask({ id, workspace: "b" }))
      assert.instanceOf(missing, NotFound)
      assert.strictEqual(missing.message, 'The workspace "b" has no such job')
    }
    assert.strictEqual((await verbatim.jobs.get({ id, workspace: mine.workspace })).id, id)
  })

  it("are rendered, removed, and then gone", async () => {
    const verbatim = await openFor()
    const job = await verbatim.transcribe({ media: recording, summary: "brief" })
    const result = await verbatim.wait(job)
    assert(result.state === "completed")
    assert.isString(result.summary)
    const { body, contentType } = await verbatim.jobs.render(job, "srt")
    assert.include(body, "00:00:00,000 --> ")
    assert.include(contentType, "subrip")
    await verbatim.jobs.remove(job)
    for (const ask of [verbatim.jobs.get, verbatim.jobs.result, verbatim.jobs.remove]) {
      assert.instanceOf(await rejection(ask(job)), NotFound)
    }
  })
})

/** Waits until an attempt has failed. */
async function untilAttempted(
  { jobs }: Awaited<ReturnType<typeof openFor>>,
  id: string
): Promise<void> {
  while ((await jobs.history({ id })).every(({ failure }) => failure === undefined)) {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
