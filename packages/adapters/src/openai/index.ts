/**
 * Servers that speak OpenAI's protocol as a `Transcriber` and as a `Summarizer`: OpenAI itself, or
 * whatever stands at the address that the operator configured.
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

/** What a host sets for summaries. */
export interface SummarizerOptions
  extends Provider.ProviderOptions,
    OpenAiSummarizer.SummarizerOptions {}

/** Summaries by a language model. */
export const summarizer = (
  options: SummarizerOptions
): Layer.Layer<Summarizer, never, SecureRandom.SecureRandom> =>
  Layer.effect(
    Summarizer,
    Effect.flatMap(Provider.make(options), (provider) => OpenAiSummarizer.make(provider, options))
  )
