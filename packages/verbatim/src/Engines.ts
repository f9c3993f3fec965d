/**
 * The engines a server can be told to use, by name. A new engine is one row here.
 */
import * as LexRank from "@verbatim/adapters/lexrank"
import * as Pocketsphinx from "@verbatim/adapters/pocketsphinx"
import type { Summarizer } from "@verbatim/core/ports/Summarizer"
import type { Transcriber } from "@verbatim/core/ports/Transcriber"
import { Effect, type Layer } from "effect"

/** What engines need from the configuration. */
export interface EngineOptions {
  /** Models and unpacked engines live here; it may be deleted at any time. */
  readonly cacheDirectory: string
}

const report = (line: string) => Effect.logInfo(line)

/** Speech recognition. `auto` provides an engine itself where there is none. */
const transcribers = {
  auto: ({ cacheDirectory }: EngineOptions) =>
    Pocketsphinx.layer({ cacheDirectory, installs: true, report }),
  pocketsphinx: ({ cacheDirectory }: EngineOptions) =>
    Pocketsphinx.layer({ cacheDirectory, installs: false, report })
} satisfies Record<string, (options: EngineOptions) => Layer.Layer<Transcriber>>

/** Summaries. `auto` is the best that needs neither key nor network. */
const summarizers = {
  auto: LexRank.layer,
  lexrank: LexRank.layer
} satisfies Record<string, Layer.Layer<Summarizer>>

export type TranscriberName = keyof typeof transcribers
export type SummarizerName = keyof typeof summarizers

export const transcriberNames = [
  "auto",
  "pocketsphinx"
] as const satisfies ReadonlyArray<TranscriberName>
export const summarizerNames = ["auto", "lexrank"] as const satisfies ReadonlyArray<SummarizerName>

/** The engine of that name. */
export const transcriber = (
  name: TranscriberName,
  options: EngineOptions
): Layer.Layer<Transcriber> => transcribers[name](options)

/** The summarizer of that name. */
export const summarizer = (name: SummarizerName): Layer.Layer<Summarizer> => summarizers[name]

/** Provides the offline recogniser now, saying what it does. Used by `verbatim engines install`. */
export const install = Pocketsphinx.install
