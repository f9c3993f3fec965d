/**
 * Servers that speak OpenAI's protocol as a `Transcriber` and as a `Summarizer`: OpenAI itself, or
 * whatever stands at the address that the operator configured.
 */
import { layer as nodeFileSystem } from "@effect/platform-node/NodeFileSystem"
import { Transcriber } from "@verbatim/core/ports/Transcriber"
import { Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import * as OpenAiTranscriber from "./OpenAiTranscriber.ts"
import * as Provider from "./Provider.ts"

export { type DialectName, dialectNames } from "./Dialect.ts"
export { OpenAiTranscriber, Provider }

/** What a host sets for recognition. */
export interface TranscriberOptions
  extends Provider.ProviderOptions,
    OpenAiTranscriber.TranscriberOptions {}

/** Recognition by a server. */
export const transcriber = (
  options: TranscriberOptions
): Layer.Layer<Transcriber, never, SecureRandom.SecureRandom> =>
  Layer.effect(
    Transcriber,
    Effect.flatMap(Provider.make(options), (provider) => OpenAiTranscriber.make(provider, options))
  ).pipe(Layer.provide(nodeFileSystem))
