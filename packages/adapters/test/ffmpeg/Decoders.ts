/**
 * Provides both decoders for tests: the system's ffmpeg and ffmpeg in WebAssembly. If no ffmpeg is
 * installed, the tests that need it are skipped, and their titles say so.
 */
import { describe } from "@effect/vitest"
import { type DecoderOptions, layerSystem } from "@verbatim/adapters/ffmpeg"
import type { AudioDecoder } from "@verbatim/core/ports"
import { Effect, type Layer, Option } from "effect"
import * as Decoding from "#src/ffmpeg/Decoding"
import { locate as locateSystem } from "#src/ffmpeg/SystemFfmpeg"
import { engine, locate } from "#src/ffmpeg/WasmFfmpeg"

/** The path of the system's ffmpeg; undefined if none is installed. */
export const installed = Option.getOrUndefined(await Effect.runPromise(locateSystem))

/** The reason why tests are skipped, which is appended to their titles. */
export const reason = installed === undefined ? " (skipped: there is no ffmpeg on PATH)" : ""

if (installed === undefined) {
  console.warn("Tests of the system's ffmpeg are skipped: there is no ffmpeg on PATH.")
}

const compiledOnce = Effect.runSync(
  Effect.cached(Effect.flatMap(locate, (files) => engine(Option.getOrThrow(files))))
)

/**
 * Does the same as `layerWasm`, but compiles the package only once per process, because this takes
 * a second of CPU time.
 */
export const sharedWasm = (options: DecoderOptions = {}): Layer.Layer<AudioDecoder> =>
  Decoding.layer(compiledOnce, options)

type MakeLayer = (options?: DecoderOptions) => Layer.Layer<AudioDecoder>

/** Adds a suite for each decoder. */
export const describeDecoders = (
  title: (decoder: string) => string,
  suite: (makeLayer: MakeLayer, name: string) => void
): void => {
  const [system, wasm] = ["the system's ffmpeg", "ffmpeg as WebAssembly"] as const
  describe.skipIf(installed === undefined)(`${title(system)}${reason}`, () =>
    suite(layerSystem, system)
  )
  describe(title(wasm), () => suite(sharedWasm, wasm))
}
