/** Tests which of the installed models is chosen. The small models have the names of real ones. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { layer as nodeServices } from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Catalogue } from "@verbatim/adapters/whisper"
import type { Language } from "@verbatim/core/transcription"
import { Effect, Option } from "effect"
import * as AutomaticTranscriber from "#src/whisper/AutomaticTranscriber"

const seconds = 2

/** Writes a small Whisper model for each name. All of these models detect German. */
const makeFolder = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "verbatim-models-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true }))
  )
  const models = names.flatMap((name) => {
    const script = join(import.meta.dirname, "WriteModels.ts")
    execFileSync(process.execPath, [script, folder, name])
    const text = readFileSync(join(folder, Catalogue.fileName), "utf8")
    return Option.getOrThrow(Catalogue.fromText(text)).filter((model) => model.name === name)
  })
  const own = models.map((model) =>
    model.name === "parakeet-110m" ? { ...model, languages: ["en"] } : model
  )
  const path = join(folder, "audio.raw")
  const wave = Array.from({ length: seconds * 16_000 }, (_, at) => 9_830 * Math.sin(at / 8))
  writeFileSync(path, Int16Array.from(wave))
  return { folder, audio: { path, sampleCount: wave.length }, own }
})

const open = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
  const { audio, folder, own } = yield* makeFolder(names)
  const transcriber = yield* AutomaticTranscriber.make({
    folder,
    catalogue: Catalogue.mergeCatalogues(own, Catalogue.builtIn),
    machine: { memoryBytes: 4e9, cores: 4 },
    concurrency: { recordings: 1, pieces: 4 },
    speechDetector: null
  })
  const transcribe = (language: Language | null) =>
    transcriber.transcribe({
      ...{ audio, language, initialPrompt: null, isVadFiltered: true, isDiarized: false }
    })
  return { transcriber, transcribe, folder }
})

describe("the engine that chooses a model automatically", () => {
  it.live("uses the best installed model for each language, and says why", () =>
    Effect.gen(function* () {
      const { folder, transcribe, transcriber } = yield* open(["parakeet-110m", "base"])
      assert.strictEqual(
        (yield* transcribe("en")).engine,
        "sherpa-onnx parakeet-110m (chosen for en)"
      )
      assert.strictEqual(
        (yield* transcribe("de")).engine,
        "sherpa-onnx base (chosen for de; parakeet-v3 is not installed)"
      )
      const unknown = "sherpa-onnx base (chosen for an unknown language; turbo is not installed)"
      assert.strictEqual((yield* transcribe(null)).engine, unknown)
      assert.deepStrictEqual(yield* transcriber.readiness, { _tag: "Ready", engine: unknown })

      // A model that is removed while the server runs is no longer chosen.
      renameSync(join(folder, "parakeet-110m"), join(folder, "removed"))
      assert.include((yield* transcribe("en")).engine, "sherpa-onnx base")
    }).pipe(Effect.scoped, Effect.provide(nodeServices))
  )

  it.live("refuses a language that no installed model supports", () =>
    Effect.gen(function* () {
      const { transcribe } = yield* open(["parakeet-110m"])
      const { reason } = yield* Effect.flip(transcribe("de"))
      assert.deepStrictEqual(reason, { _tag: "LanguageUnsupported", language: "de" })
      const known = (yield* transcribe(null)).engine
      assert.include(known, "parakeet-110m (chosen for an unknown language; turbo")
    }).pipe(Effect.scoped, Effect.provide(nodeServices))
  )

  it.live("is unavailable without a model, and says what to install", () =>
    Effect.gen(function* () {
      const { transcribe, transcriber } = yield* open([])
      const sentence = "The model turbo is not installed: run `verbatim engines install turbo`."
      assert.deepStrictEqual(yield* transcriber.readiness, { _tag: "Unavailable", sentence })
      const { reason } = yield* Effect.flip(transcribe("en"))
      assert.strictEqual(reason._tag, "EngineUnavailable")
    }).pipe(Effect.scoped, Effect.provide(nodeServices))
  )
})
