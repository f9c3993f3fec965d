/** Engines that a host may choose instead of its own. Each needs what its comment names. */
import { cacheFolder } from "@verbatim/adapters/engines"
import * as OpenAi from "@verbatim/adapters/openai"
import * as Pocketsphinx from "@verbatim/adapters/pocketsphinx"
import { Effect, Option, Redacted } from "effect"
import { toEngine } from "./Engine.ts"
import type { Engine } from "./Options.ts"
import { must, text, validateEngineOptions } from "./open/validateOptions.ts"

/** A server that speaks OpenAI's protocol. */
export interface OpenAiOptions {
  /** Servers on the same machine need none. */
  readonly apiKey?: string
  /** Without the name of an operation. Default: `https://api.openai.com/v1`. */
  readonly baseURL?: string
  /** Default: `whisper-1`, which times words. */
  readonly model?: string
}

const usualModel = "whisper-1"

const isWebUrl = (value: unknown): boolean => {
  // An old Node has no `URL.parse`, and comes here before `open` names the Node that it needs.
  if (typeof value !== "string" || !URL.canParse(value)) return false
  const url = new URL(value)
  if (!/^https?:$/.test(url.protocol)) return false
  return [url.username, url.password, url.search, url.hash].every((part) => part === "")
}

const webUrl = must("a URL such as https://api.openai.com/v1", isWebUrl)

const openaiRules = {
  apiKey: text,
  baseURL: webUrl,
  model: text,
  url: () => `is called "baseURL" here, as in the package openai`
}

/**
 * Recognition by a server that speaks OpenAI's protocol. Needs `undici`. Throws `InvalidOptions`;
 * also where `baseURL` is undefined, since recordings meant for your own server would go to OpenAI.
 */
export const openai = (options: OpenAiOptions = {}): Engine => {
  // An unset environment variable must not choose who hears the recordings.
  const isUnset = Object.hasOwn(Object(options), "baseURL") && options.baseURL === undefined
  const given = isUnset ? { ...options, baseURL: "" } : options
  validateEngineOptions("openai", { given, known: openaiRules })
  const { apiKey, baseURL = OpenAi.Provider.openaiUrl, model = usualModel } = options
  return toEngine(
    OpenAi.transcriber({
      url: baseURL,
      key: Option.map(Option.fromUndefinedOr(apiKey), (key) => Redacted.make(key)),
      model,
      dialect: "openai"
    })
  )
}

/** Where PocketSphinx is looked for. */
export interface PocketsphinxOptions {
  /** Where a fetched one is put. Default: `verbatim` in the cache folder of the user. */
  readonly cacheDirectory?: string
}

/**
 * PocketSphinx: English only, without a network. Needs the Debian package, or fetches it. Throws
 * `InvalidOptions`.
 */
export const pocketsphinx = (options: PocketsphinxOptions = {}): Engine => {
  validateEngineOptions("pocketsphinx", { given: options, known: { cacheDirectory: text } })
  const { cacheDirectory = cacheFolder() } = options
  return toEngine(
    Pocketsphinx.layer({
      cacheDirectory,
      installs: true,
      report: (line) => Effect.logInfo(line)
    })
  )
}
