/** Media that is given wrongly, or refused: told as a mistake, and nothing of it stays open. */
import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { createReadStream, mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { assert, describe, it } from "@effect/vitest"
import { InvalidInput, type Transcribe } from "@verbatim/embed"
import { onTestFinished } from "vitest"
import { openFor, recording, rejection } from "./Opened.ts"

/** As a program without types says it. */
const said = <A>(value: unknown): A => value as A

describe("media of a host", () => {
  it("is closed when its request is refused", async () => {
    const { close, transcribe } = await openFor()
    const misspelt = said<Transcribe>({ lang: "en", filename: "a.mp3" })
    const file = createReadStream(recording)
    await rejection(transcribe({ ...misspelt, media: file }))
    assert.isTrue(file.destroyed)
    const missing = createReadStream("/none/a.mp3")
    await rejection(transcribe({ ...misspelt, media: missing }))
    assert.isTrue(missing.destroyed)
    let isCancelled = false
    const web = new ReadableStream<Uint8Array>({
      cancel: () => {
        isCancelled = true
      }
    })
    await rejection(transcribe({ media: web }))
    assert.isTrue(isCancelled)
    await close()
    const late = createReadStream(recording)
    await rejection(transcribe({ media: late, filename: "a.mp3" }))
    assert.isTrue(late.destroyed)
  })

  it("may fail before it is read", async () => {
    const { transcribe } = await openFor()
    const broken = new Readable({ read: () => undefined })
    const failing = rejection(transcribe({ media: broken, filename: "a.mp3" }))
    assert.isAbove(broken.listenerCount("error"), 0)
    broken.destroy(new Error("early"))
    assert.match(String(await failing), /early/)
  })

  it("is a regular file where it is a path, and nothing that would hold a thread", async () => {
    const folder = mkdtempSync(join(tmpdir(), "verbatim-embed-"))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const pipe = join(folder, "pipe.mp3")
    execFileSync("mkfifo", [pipe])
    const socket = join(folder, "socket.mp3")
    const server = createServer().listen(socket)
    onTestFinished(() => void server.close())
    await once(server, "listening")
    const { jobs, transcribe } = await openFor()
    // More than Node has threads: each of them would be held by one.
    const pipes = Array.from({ length: 6 }, () => ({ media: pipe }))
    const others = ["/dev/zero", "/dev/tty", socket, folder, `${recording}/a.mp3`, "a\0.mp3"]
    const wanted = [...pipes, ...others.map((media) => ({ media, filename: "a.mp3" }))]
    for (const fault of await Promise.all(wanted.map((each) => rejection(transcribe(each))))) {
      assert.instanceOf(fault, InvalidInput)
      assert.strictEqual(fault.code, "InvalidMedia")
      assert.notInclude(fault.message, folder)
    }
    assert.lengthOf((await jobs.list()).jobs, 0)
    await transcribe({ media: recording })
    assert.lengthOf((await jobs.list()).jobs, 1)
  })

  it("is told apart from a fault of ours when it can be none", async () => {
    const { jobs, transcribe } = await openFor()
    const wrong: ReadonlyArray<Transcribe> = [
      { media: new URL("file://elsewhere/a.mp3") },
      { media: new URL("file:///a%2Fb.mp3") },
      { media: recording, filename: said(5) },
      { media: recording, webhook: said("https://app.test/hook") },
      { media: recording, webhook: said({ url: "https://app.test/hook", modifer: "srt" }) },
      said(undefined),
      said(null),
      said("a.mp3")
    ]
    for (const wanted of wrong) {
      assert.instanceOf(await rejection(transcribe(wanted)), InvalidInput)
    }
    await rejection(jobs.render(said(undefined), "srt"))
  })
})

describe("an engine of a host", () => {
  it("may answer at once", async () => {
    const transcribe = said<() => Promise<{ segments: [] }>>(() => ({ segments: [] }))
    const verbatim = await openFor({ transcribe })
    const result = await verbatim.wait(await verbatim.transcribe({ media: recording }))
    assert.strictEqual(result.state, "completed")
  })
})
