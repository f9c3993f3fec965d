/** Tests that a server recovers after its recognisers, which run in child processes, are killed. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { dataDirectory, operate, ServerProcess, type Settings } from "./ServerProcess.ts"

const local = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const minute = local("../../../examples/audio/harbour-minute.mp3")

let directory: Awaited<ReturnType<typeof dataDirectory>>
let settings: Settings

/** Creates a directory with small models that the real engine can read. */
beforeAll(async () => {
  directory = await dataDirectory()
  const models = join(directory.path, "models")
  execFileSync(process.execPath, [local("../../adapters/test/whisper/WriteModels.ts"), models])
  settings = { VERBATIM_TRANSCRIBER: "whisper", VERBATIM_MODELS: models }
})

afterAll(() => directory[Symbol.asyncDispose]())

/** Reads a file about a process. Returns an empty string if the process has exited. */
const readOf = (path: string): string => {
  try {
    return readFileSync(`/proc/${path}`, "utf8")
  } catch {
    return ""
  }
}

/** Lists the process ids of the recognisers that a server runs. */
const recognisers = (server: number | undefined): ReadonlyArray<number> =>
  readOf(`${server}/task/${server}/children`)
    .split(" ")
    .filter((pid) => pid !== "" && readOf(`${pid}/cmdline`).includes("whisper/Child"))
    .map(Number)

const next = async (server: number | undefined): Promise<number> => {
  for (;;) {
    const [pid] = recognisers(server)
    if (pid !== undefined) return pid
    await sleep(5)
  }
}

describe("a server with models", () => {
  it("replaces a killed recogniser, finishes the job, and ends its child processes", async () => {
    await using server = await ServerProcess.start(directory.path, settings)
    const { id = "" } = await server.upload({}, "harbour-meeting.flac")
    process.kill(await next(server.child.pid), "SIGKILL")
    const job = await server.until(id, (each) => each.transcription_status === "COMPLETED")
    assert.strictEqual(Object(job.output).language, "de")
    assert.isAtLeast(Object(job.output).list.length, 8)
    // The recording, 72.57 s long, is charged once.
    assert.strictEqual(job.balance_minutes, "598.79")
    const health = await server.json("/health")
    const { detail } = Object(health.transcriber)
    assert.include(detail, "sherpa-onnx base (chosen for an unknown language")
    // The new recogniser is reused for the next job.
    const pid = await next(server.child.pid)
    const { id: second = "" } = await server.upload({}, "harbour-meeting.flac")
    await server.until(second, (each) => each.transcription_status === "COMPLETED")
    assert.deepStrictEqual(recognisers(server.child.pid), [pid])

    await server.upload({}, "harbour-meeting.flac")
    const code = await server.end("SIGTERM")
    assert.strictEqual(code, 0)
    assert.throws(() => process.kill(pid, 0), "ESRCH")
  })

  it("is not needed to transcribe a file or to tell its speakers apart", async () => {
    const args = ["transcribe", minute, "--format", "srt", "--speakers"]
    const { status, stderr, stdout } = await operate(directory.path, args, settings)
    assert.strictEqual(status, 0, stderr)
    assert.match(stdout, /^1\n00:00:00,\d{3} --> 00:00:01,\d{3}\ngood morning everyone\n\n2\n/)
    assert.include(stderr, "language de")
  })
})
