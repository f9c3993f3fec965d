/**
 * What every `Transcriber` must do. An adapter is done when `suite` passes with its layer, which
 * brings the `Speech` that it can recognise and a `FileSystem`.
 */
import type { Transcriber } from "@verbatim/core/ports"
import type { FileSystem } from "effect"
import { contract, Speech } from "./cases/TranscriberCases.ts"
import { type Suite, suiteOf } from "./Vitest.ts"

export { Speech }

/** Registers the contract with Vitest. */
export const suite: Suite<Transcriber | Speech | FileSystem.FileSystem> = suiteOf(contract)
