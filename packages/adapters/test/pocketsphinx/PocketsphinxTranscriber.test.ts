import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { pid } from "node:process"
import { layer as nodeFileSystem } from "@effect/platform-node/NodeFileSystem"
import { layer as nodeServices } from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { type Installation, layer } from "@verbatim/adapters/pocketsphinx"
import type { DecodedAudio, Language } from "@verbatim/core/transcription"
import { TranscriberContract } from "@verbatim/testkit/contracts"
import { Duration, Effect, Exit, Fiber, Layer, Schedule } from "effect"
import * as PocketsphinxTranscriber from "#src/pocketsphinx/PocketsphinxTranscriber"
import { decodedClip, sentence, speech } from "./Clips.ts"
import { cacheDirectory, recogniser } from "./Recogniser.ts"

const recognise = Effect.fnUntraced(function* (
  audio: DecodedAudio,
  options: {
    readonly language?: Language | null
    readonly installation?: Installation.Installation
  } = {}
) {
  const { installation = recogniser, language = "en" } = options
  if (installation === undefined) return yield* Effect.die("skipped without a recogniser")
  const { transcribe } = yield* PocketsphinxTranscriber.make(installation)
  return yield* transcribe({
    audio,
    language,
    initialPrompt: "ignored",
    isVadFiltered: true,
    isDiarized: true
  })
})

/** Lists the recognisers that this process has started and that still run. */
const children = (): ReadonlyArray<string> =>
  readdirSync("/proc").filter((name) => {
    const status = join("/proc", name, "status")
    if (!/^\d+$/.test(name) || !existsSync(status)) return false
    try {
      const text = readFileSync(status, "utf8")
      return text.includes(`PPid:\t${pid}\n`) && text.startsWith("Name:\tpocketsphinx_co")
    } catch {
      // The process has ended by now.
      return false
    }
  })

describe.skipIf(recogniser === undefined)("PocketsphinxTranscriber", () => {
  it.live("recognises a sentence, and the timestamps of its words", () =>
    Effect.gen(function* () {
      const audio = yield* decodedClip()
      const recognised = yield* recognise(audio, { language: null })
      const { areSpeakersUnknown, engine, language, segments } = recognised
      assert.strictEqual(engine, "pocketsphinx en-us")
      assert.strictEqual(language, "en")
      assert.deepStrictEqual(
        segments.map(({ speaker, text }) => [speaker, text]),
        [["speaker_0", sentence]]
      )
      assert.isTrue(areSpeakersUnknown)
      const [segment] = segments
      // The sentence is spoken from 0.3 s to 3.8 s.
      assert.approximately(segment?.startMillis ?? 0, 300, 300)
      assert.approximately(segment?.endMillis ?? 0, 3_800, 300)
      assert.strictEqual(segment?.words?.map(({ text }) => text).join(" "), sentence)
    }).pipe(Effect.scoped, Effect.provide(nodeServices))
  )

  it.live("fails with a clear error if the recording, the model or the program is missing", () =>
    Effect.gen(function* () {
      const audio = yield* decodedClip()
      const gone = yield* Effect.flip(recognise({ ...audio, path: `${audio.path}.gone` }))
      assert.strictEqual(gone.reason._tag, "StorageFailed")

      const environment = {}
      const modelless = {
        ...(recogniser ?? { command: "", environment }),
        modelArguments: ["-hmm", "/nowhere"]
      }
      const failed = yield* Effect.flip(recognise(audio, { installation: modelless }))
      assert.isTrue(failed.reason._tag === "EngineFailed")
      assert.match(JSON.stringify(failed.reason), /exit code 1: [\x20-\x7e]+/)

      const programless = { command: "/nowhere/recogniser", environment, modelArguments: [] }
      const missing = yield* Effect.flip(recognise(audio, { installation: programless }))
      assert.strictEqual(missing.reason._tag, "EngineUnavailable")
    }).pipe(Effect.scoped, Effect.provide(nodeServices))
  )

  it.live("cuts a recording into the same pieces wherever the model is installed", () =>
    Effect.gen(function* () {
      const audio = yield* decodedClip()
      const plans: Array<string> = []
      for (const modelArguments of [[], ["-hmm", "/one/model"], ["-hmm", "/other/model"]]) {
        const installation = { command: "/nowhere/recogniser", environment: {}, modelArguments }
        const { transcribe } = yield* PocketsphinxTranscriber.make(installation)
        const settings = { initialPrompt: null, isVadFiltered: true, isDiarized: false }
        yield* transcribe({
          ...{ audio, language: "en", ...settings },
          recognisePieces: (plan) => {
            plans.push(JSON.stringify(plan))
            return Effect.succeed([])
          }
        })
      }
      assert.strictEqual(new Set(plans).size, 1)
    }).pipe(Effect.scoped, Effect.provide(nodeServices))
  )

  it.live.skipIf(!existsSync("/proc"))("ends the program immediately when interrupted", () =>
    Effect.gen(function* () {
      const audio = yield* decodedClip({ times: 30 })
      const running = yield* Effect.forkChild(recognise(audio))
      yield* Effect.repeat(Effect.sync(children), {
        until: ({ length }) => length === 1,
        schedule: Schedule.spaced(Duration.millis(20))
      })
      yield* Fiber.interrupt(running)
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(running)))
      assert.deepStrictEqual(children(), [])
    }).pipe(Effect.scoped, Effect.provide(nodeServices))
  )
})

describe.skipIf(recogniser === undefined)("pocketsphinx", () => {
  TranscriberContract.suite(
    "pocketsphinx",
    Layer.mergeAll(
      layer({ cacheDirectory, installs: false, report: () => Effect.void }),
      // The recogniser treats all speech as English.
      speech({ clip: "letter.wav", unsupported: "de" })
    ).pipe(Layer.provideMerge(nodeFileSystem))
  )
})
