/**
 * ffmpeg as WebAssembly for all tests of a process. Each `layerWasm` compiles the package anew,
 * which takes a second of a processor; `AudioDecoder.test.ts` runs a decoder of the layer itself.
 */
import type { AudioDecoder } from "@verbatim/core/ports"
import { Effect, type Layer, Option } from "effect"
import * as Decoding from "#src/ffmpeg/Decoding"
import { engine, locate } from "#src/ffmpeg/WasmFfmpeg"

const compiledOnce = Effect.runSync(
  Effect.cached(Effect.flatMap(locate, (files) => engine(Option.getOrThrow(files))))
)

/** Like `layerWasm`, with the code that all others have. */
export const oneWasm = (options: Decoding.DecoderOptions = {}): Layer.Layer<AudioDecoder> =>
  Decoding.layer(compiledOnce, options)
