import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { startReceiver } from "./Receiver.ts"
import { slowMeeting, startMediaHost } from "./Recordings.ts"
import { dataDirectory, ServerProcess } from "./ServerProcess.ts"

type Job = Readonly<Record<string, string>>

const hasEnded = ({ summary_status = "" }: Job) => !/^(?:PENDING|IN_PROGRESS)$/.test(summary_status)

const words = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[a-z]+/g) ?? []

let directory: Awaited<ReturnType<typeof dataDirectory>>
let server: ServerProcess

beforeAll(async () => {
  directory = await dataDirectory()
  server = await ServerProcess.start(directory.path)
})

afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await directory[Symbol.asyncDispose]()
})

const checkSummary = async ({ id, summary = "", ...job }: Job) => {
  assert.strictEqual(job.transcription_status, "COMPLETED")
  assert.strictEqual(job.summary_status, "COMPLETED")
  const paragraphs = summary.split("\n\n")
  assert.include([1, 2, 3], paragraphs.length)
  assert.isTrue(paragraphs.every((paragraph) => /^[A-Z].*\.$/.test(paragraph)))
  const transcript = await server.request(`/v1/status/${id}/plain_text`)
  const said = new Set(words(await transcript.text()))
  assert.isAtLeast(said.size, 20)
  assert.isTrue(words(summary).every((word) => said.has(word)))
}

describe("a recording of four minutes", () => {
  // The recogniser takes about 4 s on an idle machine, and longer on a busy one, and is downloaded
  // first if it is missing. `EndToEnd.test.ts` covers the summary of an uploaded file.
  it("is downloaded, and summarized in one to three paragraphs", async () => {
    // The beginning of the meeting, with at least 20 words, because silence is recognised quickly.
    await using host = await startMediaHost("meeting.wav", await slowMeeting(240, 2))
    const linked = await server.json("/v1/transcribe", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ url: host.url, summary: "medium", language: "en" })
    })
    assert.strictEqual(linked.transcription_status, "ACCEPTED")
    const job = await server.until(linked.id ?? "", hasEnded)
    const { output } = job as unknown as { readonly output: { readonly duration: string } }
    assert.isAtLeast(Number(output.duration), 240)
    await checkSummary(job)
  })
})

describe("a file that is not media", () => {
  it("fails with a sentence, and keeps its legacy status after a webhook", async () => {
    await using receiver = await startReceiver()
    const parameters = { callback_url: receiver.url, callback_id: "a b", modifier: "plain_text" }
    const file = new File(["Only my name says that I am sound: \x1b[31m /etc/passwd\n"], "x.mp3")
    const accepted = await server.upload({ ...parameters, summary: "brief" }, file)
    const { balance_minutes, id = "" } = accepted
    const done = await server.until(id, ({ webhook_status }) => webhook_status !== "PENDING")
    assert.strictEqual(done.webhook_status, "DELIVERED")
    assert.strictEqual(done.transcription_status, "FAILED")
    assert.strictEqual(done.status, "FAILED")
    assert.strictEqual(done.error, "The format of the file is not known")
    assert.strictEqual(done.summary_status, "SKIPPED: transcription failed")
    assert.strictEqual(done.balance_minutes, balance_minutes)

    assert.strictEqual(receiver.arrived.length, 1)
    const [report] = receiver.arrived
    assert.strictEqual(report?.headers["content-type"], "application/json")
    assert.strictEqual(report?.headers["x-callback-id"], "a b")
    const body = JSON.parse(report?.body ?? "")
    assert.strictEqual(body.id, id)
    assert.strictEqual(body.error, done.error)
    assert.strictEqual(body.status, "FAILED")
    assert.notProperty(body, "output")
  })
})
