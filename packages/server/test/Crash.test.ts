import { once } from "node:events"
import { connect } from "node:net"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "vitest"
import { startReceiver } from "./Receiver.ts"
import { dataDirectory, inferenceKey, passLeases, ServerProcess } from "./ServerProcess.ts"

const inProgress = (job: Readonly<Record<string, string>>) =>
  job.transcription_status === "IN_PROGRESS"

const ended = ({ webhook_status }: Readonly<Record<string, string>>) => webhook_status !== "PENDING"

/** Starts a server, and a job with a webhook on it. */
const startWork = async (directory: string, receiver: string) => {
  const first = await ServerProcess.start(directory)
  const { id = "" } = await first.upload({ callback_url: receiver })
  await first.until(id, inProgress)
  return { first, id }
}

describe("a server", () => {
  it("can be killed, after which another server charges and delivers its job once", async () => {
    await using directory = await dataDirectory()
    await using receiver = await startReceiver()
    const { first, id } = await startWork(directory.path, receiver.url)
    await first.end("SIGKILL")

    await using second = await ServerProcess.start(directory.path)
    assert.isTrue(inProgress(await second.json(`/v1/status/${id}`)))
    passLeases(directory.path)
    const done = await second.until(id, ended)
    assert.strictEqual(done.status, "WEBHOOK_DELIVERED")
    assert.strictEqual(done.balance_minutes, "599.96")
    assert.strictEqual(receiver.arrived.length, 1)
    const line = /Taken over: Transcription was interrupted by the end of its process/g
    assert.lengthOf(second.errors.match(line) ?? [], 1)
  })

  it("releases its work when it is stopped, and exits with 0", async () => {
    await using directory = await dataDirectory()
    await using receiver = await startReceiver()
    const { first, id } = await startWork(directory.path, receiver.url)
    const code = await first.end("SIGTERM")
    assert.strictEqual(code, 0)

    await using second = await ServerProcess.start(directory.path, { VERBATIM_ROLES: "http" })
    const waiting = await second.json(`/v1/status/${id}`)
    assert.strictEqual(waiting.transcription_status, "IN_QUEUE")
    await using worker = await ServerProcess.start(directory.path)
    assert.strictEqual((await worker.until(id, ended)).status, "WEBHOOK_DELIVERED")
    assert.strictEqual(receiver.arrived.length, 1)
  })

  it("exits with 0 even during an upload and while the database is locked", async () => {
    await using directory = await dataDirectory()
    await using server = await ServerProcess.start(directory.path)
    const { id = "" } = await server.upload({})
    await server.until(id, inProgress)
    const client = connect(Number(new URL(server.address).port), "127.0.0.1")
    client.on("error", () => undefined)
    await once(client, "connect")
    client.write(unfinishedUpload)
    using database = new DatabaseSync(join(directory.path, "verbatim.db"), { timeout: 5_000 })
    database.exec("BEGIN IMMEDIATE")
    const code = await server.end("SIGTERM")
    client.destroy()
    assert.strictEqual(code, 0)
  })
})

const unfinishedUpload = [
  "POST /v1/transcribe HTTP/1.1",
  "Host: localhost",
  `Authorization: Bearer ${inferenceKey}`,
  "Content-Type: multipart/form-data; boundary=b",
  "Content-Length: 1000000",
  "",
  "--b",
  'Content-Disposition: form-data; name="file"; filename="long.wav"',
  "",
  "RIFF"
].join("\r\n")
