/**
 * Tests each installed engine with human speech. Missing engines are skipped. If the recordings
 * cannot be downloaded, all engines are skipped. The output says why.
 */
import { statSync } from "node:fs"
import { readFile, writeFile } from "node:fs/promises"
import { layer as nodeServices } from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Ffmpeg from "@verbatim/adapters/ffmpeg"
import { AudioDecoder } from "@verbatim/core/ports"
import { type DecodedAudio, durationMillis } from "@verbatim/core/transcription"
import { alignWords, countWords } from "@verbatim/testkit/samples"
import { Console, Effect } from "effect"
import { recogniser } from "../pocketsphinx/Recogniser.ts"
import { humanSpeech, type SpeechSet } from "./HumanSpeech.ts"
import { cacheDirectory, listEngines, recognise } from "./LocalEngines.ts"

/**
 * The maximum word error rate. PocketSphinx makes 25 errors in the 71 words of the sentences, and
 * 10 in the 21 words of the hands of cards.
 */
const errorsMax = (engine: string): number => (engine === "PocketSphinx" ? 0.6 : 0.25)

/**
 * Time limit for a test. The recordings last 40 s, and an idle machine recognises them in half that
 * time.
 */
const timeout = 300_000

const [sets, engines] = await Effect.runPromise(
  Effect.all([
    humanSpeech({ cacheDirectory, report: Console.log }).pipe(
      Effect.catchTag("InstallerError", ({ detail, sentence }) =>
        Effect.as(Console.warn(`skipped: ${sentence} ${detail}`), [])
      )
    ),
    listEngines
  ]).pipe(Effect.provide(nodeServices))
)

/** Puts silence before the audio, in the same file. */
const addSilence = (audio: DecodedAudio, sampleCount: number) =>
  Effect.promise(async () => {
    const silence = Buffer.alloc(2 * sampleCount)
    await writeFile(audio.path, Buffer.concat([silence, await readFile(audio.path)]))
    return { ...audio, sampleCount: audio.sampleCount + sampleCount }
  })

const ways = [
  { how: "", silenceCount: 0, isVadFiltered: true },
  // This engine gets the audio with the silence.
  { how: " after silence, with vad_filter=false", silenceCount: 80_000, isVadFiltered: false }
]

/** Recognises all clips of a set, and checks the timestamps of their words. */
const countErrors = Effect.fnUntraced(function* (
  { clips }: SpeechSet,
  { isVadFiltered, silenceCount }: (typeof ways)[number]
) {
  const { decode } = yield* AudioDecoder
  const counts = yield* Effect.forEach(clips, ({ path, words }) =>
    Effect.gen(function* () {
      const clip = yield* decode({ path, extension: ".wav", byteLength: statSync(path).size })
      const audio = yield* addSilence(clip, silenceCount)
      const { segments } = yield* recognise({ audio, language: "en", isVadFiltered })
      const times = segments.flatMap((segment) =>
        (segment.words ?? [segment]).flatMap(({ endMillis, startMillis }) => [
          startMillis,
          endMillis
        ])
      )
      assert.deepStrictEqual(
        times,
        times.toSorted((a, b) => a - b)
      )
      assert.isAtMost(times.at(-1) ?? 0, durationMillis(audio))
      return countWords(alignWords(words, segments.map(({ text }) => text).join(" ")))
    }).pipe(Effect.scoped)
  )
  return {
    spoken: counts.reduce((sum, { spoken }) => sum + spoken, 0),
    errors: counts.reduce((sum, { errors }) => sum + errors, 0)
  }
})

describe.skipIf(recogniser === undefined || sets.length === 0)("human speech", () => {
  for (const engine of engines) {
    const title = "missing" in engine ? `${engine.name} (${engine.missing})` : engine.name
    for (const way of ways) {
      it.live.skipIf("missing" in engine)(
        `is recognised by ${title}${way.how}`,
        () =>
          Effect.gen(function* () {
            if ("missing" in engine) return
            for (const set of sets) {
              const { errors, spoken } = yield* Effect.provide(countErrors(set, way), engine.layer)
              const found = `${engine.name}: ${errors} errors in ${spoken} words (${set.title})`
              yield* Console.log(found)
              assert.isAtMost(errors / spoken, errorsMax(engine.name), found)
            }
          }).pipe(Effect.provide(Ffmpeg.layer())),
        timeout
      )
    }
  }
})
