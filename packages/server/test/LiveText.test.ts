/**
 * Tests commands that print text while the engine is still recognising the rest of the recording.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createInterface } from "node:readline"
import { buffer, text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"
import { programArguments } from "./Program.ts"
import {
  dataDirectory,
  environment,
  managementKey,
  operate,
  ServerProcess,
  type Settings
} from "./ServerProcess.ts"

/** A recording that is split into several pieces. */
const minute = fileURLToPath(new URL("../../../examples/audio/harbour-minute.mp3", import.meta.url))

const toAnswer = (count: number) => ({
  text: `Piece ${count}.`,
  language: "english",
  duration: 20,
  segments: [{ start: 1, end: 2, text: ` Piece ${count}.` }]
})

/**
 * Starts an engine with OpenAI's protocol that recognises the first piece immediately and then
 * waits.
 */
const startEngine = async () => {
  const released = Promise.withResolvers<void>()
  let count = 0
  const server = createServer(async (request, response) => {
    await buffer(request)
    count += 1
    const answer = JSON.stringify(toAnswer(count))
    if (count > 1) await released.promise
    response.writeHead(200, { "content-type": "application/json" }).end(answer)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const settings: Settings = {
    VERBATIM_TRANSCRIBER: "openai",
    VERBATIM_OPENAI_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    VERBATIM_PIECES_AT_ONCE: "1"
  }
  return {
    settings,
    release: released.resolve,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

/** Starts a command, and releases the engine once the command has printed a line. */
const runUntilReleased = async (
  directory: string,
  args: ReadonlyArray<string>,
  { release, settings }: { readonly settings: Settings; readonly release: () => void }
) => {
  const child = spawn(process.execPath, [...programArguments("verbatim"), ...args], {
    env: environment(directory, settings),
    stdio: ["ignore", "pipe", "pipe"]
  })
  const exit = once(child, "exit")
  const stdout = text(child.stdout)
  const lines: Array<string> = []
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line)
    release()
  }
  const [status] = await exit
  return { status, stdout: await stdout, lines }
}

const pieceLine = /^0:00:01 {2}Piece 1\.$/

describe("text that is still being recognised", () => {
  it("is printed by `verbatim transcribe --live` to standard error only", async () => {
    await using directory = await dataDirectory()
    await using engine = await startEngine()
    const args = ["transcribe", minute, "--format", "plain_text", "--live"]
    const { lines, status, stdout } = await runUntilReleased(directory.path, args, engine)
    assert.strictEqual(status, 0, lines.join("\n"))
    assert.match(lines[0] ?? "", pieceLine)
    assert.match(stdout, /^Piece 1\. Piece 2\.(?: Piece \d\.)*\n$/)
    const shown = lines.filter((line) => /^0:/.test(line)).map((line) => line.split("  ")[1])
    assert.strictEqual(shown.join(" "), stdout.trim())
  })

  it("is shown by `verbatim jobs show` and printed by `jobs wait --live`", async () => {
    await using directory = await dataDirectory()
    await using engine = await startEngine()
    await using server = await ServerProcess.start(directory.path, engine.settings)
    const { id = "" } = await server.upload({}, "harbour-minute.mp3")
    const settings = { VERBATIM_URL: server.address, VERBATIM_KEY: managementKey }
    const given = { settings, release: engine.release }
    for (;;) {
      const shown = await operate(directory.path, ["jobs", "show", id], settings)
      assert.strictEqual(shown.status, 0, shown.stderr)
      if (!shown.stdout.includes("Recognised so far")) continue
      assert.match(shown.stdout, /^pieces +1 of \d$/m)
      assert.match(shown.stdout, /\n\nRecognised so far:\n0:00:01 {2}Piece 1\.\n$/)
      break
    }
    const live = await runUntilReleased(directory.path, ["jobs", "wait", id, "--live"], given)
    assert.strictEqual(live.status, 0, live.lines.join("\n"))
    assert.match(live.lines[0] ?? "", pieceLine)
    const silent = await operate(directory.path, ["jobs", "wait", id], settings)
    assert.deepStrictEqual([live.stdout, ""], [silent.stdout, silent.stderr])
    assert.include(live.stdout, "\n\nPiece 1.\nPiece 2.")
  })
})
