/**
 * ffmpeg as WebAssembly, shared by all tests in a process. Each `layerWasm` compiles the package
 * again, which takes a second of CPU; `AudioDecoder.test.ts` tests the layer itself.
 */
import type { AudioDecoder } from "@verbatim/core/ports"
import { Effect, type Layer, Option } from "effect"
import * as Decoding from "#src/ffmpeg/Decoding"
import { engine, locate } from "#src/ffmpeg/WasmFfmpeg"

const compiledOnce = Effect.runSync(
  Effect.cached(Effect.flatMap(locate, (files) => engine(Option.getOrThrow(files))))
)

/** Like `layerWasm`, but uses the code that was compiled once. */
export const sharedWasm = (options: Decoding.DecoderOptions = {}): Layer.Layer<AudioDecoder> =>
  Decoding.layer(compiledOnce, options)
