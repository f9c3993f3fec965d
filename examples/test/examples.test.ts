import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "vitest"
import { recall } from "../demo/recall.ts"

const local = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Runs an example as its reader would; anything but a good end rejects. */
const run = async (path: string, ...words: ReadonlyArray<string>): Promise<string> => {
  const args = ["--conditions=@verbatim/source", local(path), ...words]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return stdout
}

// Recognition takes 10 s on an idle machine at most, and the recogniser is fetched first where it
// is missing.
const timeout = 300_000

describe("the examples", () => {
  it("embed presets and a transcription in a program", { timeout }, async () => {
    const printed = await run("../1-embedded/main.ts")
    assert.include(printed, "notes version 1: Take notes.")
    assert.include(printed, "notes version 2: Take short notes.")
    assert.include(printed, "we should begin at the old market at nine in the morning")
    assert.match(printed, /^Summary: \S.{20,}$/m)
  })

  it("show the whole of it in a demo", { timeout }, async () => {
    // One sentence: that the whole meeting is understood, the server's own tests show.
    const printed = await run("../demo/main.ts", local("../audio/harbour-opening.mp3"))
    assert.include(printed, "meeting-notes version 2")
    assert.include(printed, "we have to prepare the summer boat trip")
    assert.include(printed, "X-Callback-ID: utf8-b64:ZMOpbW8tMQ==")
    assert.include(printed, "webhook_status DELIVERED")
  })

  // After the recognition of a recording, 30 s until the lease of the killed worker lapses.
  it("run many processes over one Postgres, and lose no job with a killed one", {
    timeout
  }, async () => {
    const printed = await run("../4-postgres-workers/main.ts")
    assert.match(printed, /^Workers\n(?: {2}alive .*\n){3}Owed\n/m)
    assert.include(printed, "worker 2  is killed")
    assert.include(printed, "Nothing is owed.")
    assert.include(printed, "4 of 4 delivered; webhooks received: 4")
  })
})

describe("recall", () => {
  it("counts the words that come in their order", () => {
    assert.strictEqual(recall("one two three four", "one two three four"), 1)
    assert.strictEqual(recall("one two three four", "ONE, noise two four"), 0.75)
    assert.strictEqual(recall("one two three four", "four three two one"), 0.25)
    assert.strictEqual(recall("one two", ""), 0)
  })
})
