/**
 * What every `MediaStore` must do. An adapter is done when `suite` passes with its layer. The
 * `FileSystem` reads what was opened.
 */
import type { MediaStore } from "@verbatim/core/ports"
import type { FileSystem } from "effect"
import { contract } from "./cases/media/MediaStoreCases.ts"
import { type Suite, suiteOf } from "./Vitest.ts"

/** Registers the contract with Vitest. */
export const suite: Suite<MediaStore | FileSystem.FileSystem> = suiteOf(contract)
