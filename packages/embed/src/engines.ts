/** Engines that a host may choose instead of its own. Each needs what its comment names. */
import { cacheFolder } from "@verbatim/adapters/engines"
import * as OpenAi from "@verbatim/adapters/openai"
import * as Pocketsphinx from "@verbatim/adapters/pocketsphinx"
import { Effect, Option, Redacted } from "effect"
import { toEngine } from "./Engine.ts"
import type { Engine } from "./Options.ts"

/** A server that speaks OpenAI's protocol. */
export interface OpenAiOptions {
  /** Servers on the same machine need none. */
  readonly apiKey?: string
  /** Without the name of an operation. Default: OpenAI's own. */
  readonly url?: string
  /** Default: `whisper-1`, which times words. */
  readonly model?: string
}

const usualModel = "whisper-1"

/** Recognition by a server that speaks OpenAI's protocol. Needs `undici`. */
export const openai = ({ apiKey, model = usualModel, url }: OpenAiOptions = {}): Engine =>
  toEngine(
    OpenAi.transcriber({
      url: url ?? OpenAi.Provider.openaiUrl,
      key: Option.map(Option.fromUndefinedOr(apiKey), (key) => Redacted.make(key)),
      model,
      dialect: "openai"
    })
  )

/** PocketSphinx: English only, without a network. Needs the Debian package, or fetches it. */
export const pocketsphinx = ({
  cacheDirectory = cacheFolder()
}: {
  /** Where a fetched one is put. Default: `verbatim` in the cache folder of the user. */
  readonly cacheDirectory?: string
} = {}): Engine =>
  toEngine(
    Pocketsphinx.layer({
      cacheDirectory,
      installs: true,
      report: (line) => Effect.logInfo(line)
    })
  )
