/** Tests that the system's ffmpeg is found, and ends with its decoding. */
import { execFile } from "node:child_process"
import { chmod, mkdir, writeFile } from "node:fs/promises"
import { delimiter, join } from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { layer, layerSystem } from "@verbatim/adapters/ffmpeg"
import { Effect, Fiber, Option } from "effect"
import { judge } from "#src/ffmpeg/FfmpegOutcome"
import { engine, locate } from "#src/ffmpeg/SystemFfmpeg"
import { clip, decode, decodeToFullDisk, namesIn, newFolder, reasonOf, secondsOf } from "./Clips.ts"
import { installed, reason } from "./Decoders.ts"
import { countMentioning, eventually } from "./Processes.ts"

const execute = promisify(execFile)

/** A pipe that no program writes to, so it blocks its readers forever. */
const endlessMedia = Effect.flatMap(newFolder, (folder) => {
  const path = join(folder, "endless.mp3")
  return Effect.as(
    Effect.promise(() => execute("mkfifo", [path])),
    path
  )
})

/** Changes `PATH` until the scope closes. */
const withPath = (path: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const before = process.env.PATH
      process.env.PATH = path
      return before
    }),
    (before) =>
      Effect.sync(() => {
        process.env.PATH = before
      })
  )

const programIn = (folder: string, script: string) =>
  Effect.promise(async () => {
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, "ffmpeg"), `#!/bin/sh\n${script}\n`)
    await chmod(join(folder, "ffmpeg"), 0o755)
  })

describe.skipIf(process.platform === "win32")("The search for the system's ffmpeg", () => {
  it.live("finds the first program on PATH that works", () =>
    Effect.gen(function* () {
      const folder = yield* newFolder
      const [broken, directory, good] = ["broken", "directory", "good"].map((name) =>
        join(folder, name)
      )
      yield* programIn(`${broken}`, "exit 1")
      yield* Effect.promise(() => mkdir(join(`${directory}`, "ffmpeg"), { recursive: true }))
      yield* programIn(`${good}`, "exit 0")
      yield* withPath(["", "relative", broken, directory, good].join(delimiter))
      assert.deepStrictEqual(yield* locate, Option.some(join(`${good}`, "ffmpeg")))
    })
  )

  it.live("finds nothing if no program on PATH works, so WebAssembly is used instead", () =>
    Effect.gen(function* () {
      const folder = yield* newFolder
      yield* programIn(folder, "exit 1")
      yield* withPath(folder)
      const reason = yield* Effect.provide(reasonOf(clip("clip.mp3")), layerSystem())
      assert.strictEqual(reason._tag, "EngineUnavailable")
      const seconds = yield* Effect.provide(secondsOf(clip("clip.mp3")), layer())
      assert.approximately(seconds, 4, 0.2)
    })
  )

  it.live("makes the engine unavailable if the given path is not a program", () =>
    Effect.gen(function* () {
      const ffmpegPath = join(yield* newFolder, "ffmpeg")
      const missing = yield* Effect.provide(reasonOf(clip("clip.mp3")), layer({ ffmpegPath }))
      assert.strictEqual(missing._tag, "EngineUnavailable")
      yield* Effect.promise(() => writeFile(ffmpegPath, "not a program"))
      const useless = yield* Effect.provide(reasonOf(clip("clip.mp3")), layer({ ffmpegPath }))
      assert.strictEqual(useless._tag, "EngineUnavailable")
    })
  )
})

describe.skipIf(installed === undefined)(`A running ffmpeg${reason}`, () => {
  const ffmpegPath = `${installed}`

  it.live.skipIf(process.platform !== "linux")("ends if the decoding is interrupted", () =>
    Effect.gen(function* () {
      const path = yield* endlessMedia
      const directory = yield* newFolder
      const running = decode(path).pipe(
        Effect.scoped,
        Effect.provide(layer({ ffmpegPath, directory }))
      )
      const fiber = yield* Effect.forkChild(running)
      yield* eventually(Effect.map(countMentioning(path), (count) => count > 0))
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(yield* countMentioning(path), 0)
      assert.deepStrictEqual(yield* namesIn(directory), [])
    })
  )

  it.live.skipIf(process.platform !== "linux")("reports a full disk as a storage failure", () =>
    Effect.gen(function* () {
      const run = yield* decodeToFullDisk(engine(ffmpegPath))
      const judged = yield* Effect.flip(
        Effect.fromResult(
          judge(run, { byteLength: 100, hoursMax: 1, isHtml: false, track: 0, nonce: "mark" })
        )
      )
      assert.strictEqual(judged._tag, "StorageFailed")
    })
  )
})
