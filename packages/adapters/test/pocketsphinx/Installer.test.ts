import { join } from "node:path"
import { layer as nodeServices } from "@effect/platform-node/NodeServices"
import { afterEach, assert, describe, it, vi } from "@effect/vitest"
import { Installation, install, layer, type Report } from "@verbatim/adapters/pocketsphinx"
import { Transcriber } from "@verbatim/core/ports"
import { Duration, Effect, FileSystem, Option, Schedule } from "effect"
import * as Apt from "#src/pocketsphinx/Apt"
import { decodedClip, letter } from "./Clips.ts"
import { recogniser } from "./Recogniser.ts"

/** Time limit for a download of 25 to 31 MB. */
const downloadMillis = 120_000

const silently: Report = () => Effect.void

const withoutPath = Effect.sync(() => {
  vi.stubEnv("PATH", join(import.meta.dirname, "no-such-folder"))
})

/** Creates an empty cache folder for one test. */
const emptyCache = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.makeTempDirectoryScoped({ prefix: "verbatim-test-" })
})

afterEach(() => {
  vi.unstubAllEnvs()
})

/**
 * Whether these tests can install a recogniser. With a recogniser on PATH, nothing would be
 * downloaded.
 */
const canInstall = recogniser?.command.startsWith("/")

describe("Apt", () => {
  it("finds the packages that apt would install, in the output of its simulation", () => {
    const account = [
      "Reading package lists...",
      "Inst libblas3 (3.11.0-2 Debian:12.15/oldstable [amd64])",
      "Inst libc6 [2.36-9] (2.36-9+deb12u13 Debian:12.15/oldstable [amd64]) []",
      "Inst libogg0:arm64 (1.3.5-3 Debian:12.15/oldstable [arm64])",
      "Inst --option (1)",
      "Conf libblas3 (3.11.0-2 Debian:12.15/oldstable [amd64])"
    ].join("\n")
    assert.deepStrictEqual(Apt.parseMissing(account), ["libblas3", "libogg0:arm64"])
  })
})

/** Installs twice at the same time, and returns the progress reports. */
const installTwice = Effect.fnUntraced(function* (cacheDirectory: string) {
  const fs = yield* FileSystem.FileSystem
  const lines: Array<string> = []
  const report: Report = (line) => Effect.sync(() => lines.push(line))
  const installing = install({ cacheDirectory, report })
  const [one, other] = yield* Effect.all([installing, installing], { concurrency: 2 })
  assert.deepStrictEqual(one, other)
  assert.isTrue(lines.some((line) => /^Downloaded \d+ packages$/.test(line)))
  assert.strictEqual((yield* fs.readDirectory(cacheDirectory)).length, 1)
  return one
})

/** Transcribes while the recogniser is being installed, and again afterwards. */
const transcribeDuringInstallation = Effect.gen(function* () {
  const { readiness, transcribe } = yield* Transcriber
  const audio = yield* decodedClip({ clip: "letter.wav" })
  const recognition = {
    audio,
    language: null,
    initialPrompt: null,
    isVadFiltered: false,
    isDiarized: false
  }
  assert.strictEqual((yield* readiness)._tag, "Preparing")
  const early = yield* Effect.flip(transcribe(recognition))
  assert.strictEqual(early.reason._tag, "EngineUnavailable")

  yield* Effect.repeat(readiness, {
    until: ({ _tag }) => _tag !== "Preparing",
    schedule: Schedule.spaced(Duration.millis(50))
  })
  assert.deepStrictEqual(yield* readiness, { _tag: "Ready", engine: "pocketsphinx en-us" })
  const { segments } = yield* transcribe(recognition)
  assert.deepStrictEqual(
    segments.map(({ text }) => text),
    [letter]
  )
})

describe("Installer", () => {
  // Each of the three installations takes 6 s of CPU time.
  it.live.runIf(canInstall)(
    "installs once for two concurrent callers, and replaces an incomplete installation",
    () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const cacheDirectory = yield* emptyCache
        const one = yield* installTwice(cacheDirectory)

        const [, model = ""] = one.modelArguments.slice(one.modelArguments.indexOf("-lm"))
        yield* fs.remove(model)
        assert.isTrue((yield* Installation.find({ cacheDirectory }))._tag === "None")
        yield* transcribeDuringInstallation.pipe(
          Effect.provide(layer({ cacheDirectory, installs: true, report: silently }))
        )
        assert.deepStrictEqual(yield* Installation.find({ cacheDirectory }), Option.some(one))
        assert.strictEqual((yield* fs.readDirectory(cacheDirectory)).length, 1)
      }).pipe(Effect.scoped, Effect.provide(nodeServices)),
    downloadMillis
  )
})

describe("layer", () => {
  it.live("is unavailable, and says why, if installing is forbidden or impossible", () =>
    Effect.gen(function* () {
      yield* withoutPath
      const cacheDirectory = yield* emptyCache
      const reported: Array<string> = []
      const report: Report = (line) => Effect.sync(() => reported.push(line))
      const settled = Effect.gen(function* () {
        const { readiness } = yield* Transcriber
        return yield* Effect.repeat(readiness, {
          until: ({ _tag }) => _tag !== "Preparing",
          schedule: Schedule.spaced(Duration.millis(20))
        })
      })

      const passive = yield* Effect.provide(
        settled,
        layer({ cacheDirectory, installs: false, report })
      )
      assert.strictEqual(passive._tag, "Unavailable")
      assert.deepStrictEqual(reported, [])

      const active = yield* Effect.provide(
        settled,
        layer({ cacheDirectory, installs: true, report })
      )
      assert.strictEqual(active._tag, "Unavailable")
      const advice =
        "PocketSphinx is fetched with apt-get and dpkg, and this system has none. Choose another " +
        "engine, or install the packages pocketsphinx and pocketsphinx-en-us, so that "
      assert.isTrue(reported.join().startsWith(advice), reported.join())
      const fs = yield* FileSystem.FileSystem
      assert.deepStrictEqual(yield* fs.readDirectory(cacheDirectory), [])
      for (const each of [passive, active]) {
        assert.isTrue(each._tag === "Unavailable" && !each.sentence.includes("/"), each._tag)
      }
    }).pipe(Effect.scoped, Effect.provide(nodeServices))
  )
})
