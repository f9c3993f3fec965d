/** Tests that ffmpeg in a thread can be stopped, and that its crash affects no other decoding. */

import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Option } from "effect"
import * as Decoding from "#src/ffmpeg/Decoding"
import { engine, locate, missingEngine } from "#src/ffmpeg/WasmFfmpeg"
import {
  clip,
  decode,
  decodeToFullDisk,
  namesIn,
  newFolder,
  reasonOf,
  secondsOf,
  writeSilence
} from "./Clips.ts"
import { sharedWasm } from "./Decoders.ts"
import { eventually } from "./Processes.ts"

/** A recording of ten hours, which takes at least ten seconds to decode. */
const longMedia = Effect.flatMap(newFolder, (folder) => {
  const path = join(folder, "long.wav")
  return Effect.as(writeSilence(path, { seconds: 36_000 }), path)
})

const threadCount = () =>
  process.getActiveResourcesInfo().filter((name) => /Worker|MessagePort/.test(name)).length

/**
 * Replaces the package's own code with an expression, and returns the reason why decoding fails.
 */
const reasonInstead = Effect.fnUntraced(function* (expression: string) {
  const script = join(yield* newFolder, "core.cjs")
  const good = Option.getOrThrow(yield* locate)
  const code = `const create = require(${JSON.stringify(good.script)})
    module.exports = async (options) => {
      const core = await create(options)
      return Object.assign(core, { exec: () => ${expression} })
    }`
  yield* Effect.promise(() => writeFile(script, code))
  const layer = Decoding.layer(engine({ ...good, script }), {})
  return yield* Effect.provide(reasonOf(clip("clip.mp3")), layer)
})

describe("WasmFfmpeg", () => {
  it.live("ends its thread if the decoding is interrupted", () =>
    Effect.gen(function* () {
      const path = yield* longMedia
      const directory = yield* newFolder
      const before = threadCount()
      const running = Effect.provide(Effect.scoped(decode(path)), sharedWasm({ directory }))
      const fiber = yield* Effect.forkChild(running)
      yield* eventually(Effect.sync(() => threadCount() > before))
      yield* Effect.sleep("200 millis")
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(threadCount(), before)
      assert.deepStrictEqual(yield* namesIn(directory), [])
    })
  )

  it.live("is unavailable if its package is missing, and says what to install", () =>
    Effect.gen(function* () {
      const layer = Decoding.layer(Effect.succeed(missingEngine), {})
      const reason = yield* Effect.provide(reasonOf(clip("clip.mp3")), layer)
      assert.deepStrictEqual(reason, {
        _tag: "EngineUnavailable",
        detail: "Install @ffmpeg/core to decode without ffmpeg: npm install @ffmpeg/core"
      })
    })
  )

  it.live("is unavailable if the package is broken", () =>
    Effect.gen(function* () {
      const folder = yield* newFolder
      const script = join(folder, "core.cjs")
      yield* Effect.promise(() => writeFile(script, "throw new Error('broken')"))
      const good = Option.getOrThrow(yield* locate)
      const files = [
        { script: good.script, binary: join(folder, "none.wasm") },
        { script: good.script, binary: clip("junk.mp3") },
        { script, binary: good.binary }
      ]
      for (const each of files) {
        const layer = Decoding.layer(engine(each), {})
        const reason = yield* Effect.provide(reasonOf(clip("clip.mp3")), layer)
        assert.strictEqual(reason._tag, "EngineUnavailable")
      }
    })
  )

  it.live("refuses a recording that crashes it, and decodes the next one", () =>
    Effect.gen(function* () {
      // A recording can cause a WebAssembly trap like this one, which ends only the thread.
      const broken = yield* reasonInstead("null.trap")
      assert.strictEqual(broken._tag, "MediaUndecodable")
      const seconds = yield* Effect.provide(secondsOf(clip("clip.mp3")), sharedWasm())
      assert.approximately(seconds, 4, 0.2)
    })
  )

  it.live("has a memory limit and no network", () =>
    Effect.gen(function* () {
      const small = "core._malloc(2 ** 29) > 0"
      const large = "core._malloc(2 ** 30) === 0"
      const closed = "typeof fetch + typeof WebSocket === 'undefinedundefined'"
      for (const isTrue of [small, large, closed]) {
        // The run ends with exit code 0, but produces no samples.
        assert.deepStrictEqual(yield* reasonInstead(`${isTrue} ? 0 : 1`), { _tag: "AudioMissing" })
      }
    })
  )

  it.live.skipIf(process.platform !== "linux")("reports a full disk as a storage failure", () =>
    Effect.gen(function* () {
      const run = yield* decodeToFullDisk(yield* engine(Option.getOrThrow(yield* locate)))
      assert.deepStrictEqual(run.end, { _tag: "StorageFailed", code: "ENOSPC" })
    })
  )
})
