/**
 * Any transcription model of the AI SDK as a `Transcriber`. The other way round, Verbatim as such a
 * model, is `@verbatim/client/ai-sdk`.
 */
import { layer as nodeFileSystem } from "@effect/platform-node-shared/NodeFileSystem"
import { Transcriber } from "@verbatim/core/ports"
import { Layer } from "effect"
import * as AiSdkTranscriber from "./AiSdkTranscriber.ts"
import type { TranscriptionModel } from "./ProviderOptions.ts"

export type { ProviderOptions, RecognitionSettings, TranscriptionModel } from "./ProviderOptions.ts"

/** What a host sets. */
export interface TranscriberOptions extends AiSdkTranscriber.CallOptions {
  readonly model: TranscriptionModel
}

/** Recognition by a model of the AI SDK. */
export const transcriber = ({ model, ...options }: TranscriberOptions): Layer.Layer<Transcriber> =>
  Layer.effect(Transcriber, AiSdkTranscriber.make(model, options)).pipe(
    Layer.provide(nodeFileSystem)
  )
