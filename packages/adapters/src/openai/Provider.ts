/**
 * Sends requests to one server that uses OpenAI's protocol, and briefly retries failed requests.
 * The final error says whether the content or Verbatim's configuration is to blame. The key is sent
 * only to the configured origin.
 */

import { toLine } from "@verbatim/core/attempt"
import {
  Cause,
  DateTime,
  type Duration,
  Effect,
  Option,
  Predicate,
  Redacted,
  type Stream
} from "effect"
import { readProblem, viewJson } from "../engines/pieces/Json.ts"
import {
  type ProviderError,
  providerError,
  type Retries,
  retries,
  setback,
  tryAgain
} from "../engines/provider/ProviderFailure.ts"
import { meaningOf, retryAfter } from "../engines/provider/StatusMeaning.ts"
import { Guard, GuardedUpload, type GuardOptions, OutboundError } from "../net/index.ts"

// Shortens a server's error to one printable line, for logs and history. The key is removed,
// because some servers repeat the key in their errors. Pure.

/**
 * Number of characters to keep from a response that is not JSON, because proxies return long pages.
 */
const rawCharacterMax = 2_000

/** Returns an error's message, with the code or location. */
const messageIn = (json: unknown): string | undefined => {
  const { error, message } = readProblem(json)
  const location = error.at(0).at("loc").entries.at(-1)?.text
  const code = error.at("code").text ?? error.at("type").text ?? location
  if (message === undefined) return code
  return code === undefined ? message : `${code}: ${message}`
}

/** Returns the line that describes an error response. */
export const errorLine = (refusal: {
  readonly status: number
  readonly body: string
  readonly key: Option.Option<Redacted.Redacted>
}): string => {
  const { body, key, status } = refusal
  const json = viewJson.parse(body)
  const message = Option.getOrUndefined(Option.map(json, messageIn))
  const content = Predicate.isString(message) ? message : body.slice(0, rawCharacterMax)
  const secret = Option.getOrElse(Option.map(key, Redacted.value), () => "")
  const safe = secret === "" ? content : content.replaceAll(secret, "[key]")
  return toLine(`${status} ${safe}`)
}

/** The base URL of OpenAI's own servers. */
export const openaiUrl = "https://api.openai.com/v1"

/** Connection options for a provider. */
export interface ProviderOptions {
  /** The base URL, without an operation's path, such as `https://api.openai.com/v1`. */
  readonly url: string
  /** The API key, which a server on the same machine does not need. */
  readonly key: Option.Option<Redacted.Redacted>
  /** Replaces the production limits and the resolver. */
  readonly net?: Omit<GuardOptions, "allowedNetworks">
  readonly retries?: Retries
}

/** A request to the server. Every attempt streams the content from the beginning. */
export interface ProviderRequest<E> {
  readonly path: string
  readonly contentType: string
  readonly content: Stream.Stream<Uint8Array, E>
  readonly byteLength: number
  readonly maxAnswerBytes: number
  readonly timeout: Duration.Duration
}

/** A server that uses OpenAI's protocol. */
export interface Provider {
  readonly url: string
  readonly isOpenai: boolean
  readonly hasKey: boolean
  /** Sends a request and returns the response's JSON. */
  readonly send: <E>(request: ProviderRequest<E>) => Effect.Effect<unknown, E | ProviderError>
}

/** Returns the provider's name in traces. */
export const nameOf = ({ isOpenai, url }: Provider): string =>
  isOpenai ? "openai" : new URL(url).host

const headersOf = ({ key }: ProviderOptions, contentType: string) => ({
  accept: "application/json",
  "content-type": contentType,
  "user-agent": "verbatim",
  ...Option.match(key, {
    onNone: () => ({}),
    onSome: (secret) => ({ authorization: `Bearer ${Redacted.value(secret)}` })
  })
})

const once = Effect.fnUntraced(function* <E>(
  request: ProviderRequest<E>,
  { options, origin }: { options: ProviderOptions; origin: Guard.TrustedOrigin }
): Effect.fn.Return<unknown, E | ProviderError> {
  const { path, contentType, ...upload } = request
  const sent = GuardedUpload.upload(
    { ...upload, url: options.url + path, headers: headersOf(options, contentType) },
    origin
  )
  const reply = yield* Effect.mapError(sent, (error) =>
    error instanceof OutboundError ? setback(error.detail) : error
  )
  const body = new TextDecoder().decode(reply.body)
  const verdict = meaningOf({ status: reply.status, content: body })
  if (verdict === "Done") {
    const json = viewJson.parse(body)
    if (Option.isSome(json)) return json.value
    const detail = reply.isCut ? "the answer is too long" : "the answer is not JSON"
    return yield* providerError("Malformed", detail)
  }
  const detail = errorLine({ status: reply.status, body, key: options.key })
  if (verdict !== "TryAgain") return yield* providerError(verdict, detail)
  return yield* setback(detail, retryAfter(reply.headers, yield* DateTime.now))
})

/** Creates a provider for a URL that was validated with the configuration. */
export const make = (options: ProviderOptions): Effect.Effect<Provider> => {
  const url = options.url.replace(/\/+$/, "")
  const origin = Guard.trust(url, options.net)
  if (Option.isNone(origin)) return Effect.die(new Cause.IllegalArgumentError("not an HTTP URL"))
  const setting = { options: { ...options, url }, origin: origin.value }
  return Effect.succeed({
    url,
    isOpenai: origin.value.origin === new URL(openaiUrl).origin,
    hasKey: Option.isSome(options.key),
    send: (request) => tryAgain(once(request, setting), options.retries ?? retries)
  })
}
