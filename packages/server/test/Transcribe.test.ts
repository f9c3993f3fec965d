/** Tests `verbatim transcribe` in a separate process with the real speech recogniser. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { copyFile, mkdtemp, readdir, readFile, rm, truncate } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { layer as nodeServices } from "@effect/platform-node/NodeServices"
import { Installation } from "@verbatim/adapters/pocketsphinx"
import { ConfigProvider, Effect, Option } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { configuration } from "#src/Configuration"
import { programArguments, programEnvironment } from "./Program.ts"
import { operate } from "./ServerProcess.ts"

const local = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const meeting = local("../../../examples/audio/harbour-meeting.flac")
const opening = local("../../../examples/audio/harbour-opening.mp3")
const spoken = local("../../../examples/audio/harbour-meeting.txt")
const clips = local("../../adapters/test/media")

const directory = await mkdtemp(join(tmpdir(), "verbatim-test-"))
afterAll(() => rm(directory, { recursive: true, force: true }))

const settings = { VERBATIM_TRANSCRIBER: "pocketsphinx" }

const run = (...args: ReadonlyArray<string>) =>
  operate(directory, ["transcribe", ...args], settings)

const { cacheDirectory } = await Effect.runPromise(configuration.parse(ConfigProvider.fromEnv()))
const installed = Option.getOrUndefined(
  await Effect.runPromise(Installation.find({ cacheDirectory }).pipe(Effect.provide(nodeServices)))
)

/** The error message for a file that is not a recording. */

