/**
 * Decodes every recording in `SoundTable.ts` with both decoders. Each result must have the full
 * length and every tone at the right time, and must report omitted tracks.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { extname, join } from "node:path"
import { afterAll, assert, layer } from "@effect/vitest"
import { AudioDecoder } from "@verbatim/core/ports"
import type { Tracks } from "@verbatim/core/transcription"
import { Effect } from "effect"
import { describeDecoders } from "./Decoders.ts"
import { encode } from "./Encoder.ts"
import type { Row } from "./SoundRow.ts"
import { bytesOf, cutFiles, encoding, endless, rows } from "./SoundTable.ts"
import { findTone } from "./Tones.ts"

const folder = await mkdtemp(join(tmpdir(), "verbatim-sound-"))
afterAll(() => rm(folder, { recursive: true, force: true }))

const made = await encode(encoding)
for (const name of [endless, ...rows.map((row) => row.name), ...cutFiles.map(([cut]) => cut)]) {
  await writeFile(join(folder, name), bytesOf(name, made))
}

const decode = Effect.fnUntraced(function* (name: string, tracks?: Tracks) {
  const decoder = yield* AudioDecoder
  const path = join(folder, name)
  const audio = yield* decoder.decode({ path, extension: extname(name), byteLength: 1 }, tracks)
  const bytes = yield* Effect.promise(() => readFile(audio.path))
  const samples = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)
  assert.strictEqual(samples.length, audio.sampleCount)
  return { audio, samples }
})

const isExpected = Effect.fnUntraced(function* ({ name, seconds, tones, tracks, ...row }: Row) {
  const { audio, samples } = yield* decode(name, tracks)
  assert.approximately(audio.sampleCount / 16_000, seconds, 0.1)
  for (const [hz, at] of tones) {
    const found = findTone(samples, hz)
    assert.approximately(found ?? Number.NaN, at, 0.1, `${hz} Hz`)
  }
  for (const hz of row.absent ?? []) assert.isUndefined(findTone(samples, hz), `${hz} Hz`)
  const { balance } = audio
  const speakerCount = balance?.isSpeakerPerSide === true ? balance.sideCount : undefined
  assert.strictEqual(speakerCount, row.speakerCount)
  assert.deepStrictEqual([...(audio.warnings ?? [])], [...(row.warnings ?? [])])
}, Effect.scoped)

const isCut = Effect.fnUntraced(function* ([name]: (typeof cutFiles)[number]) {
  const { audio } = yield* decode(name)
  const [warning, ...others] = audio.warnings ?? []
  assert.deepStrictEqual(others, [])
  assert.isTrue(warning?._tag === "AudioTruncated", JSON.stringify(warning))
  if (warning?._tag !== "AudioTruncated") return
  assert.approximately(warning.declaredMillis, 6_000, 100)
  assert.approximately(warning.readMillis, (audio.sampleCount * 1_000) / 16_000, 1)
  assert.isBelow(warning.readMillis, 5_000)
}, Effect.scoped)

/** A recording with two seconds of audio and five hours of silence between them. */
const isEndless = Effect.gen(function* () {
  const { reason } = yield* Effect.flip(decode(endless))
  const detail = "it decodes to more silence than its length allows"
  assert.deepStrictEqual(reason, { _tag: "MediaUndecodable", detail })
}).pipe(Effect.scoped)

describeDecoders(
  (decoder) => `sound by ${decoder}`,
  (makeLayer) => {
    layer(makeLayer(), { excludeTestServices: true })((it) => {
      it.effect.each(rows)("is complete and correctly timed in $name", isExpected)
      it.effect("does not contain the hours of silence that a small file declares", () => isEndless)
      it.effect.each(cutFiles)("is reported as truncated in %s", isCut)
    })
  }
)
