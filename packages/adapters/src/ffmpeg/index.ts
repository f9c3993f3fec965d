/**
 * Implements `AudioDecoder` with ffmpeg: the system's program, or else the WebAssembly build from
 * npm.
 */
import { resolve } from "node:path"
import type { AudioDecoder } from "@verbatim/core/ports"
import { Effect, type Layer, Option } from "effect"
import * as Decoding from "./Decoding.ts"
import type { Engine } from "./FfmpegOutcome.ts"
import * as SystemFfmpeg from "./SystemFfmpeg.ts"
import * as WasmFfmpeg from "./WasmFfmpeg.ts"

export type { DecoderOptions } from "./Decoding.ts"

/** A decoder's limits, and the folder of the WebAssembly package. */
export interface WasmOptions extends Decoding.DecoderOptions {
  /**
   * The folder of the `@ffmpeg/core` package. Default: the folder that Node resolves for this code.
   */
  readonly wasmPackage?: string
}

/** A decoder's limits, and the ffmpeg program to run. */
export interface FfmpegOptions extends WasmOptions {
  /** The ffmpeg program to run. Default: the first one on `PATH` that works. */
  readonly ffmpegPath?: string
}

const system = ({ ffmpegPath }: FfmpegOptions): Effect.Effect<Option.Option<Engine>> =>
  ffmpegPath === undefined
    ? Effect.map(SystemFfmpeg.locate, Option.map(SystemFfmpeg.engine))
    : Effect.succeedSome(SystemFfmpeg.engine(resolve(ffmpegPath)))

const wasm = ({ wasmPackage }: WasmOptions): Effect.Effect<Engine> =>
  Effect.flatMap(
    wasmPackage === undefined
      ? WasmFfmpeg.locate
      : Effect.succeedSome(WasmFfmpeg.locateIn(wasmPackage)),
    Option.match({
      onNone: () => Effect.succeed(WasmFfmpeg.missingEngine),
      onSome: WasmFfmpeg.engine
    })
  )

/** Decodes with the system's ffmpeg. Without one, decoding fails with `EngineUnavailable`. */
export const layerSystem = (options: FfmpegOptions = {}): Layer.Layer<AudioDecoder> =>
  Decoding.layer(
    Effect.map(
      system(options),
      Option.getOrElse(() => SystemFfmpeg.missingEngine)
    ),
    options
  )

/** Decodes with ffmpeg as WebAssembly, from the optional package `@ffmpeg/core`. */
export const layerWasm = (options: WasmOptions = {}): Layer.Layer<AudioDecoder> =>
  Decoding.layer(wasm(options), options)

/**
 * Decodes with the program at the configured path, if any, or else with the first decoder found.
 */
export const layer = (options: FfmpegOptions = {}): Layer.Layer<AudioDecoder> =>
  Decoding.layer(
    Effect.flatMap(
      system(options),
      Option.match({ onNone: () => wasm(options), onSome: Effect.succeed })
    ),
    options
  )

/** Where to look for ffmpeg: on `PATH`, in `@ffmpeg/core`, or in both, in this order. */
export type Choice = "auto" | "system" | "wasm"

/** Returns which decoder is available: the system's ffmpeg with its path, the package, or none. */
export const find = Effect.fnUntraced(function* (
  choice: Choice = "auto"
): Effect.fn.Return<
  { readonly _tag: "System"; readonly path: string } | { readonly _tag: "Wasm" | "Missing" }
> {
  const path = choice === "wasm" ? Option.none() : yield* SystemFfmpeg.locate
  if (Option.isSome(path)) return { _tag: "System", path: path.value }
  const isWasm = choice !== "system" && Option.isSome(yield* WasmFfmpeg.locate)
  return { _tag: isWasm ? "Wasm" : "Missing" }
})
