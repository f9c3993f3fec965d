import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { chooseCases } from "@verbatim/testkit/laws"
import { assert, describe, it } from "vitest"

const local = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Runs an example as a reader would, and returns its output. Rejects if the example fails. */
const run = async (path: string, ...words: ReadonlyArray<string>): Promise<string> => {
  const args = ["--conditions=@verbatim/source", local(path), ...words]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return stdout
}

// Recognition takes at most 10 s on an idle machine. The recogniser is downloaded first if it is
// missing.
const timeout = 300_000

interface Example {
  readonly title: string
  readonly path: string
  readonly words?: ReadonlyArray<string>
  readonly prints: ReadonlyArray<RegExp | string>
}

const examples: ReadonlyArray<Example> = [
  {
    title: "embed presets and a transcription in a program",
    path: "../1-embedded/main.ts",
    prints: [
      "notes version 1: Take notes.",
      "notes version 2: Take short notes.",
      "that is a good place because the train station is close to the market",
      /^Summary: \S.{20,}$/m
    ]
  },
  {
    title: "show all of Verbatim in a demo",
    path: "../demo/main.ts",
    // This recording contains one sentence. The server's own tests transcribe the whole meeting.
    words: [local("../audio/harbour-opening.mp3")],
    prints: [
      "meeting-notes version 2",
      "we have to prepare the summer boat trip",
      "X-Callback-ID: utf8-b64:ZMOpbW8tMQ==",
      "webhook_status DELIVERED"
    ]
  },
  {
    // This example recognises a recording, and waits 30 s until the killed worker's lease expires.
    title: "run many processes over one Postgres, and lose no job if one is killed",
    path: "../10-postgres-workers/main.ts",
    prints: [
      /^Workers\n(?: {2}alive .*\n){3}Pending work\n/m,
      "worker 2  is killed",
      /^worker [13] {2}Transcription done: [0-9a-f-]{36}$/m,
      "No pending work.",
      "4 of 4 delivered; webhooks received: 4"
    ]
  }
]

// Each example runs several servers from source, so each commit tests only one example. `.ci/run`
// tests all examples.
describe("the examples", () => {
  for (const { path, prints, title, words = [] } of chooseCases(examples, examples.length)) {
    it(title, { timeout }, async () => {
      const printed = await run(path, ...words)
      for (const each of prints) {
        if (typeof each === "string") assert.include(printed, each)
        else assert.match(printed, each)
      }
    })
  }
})
