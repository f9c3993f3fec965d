/**
 * Turns any AI SDK transcription model into a `Transcriber`. To use Verbatim as an AI SDK model
 * instead, see `@verbatim/client/ai-sdk`.
 */
import { layer as nodeFileSystem } from "@effect/platform-node-shared/NodeFileSystem"
import { Transcriber } from "@verbatim/core/ports"
import { Layer } from "effect"
import * as AiSdkTranscriber from "./AiSdkTranscriber.ts"
import type { TranscriptionModel } from "./ProviderOptions.ts"

export type { ProviderOptions, RecognitionSettings, TranscriptionModel } from "./ProviderOptions.ts"

/** Options for `transcriber`. */
export interface TranscriberOptions extends AiSdkTranscriber.CallOptions {
  readonly model: TranscriptionModel
}

/** Creates a transcriber from an AI SDK model. */
export const transcriber = ({ model, ...options }: TranscriberOptions): Layer.Layer<Transcriber> =>
  Layer.effect(Transcriber, AiSdkTranscriber.make(model, options)).pipe(
    Layer.provide(nodeFileSystem)
  )