const wordsOf = (text: string) => text.toLowerCase().match(/[a-z']+/g) ?? []

const millisOf = (timecode: string): number => {
  const [hours = 0, minutes = 0, seconds = 0, millis = 0] = timecode.split(/[:,]/).map(Number)
  return ((hours * 60 + minutes) * 60 + seconds) * 1_000 + millis
}

/**
 * Finds the cues of an SRT text in their exact format: number, timestamps, lines and a blank line.
 */
const cuesOf = (srt: string) =>
  srt
    .trimEnd()
    .split("\n\n")
    .map((block, index) => {
      const [number, times = "", ...lines] = block.split("\n")
      const [, start = "", end = ""] =
        /^(\d\d:\d\d:\d\d,\d{3}) --> (\d\d:\d\d:\d\d,\d{3})$/.exec(times) ?? []
      assert.strictEqual(number, String(index + 1))
      assert.notStrictEqual(lines.length, 0)
      return { start: millisOf(start), end: millisOf(end), text: lines.join(" ") }
    })

describe.skipIf(installed === undefined)("verbatim transcribe", () => {
  it("prints a recording's transcript as SRT", async () => {
    const { status, stderr, stdout } = await run(opening, "--format", "srt")
    assert.strictEqual(status, 0, stderr)
    assert.match(stderr, /harbour-opening\.mp3: 6\.6 s of audio in .*, language en/)

    const cues = cuesOf(stdout)
    for (const [index, cue] of cues.entries()) {
      assert.isAtLeast(cue.start, cues[index - 1]?.end ?? 0)
      assert.isAbove(cue.end, cue.start)
      assert.isAtMost(cue.end, 6_650)
    }
    const recognised = cues.flatMap(({ text }) => wordsOf(text))
    const [sentence = ""] = (await readFile(spoken, "utf8")).split(". ", 1)
    const words = wordsOf(sentence)
    const found = words.filter((word) => recognised.includes(word)).length
    assert.isAbove(found / words.length, 0.95)
  })

  it("continues if a file fails, and exits with an error at the end", async () => {
    const paths = ["junk.mp3", "letter.wav", "none.mp3"].map((name) => join(clips, name))
    const { status, stderr, stdout } = await run(...paths, "--format", "plain_text")
    assert.strictEqual(status, 1)
    assert.include(stdout, "==> ")
    assert.include(stdout, "letter tomorrow")
    assert.notInclude(stdout, "junk.mp3")
    assert.include(stderr, "junk.mp3: The format of the file is not known.")
    assert.include(stderr, "There is no file")
    assert.include(stderr, "2 of 3 files could not be transcribed.")
    assert.notMatch(stderr, / at .*\.[jt]s/)
  })

  it("names the output file after the recording, and explains a missing summary", async () => {
    const output = join(directory, "texts")
    const one = join(clips, "clip.mp3")
    const options = ["--output", output, "--format", "vtt", "--summary", "brief"]
    const written = await run(one, join(clips, "silence.wav"), ...options)
    assert.strictEqual(written.status, 0, written.stderr)
    assert.include(written.stderr, "summary SKIPPED: transcript too short")
    assert.strictEqual(written.stdout, "")
    assert.deepStrictEqual((await readdir(output)).sort(), ["clip.vtt", "silence.vtt"])
    assert.match(await readFile(join(output, "clip.vtt"), "utf8"), /^WEBVTT\n/)

    const twice = await run(one, join(clips, "clip.flac"), "--output", output)
    assert.strictEqual(twice.status, 1)
    assert.include(twice.stderr, "Two files are named clip")

    const file = await run(one, "--output", join(directory, "clip.srt"))
    assert.strictEqual(file.status, 2)
    assert.include(file.stderr, "--output names a directory.")
  })

  it("explains how to transcribe a link", async () => {
    const { status, stderr } = await run("https://media.example.com/a.mp3")
    assert.strictEqual(status, 1)
    assert.include(stderr, "A server transcribes links: `verbatim api transcriptions.create")
  })

  it("exits without an error if its reader exits early, and leaves no files behind", async () => {
    const folder = await mkdtemp(join(directory, "closed-"))
    const args = [...programArguments("verbatim"), "transcribe", join(clips, "letter.wav")]
    const child = spawn(process.execPath, args, {
      env: { ...programEnvironment, ...settings, TMPDIR: folder },
      stdio: ["ignore", "pipe", "pipe"]
    })
    child.stdout.destroy()
    const [stderr, [status]] = await Promise.all([text(child.stderr), once(child, "exit")])
    assert.strictEqual(status, 1)
    assert.include(stderr, "The output was closed before everything was written.")
    assert.notInclude(stderr, "EPIPE")
    assert.deepStrictEqual(await readdir(folder), [])
  })

  it("leaves no files behind if it is interrupted while storing a recording", async () => {
    const folder = await mkdtemp(join(directory, "interrupted-"))
    const long = join(directory, "long.wav")
    await copyFile(join(clips, "letter.wav"), long)
    await truncate(long, 2_000_000_000)
    const child = spawn(process.execPath, [...programArguments("verbatim"), "transcribe", long], {
      env: { ...programEnvironment, ...settings, TMPDIR: folder },
      stdio: ["ignore", "ignore", "pipe"]
    })
    const isStoring = async () => {
      const paths = await readdir(folder, { recursive: true })
      return paths.some((path) => path.includes(".staging/"))
    }
    while (child.exitCode === null && !(await isStoring())) await sleep(5)
    const exit = once(child, "exit")
    child.kill("SIGINT")
    const stderr = await text(child.stderr)
    assert.deepStrictEqual([await exit, stderr], [[130, null], ""])
    assert.deepStrictEqual(await readdir(folder), [])
  })

  it("exits together with its engine if it is interrupted", async () => {
    const args = [...programArguments("verbatim"), "transcribe", meeting]
    const child = spawn(process.execPath, args, {
      env: { ...programEnvironment, ...settings },
      stdio: "ignore"
    })
    const engines = async () => {
      const path = `/proc/${child.pid}/task/${child.pid}/children`
      return (await readFile(path, "utf8").catch(() => "")).trim().split(" ").filter(Boolean)
    }
    const isRecogniser = async (pid: string) =>
      (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).includes("-infile\0/tmp")
    let engine: string | undefined
    while (engine === undefined && child.exitCode === null) {
      for (const pid of await engines()) if (await isRecogniser(pid)) engine = pid
      await sleep(20)
    }
    const exit = once(child, "exit")
    child.kill("SIGINT")
    assert.deepStrictEqual(await exit, [130, null])
    assert.isFalse(await isRecogniser(engine ?? ""))
  })
})
