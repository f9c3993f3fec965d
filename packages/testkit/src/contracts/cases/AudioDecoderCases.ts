/**
 * Contract cases for `AudioDecoder` with generated recordings. An adapter's own tests cover input
 * formats with sample files.
 */
import { AudioDecoder } from "@verbatim/core/ports"
import { makePeakFold } from "@verbatim/core/transcription"
import { Effect, FileSystem, Result } from "effect"
import { type Recording, tone, wav } from "../../samples/index.ts"
import { type Cases, type Contract, listCases } from "../Contract.ts"
import * as Expect from "../Expect.ts"

type Ports = AudioDecoder | FileSystem.FileSystem

/** The format that every decoder returns. */
const plain: Recording = { sampleRate: 16_000, channels: 1, sampleCount: 32_000 }

/** Writes media to a file in a new folder. */
const mediaOf = Effect.fnUntraced(function* (name: string, bytes: Uint8Array) {
  const files = yield* FileSystem.FileSystem
  const path = `${yield* files.makeTempDirectoryScoped()}/${name}`
  yield* files.writeFile(path, bytes)
  return { path, extension: name.slice(name.lastIndexOf(".")), byteLength: bytes.byteLength }
})

const decodeBytes = (name: string, bytes: Uint8Array) =>
  Effect.gen(function* () {
    const decoder = yield* AudioDecoder
    return yield* decoder.decode(yield* mediaOf(name, bytes))
  })

const refuseBytes = (name: string, bytes: Uint8Array) =>
  Effect.gen(function* () {
    const decoder = yield* AudioDecoder
    const media = yield* mediaOf(name, bytes)
    return yield* Effect.result(Effect.scoped(decoder.decode(media)))
  })

const cases: Cases<Ports> = listCases(AudioDecoder, {
  *"returns the samples of plain audio unchanged"() {
    const files = yield* FileSystem.FileSystem
    const samples = tone(plain)
    const { path, sampleCount } = yield* decodeBytes("a.wav", wav(plain, samples))
    yield* Expect.that("the decoder counts the samples", sampleCount).is(plain.sampleCount)
    const bytes = yield* files.readFile(path)
    yield* Expect.holds(
      "exactly two bytes per sample",
      bytes.byteLength === samples.byteLength &&
        bytes.every((byte, index) => byte === samples[index])
    )
  },
  *"returns no peaks, or peaks that match the samples"() {
    const files = yield* FileSystem.FileSystem
    const other = { sampleRate: 44_100, channels: 2, sampleCount: 300_000 }
    const { path, peaks, sampleCount } = yield* decodeBytes("a.wav", wav(other, tone(other)))
    if (peaks === undefined) return
    const bytes = yield* files.readFile(path)
    const fold = makePeakFold(sampleCount)
    fold.add(new Int16Array(bytes.slice().buffer))
    yield* Expect.that("the peaks match the file", peaks).is(fold.peaks())
  },
  *"converts all other audio to 16 kHz and one channel"() {
    const files = yield* FileSystem.FileSystem
    for (const [sampleRate, channels] of [
      [44_100, 2],
      [8_000, 1],
      [48_000, 6]
    ] as const) {
      const other = { sampleRate, channels, sampleCount: sampleRate * 2 }
      const { path, sampleCount } = yield* decodeBytes("a.wav", wav(other, tone(other)))
      // Resampling can make the audio longer or shorter by the filter's length, 20 ms.
      yield* Expect.holds("two seconds stay two seconds", Math.abs(sampleCount - 32_000) <= 320)
      const { size } = yield* files.stat(path)
      yield* Expect.that("the file is as long as it says", Number(size)).is(sampleCount * 2)
    }
  },
  *"fails with `AudioMissing` when the media has no samples"() {
    const outcome = yield* refuseBytes("a.wav", wav(plain, new Uint8Array()))
    yield* Expect.that(
      "the reason is right",
      Result.isFailure(outcome) ? outcome.failure.reason._tag : "success"
    ).is("AudioMissing")
  },
  *"refuses a file that is not media"() {
    const noise = Uint8Array.from({ length: 10_000 }, (_, index) => (index * index * 7) % 251)
    const outcome = yield* refuseBytes("a.mp3", noise)
    yield* Expect.that(
      "the reason is right",
      Result.isFailure(outcome) ? outcome.failure.reason._tag : "success"
    ).is("MediaUndecodable")
  },
  *"opens only the media, even if the media refers to other files"() {
    const { path } = yield* mediaOf("private.wav", wav(plain, tone(plain)))
    const lists = [
      ["a.wav", `ffconcat version 1.0\nfile '${path}'\n`],
      ["a.avi", `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n${path}\n#EXT-X-ENDLIST\n`]
    ] as const
    for (const [name, text] of lists) {
      const outcome = yield* refuseBytes(name, new TextEncoder().encode(text))
      yield* Expect.holds(`a list called ${name} gives nothing`, Result.isFailure(outcome))
    }
  },
  *"removes the decoded file when the scope closes"() {
    const files = yield* FileSystem.FileSystem
    const { path } = yield* Effect.scoped(decodeBytes("a.wav", wav(plain, tone(plain))))
    yield* files.exists(path).pipe(Expect.gives("the decoded file is removed", false))
  }
})

export const contract: Contract<Ports> = { port: "AudioDecoder", cases, advance: Effect.sleep }
