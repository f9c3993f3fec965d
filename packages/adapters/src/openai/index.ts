/**
 * Uses a server with OpenAI's protocol as a `Transcriber` or `Summarizer`: OpenAI, or any server at
 * the configured address.
 */
import { layer as nodeFileSystem } from "@effect/platform-node-shared/NodeFileSystem"
import { Summarizer, Transcriber } from "@verbatim/core/ports"
import { Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import * as OpenAiSummarizer from "./OpenAiSummarizer.ts"
import * as OpenAiTranscriber from "./OpenAiTranscriber.ts"
import * as Provider from "./Provider.ts"

export { type DialectName, dialectNames } from "./Dialect.ts"
export { OpenAiSummarizer, OpenAiTranscriber, Provider }

/** Options for `transcriber`. */
export interface TranscriberOptions
  extends Provider.ProviderOptions,
    OpenAiTranscriber.TranscriberOptions {}

/** Creates a transcriber that uses a server. */
export const transcriber = (
  options: TranscriberOptions
): Layer.Layer<Transcriber, never, SecureRandom.SecureRandom> =>
  Layer.effect(
    Transcriber,
    Effect.flatMap(Provider.make(options), (provider) => OpenAiTranscriber.make(provider, options))
  ).pipe(Layer.provide(nodeFileSystem))

/** Options for `summarizer`. */
export interface SummarizerOptions
  extends Provider.ProviderOptions,
    OpenAiSummarizer.SummarizerOptions {}

/** Creates a summarizer that uses a server. */
export const summarizer = (
  options: SummarizerOptions
): Layer.Layer<Summarizer, never, SecureRandom.SecureRandom> =>
  Layer.effect(
    Summarizer,
    Effect.flatMap(Provider.make(options), (provider) => OpenAiSummarizer.make(provider, options))
  )
