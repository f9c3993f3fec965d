/** Tests both decoders with all accepted formats, and with hostile files. */
import { copyFile, mkdir, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { layer as nodeFileSystem } from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it, layer, type Vitest } from "@effect/vitest"
import { type DecoderOptions, layerWasm } from "@verbatim/adapters/ffmpeg"
import { AudioDecoder } from "@verbatim/core/ports"
import { contentTypes } from "@verbatim/core/transcription"
import { AudioDecoderContract } from "@verbatim/testkit/contracts"
import { Duration, Effect, Layer, Struct } from "effect"
import { clip, namesIn, newFolder, reasonOf, secondsOf, writeSilence } from "./Clips.ts"
import { describeDecoders } from "./Decoders.ts"

type It = Vitest.MethodsNonLive<AudioDecoder>

/** Windows Media encoders put silence before the audio, and decoders do not remove it. */
const tolerance = (extension: string) => (/^\.wm/.test(extension) ? 0.3 : 0.2)

const accepts = (it: It) => {
  for (const extension of Struct.keys(contentTypes)) {
    it.effect(`decodes ${extension}`, () =>
      Effect.gen(function* () {
        const seconds = yield* secondsOf(clip(`clip${extension}`))
        assert.approximately(seconds, 4, tolerance(extension))
      })
    )
  }

  it.effect("decodes a file by its content, even if its name is wrong", () =>
    Effect.gen(function* () {
      const path = join(yield* newFolder, "film.mp3")
      yield* Effect.promise(() => copyFile(clip("clip.mkv"), path))
      assert.approximately(yield* secondsOf(path), 4, 0.2)
    })
  )
}

const refuses = (it: It) => {
  const causes = [
    ["junk.mp3", "UnknownFormat"],
    ["empty.wav", "Empty"],
    ["truncated.mp4", "IndexMissing"]
  ] as const
  for (const [name, cause] of causes) {
    it.effect(`refuses ${name}, and states the cause`, () =>
      Effect.gen(function* () {
        const reason = yield* reasonOf(clip(name))
        assert.strictEqual(reason._tag, "MediaUndecodable")
        assert.strictEqual("cause" in reason ? reason.cause : undefined, cause)
        const detail = "detail" in reason ? reason.detail : ""
        assert.match(detail, /^[\x20-\x7e]{1,500}$/)
        assert.notInclude(detail, clip(name))
      })
    )
  }

  it.effect("reports that a video has no audio", () =>
    Effect.gen(function* () {
      const reason = yield* reasonOf(clip("video-without-audio.mp4"))
      assert.deepStrictEqual(reason, { _tag: "AudioMissing" })
    })
  )

  it.effect("refuses a web page that is named like a recording, and states the cause", () =>
    Effect.gen(function* () {
      const path = join(yield* newFolder, "sign-in.mp3")
      yield* Effect.promise(() => writeFile(path, "\n<!DOCTYPE html><title>Sign in</title>"))
      const reason = yield* reasonOf(path)
      assert.strictEqual("cause" in reason ? reason.cause : undefined, "Html")
    })
  )

  it.effect("refuses more than 64 channels, and states the cause", () =>
    Effect.gen(function* () {
      const path = join(yield* newFolder, "wide.wav")
      yield* writeSilence(path, { seconds: 1, channels: 96 })
      const reason = yield* reasonOf(path)
      assert.strictEqual("cause" in reason ? reason.cause : undefined, "TooManyChannels")
    })
  )

  it.effect("reports a missing recording as a storage failure", () =>
    Effect.gen(function* () {
      const folder = yield* newFolder
      const missing = { path: join(folder, "gone.mp3"), extension: ".mp3", byteLength: 1 }
      const { reason } = yield* Effect.flip(
        Effect.flatMap(AudioDecoder, (one) => one.decode(missing))
      )
      assert.deepStrictEqual(reason, { _tag: "StorageFailed", detail: "ENOENT" })
    })
  )
}

const keepsLimits = (makeLayer: (options: DecoderOptions) => Layer.Layer<AudioDecoder>) => {
  it.live("accepts exactly an hour of audio if the limit is an hour, and not one sample more", () =>
    Effect.gen(function* () {
      const folder = yield* newFolder
      const fits = join(folder, "fits.wav")
      const isLonger = join(folder, "longer.wav")
      yield* writeSilence(fits, { seconds: 3_600 })
      yield* writeSilence(isLonger, { seconds: (3_600 * 16_000 + 1) / 16_000 })
      assert.strictEqual(yield* secondsOf(fits), 3_600)
      assert.deepStrictEqual(yield* reasonOf(isLonger), { _tag: "AudioTooLong", maxHours: 1 })
    }).pipe(Effect.provide(makeLayer({ maxHours: 1 })))
  )

  it.live("removes files that a crash left behind two days ago, and keeps newer ones", () =>
    Effect.gen(function* () {
      const folder = yield* newFolder
      const names = ["verbatim-audio-old", "verbatim-audio-young", "notes"]
      yield* Effect.promise(async () => {
        for (const name of names) await mkdir(join(folder, name))
        const seconds = (Date.now() - Duration.toMillis("49 hours")) / 1_000
        for (const name of ["verbatim-audio-old", "notes"]) {
          await utimes(join(folder, name), seconds, seconds)
        }
      })
      yield* secondsOf(clip("clip.ogg")).pipe(Effect.provide(makeLayer({ directory: folder })))
      assert.deepStrictEqual((yield* namesIn(folder)).sort(), ["notes", "verbatim-audio-young"])
    })
  )
}

describeDecoders(
  (decoder) => `AudioDecoder by ${decoder}`,
  (makeLayer, name) => {
    layer(makeLayer(), { excludeTestServices: true })((it) => {
      accepts(it)
      refuses(it)
    })
    keepsLimits(makeLayer)
    AudioDecoderContract.suite(name, Layer.merge(makeLayer(), nodeFileSystem))
  }
)

describe("ffmpeg in WebAssembly, used as a host would use it", () => {
  it.effect("decodes a recording", () =>
    Effect.gen(function* () {
      assert.approximately(yield* secondsOf(clip("clip.mp3")), 4, 0.2)
    }).pipe(Effect.provide(layerWasm()))
  )
})
