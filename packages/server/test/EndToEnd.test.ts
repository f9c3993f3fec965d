import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { startReceiver } from "./Receiver.ts"
import { dataDirectory, ServerProcess } from "./ServerProcess.ts"

const spoken = new URL("../../../examples/audio/harbour-meeting.txt", import.meta.url)

const words = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[a-z]+/g) ?? []

/** The number of speaker turns in the one-minute recording. */
const turnCount = 3

/**
 * Returns the share of the spoken words that were recognised. The tests of the examples check their
 * order.
 */
const heardShare = async (recognised: string) => {
  const recognisedWords = new Set(words(recognised))
  const spokenWords = words((await readFile(spoken, "utf8")).split("\n", turnCount).join(" "))
  return spokenWords.filter((word) => recognisedWords.has(word)).length / spokenWords.length
}

describe("the server, from end to end", () => {
  // The speech model is downloaded first if it is missing.
  it("turns a recording into a transcript and a summary, and delivers a webhook", async () => {
    await using directory = await dataDirectory()
    await using receiver = await startReceiver()
    await using server = await ServerProcess.start(directory.path)
    const parameters = { summary: "brief", callback_url: receiver.url, callback_id: "démo-1" }
    const accepted = await server.upload(parameters, "harbour-minute.mp3")
    assert.strictEqual(accepted.transcription_status, "IN_QUEUE")
    assert.strictEqual(accepted.callback_id, "démo-1")

    const done = await server.until(
      accepted.id ?? "",
      ({ webhook_status }) => webhook_status !== "PENDING"
    )
    assert.strictEqual(done.status, "WEBHOOK_DELIVERED")
    assert.strictEqual(done.transcription_status, "TRANSCRIBED")
    assert.strictEqual(done.summary_status, "COMPLETED")
    assert.strictEqual(done.balance_minutes, "598.98")

    const response = await server.request(`/v1/status/${accepted.id}/plain_text`)
    assert.strictEqual(response.headers.get("content-type"), "text/plain; charset=utf-8")
    assert.isAtLeast(await heardShare(await response.text()), 0.8)

    assert.strictEqual(receiver.arrived.length, 1)
    const [webhook] = receiver.arrived
    assert.strictEqual(webhook?.headers["x-callback-id"], "utf8-b64:ZMOpbW8tMQ==")
    const body = JSON.parse(webhook?.body ?? "")
    assert.strictEqual(body.id, accepted.id)
    assert.strictEqual(body.summary, done.summary)
    assert.deepStrictEqual(body.output, done.output)
    assert.deepStrictEqual(await readdir(join(directory.path, "media")).then(jobFolders), [])
  })
})

/** Lists the folders of jobs, without the hidden folders of the store. */
const jobFolders = (names: ReadonlyArray<string>) => names.filter((name) => !name.startsWith("."))
