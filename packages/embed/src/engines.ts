/**
 * Engines that a host can use instead of its own. Each engine's comment states what it requires.
 */
import { cacheFolder } from "@verbatim/adapters/engines"
import * as OpenAi from "@verbatim/adapters/openai"
import * as Pocketsphinx from "@verbatim/adapters/pocketsphinx"
import { Effect, Option, Redacted } from "effect"
import { toEngine } from "./Engine.ts"
import { InvalidOptions } from "./Errors.ts"
import type { Engine } from "./Options.ts"
import { must, text, validateEngineOptions } from "./open/validateOptions.ts"

/** Options for a server that speaks OpenAI's protocol. */
export interface OpenAiOptions {
  /** The API key. OpenAI requires a key; servers on the same machine often do not. */
  readonly apiKey?: string
  /** The API's base URL. Default: `https://api.openai.com/v1`. */
  readonly baseURL?: string
  /** The model's name. Default: `whisper-1`, which returns word timestamps. */
  readonly model?: string
}

const usualModel = "whisper-1"

const isWebUrl = (value: unknown): boolean => {
  // Avoid `URL.parse`, because this code also runs on old Node versions, before `open` reports
  // which version is needed.
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
 * Recognises speech with a server that speaks OpenAI's protocol. Needs `undici`. Throws
 * `InvalidOptions`, even if `baseURL` is explicitly undefined; otherwise, recordings for your own
 * server would go to OpenAI.
 *
 * @example
 * ```ts
 * const transcribe = openai({ baseURL: "http://localhost:8000/v1", model: "whisper-1" })
 * ```
 */
export const openai = (options: OpenAiOptions = {}): Engine => {
  // An unset environment variable must not send the recordings to OpenAI.
  const isUnset = Object.hasOwn(Object(options), "baseURL") && options.baseURL === undefined
  const given = isUnset ? { ...options, baseURL: "" } : options
  validateEngineOptions("openai", { given, known: openaiRules })
  const { apiKey, baseURL = OpenAi.Provider.openaiUrl, model = usualModel } = options
  if (apiKey === undefined && baseURL === OpenAi.Provider.openaiUrl) {
    const message = `openai: "apiKey" is missing, and ${baseURL} needs one.`
    throw new InvalidOptions({ code: "InvalidOptions", message })
  }
  return toEngine(
    OpenAi.transcriber({
      url: baseURL,
      key: Option.map(Option.fromUndefinedOr(apiKey), (key) => Redacted.make(key)),
      model,
      dialect: "openai"
    })
  )
}

/** Options of `pocketsphinx`. */
export interface PocketsphinxOptions {
  /** The folder for downloads. Default: `verbatim` in the user's cache folder. */
  readonly cacheDirectory?: string
}

/**
 * Recognises English offline with PocketSphinx, and downloads its Debian package if it is not
 * installed. Throws `InvalidOptions`.
 *
 * @example
 * ```ts
 * const transcribe = pocketsphinx({ cacheDirectory: "/var/cache/talks" })
 * ```
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
