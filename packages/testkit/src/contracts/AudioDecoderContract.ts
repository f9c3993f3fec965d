/**
 * What every `AudioDecoder` must do. An adapter is done when `suite` passes with its layer. The
 * `FileSystem` writes the media and reads the audio.
 */
import type { AudioDecoder } from "@verbatim/core/ports"
import type { FileSystem } from "effect"
import { contract } from "./cases/AudioDecoderCases.ts"
import { type Suite, suiteOf } from "./Vitest.ts"

/** Registers the contract with Vitest. */
export const suite: Suite<AudioDecoder | FileSystem.FileSystem> = suiteOf(contract)
