/**
 * Creates a `fetch` that merges presets into the inference requests of any provider SDK. Presets
 * are read from the Verbatim server with the Verbatim key; inference requests go straight to the
 * provider.
 */
import { formatNamed, type JsonObject, parseExact, parseReference } from "@verbatim/resolution"
import {
  type AnyFetch,
  type Fallback,
  makePinReader,
  makePresetFetch,
  type PinAnswer,
  type PinClock,
  type PinnedVersion,
  type PinRefusalCode,
  type PinSource,
  platformClock,
  type Resolved,
  readFallback,
  usualLimits
} from "@verbatim/resolution/pins"
import type { VerbatimClient } from "./Client.ts"
import { validatePresetFetchOptions } from "./FetchOptions.ts"

export type { AnyFetch, Resolved }

/** Options of `presetFetch`. */
export interface PresetFetchOptions {
  /** The client that reads presets. An inference key is enough. */
  readonly verbatim: Pick<VerbatimClient, "GET">
  /**
   * Maximum age of a resolved reference, in milliseconds. If the server fails and an older
   * reference has to be used, `onResolved` reports it. After half this time, a reference is
   * refreshed in the background. Default: a minute.
   */
  readonly maxAge?: number | undefined
  /**
   * Milliseconds after `maxAge` during which the last resolved preset can still be used if the
   * server cannot be reached. Default: a day.
   */
  readonly staleIfError?: number | undefined
  /**
   * Presets to use until the server is first reached: a list of documents written by `verbatim
   * presets export`, or `exportedPresets(path)` from `@verbatim/client/file`. Files contain neither
   * version numbers nor labels, so they can resolve only plain slugs.
   */
  readonly fallback?: ReadonlyArray<object> | (() => Promise<ReadonlyArray<object>>) | undefined
  /**
   * Called with the resolved preset before each request is sent. If the function throws, the
   * request fails with that error.
   */
  readonly onResolved?: ((resolved: Resolved) => void) | undefined
}

/** The reasons why the server cannot resolve a reference for this caller, by response status. */
const codes: Readonly<Record<number, Exclude<PinRefusalCode, "Unavailable">>> = {
  400: "NoReference",
  401: "KeyRefused",
  403: "KeyRefused",
  404: "NoPreset",
  409: "PresetInactive"
}

/**
 * Reads a refusal. An error about a preset has its status in the body; a proxy's error does not.
 */
const toRefusal = ({ status }: Response, body: unknown): PinAnswer => {
  const { code: named, message } = Object(Object(body).error)
  const code = named === status ? codes[status] : undefined
  if (code === undefined) throw new Error(message ?? `The server answered with status ${status}`)
  return { _tag: "Gone", code, message: String(message) }
}

/** A pin, as the server returns it. */
interface WirePin {
  readonly slug: string
  readonly version: number
  readonly version_id: string
  readonly format: string
  readonly system_prompt: string | null
  readonly config: JsonObject
  readonly wins: ReadonlyArray<string>
}

const isPin = (value: unknown): value is { readonly data: WirePin } => {
  const { config, version, version_id } = (value as Partial<{ data: Partial<WirePin> }>)?.data ?? {}
  return typeof version === "number" && typeof version_id === "string" && config instanceof Object
}

const toPinned = (text: string): PinnedVersion => {
  const read: unknown = parseExact(text)
  if (!isPin(read)) throw new Error("The answer could not be read")
  const { config, format, slug, system_prompt, version, version_id, wins } = read.data
  return {
    slug,
    versionId: version_id,
    version: {
      ...{ version, format: formatNamed(format) ?? "responses" },
      ...{ systemPrompt: system_prompt, config, wins }
    }
  }
}

/** Creates a source that reads pins through a client. */
const makePinSource = (verbatim: Pick<VerbatimClient, "GET">): PinSource => ({
  pin: async ({ known, reference, signal }) => {
    const { label, slug, version } = parseReference(reference) ?? { slug: reference }
    const query = {
      ...(version === undefined ? {} : { version }),
      ...(label === undefined ? {} : { label })
    }
    const headers = known === undefined ? {} : { "if-none-match": `"${known}"` }
    const { data, error, response } = await verbatim.GET("/presets/{slug}/pin", {
      params: { path: { slug }, query },
      // Reads the response as text, because parsing JSON would lose digits of numbers.
      parseAs: "text",
      signal,
      headers
    })
    if (response.status === 304) return { _tag: "Unchanged" }
    if (!response.ok || data === undefined) return toRefusal(response, error)
    return { _tag: "Pinned", pinned: toPinned(data) }
  }
})

/**
 * The defaults. All processes use the new version within a minute after a rollback, and a day
 * covers an outage overnight.
 */
const usual = { maxAge: 60_000, staleIfError: 86_400_000 }

/** Does the same as `presetFetch`, but uses the given clock. */
export const makeClientPresetFetch = <Fetch extends AnyFetch>(
  fetch: Fetch,
  options: PresetFetchOptions,
  clock: PinClock
): Fetch => {
  validatePresetFetchOptions(options)
  const { maxAge = usual.maxAge, staleIfError = usual.staleIfError, verbatim } = options
  const limits = { ...usualLimits, maxAge, staleIfError }
  const { fallback: given, onResolved } = options
  const source = makePinSource(verbatim)
  let read: Promise<Fallback> | undefined
  const fallback = async () => {
    const documents = typeof given === "function" ? await given() : (given ?? [])
    return readFallback(documents as Parameters<typeof readFallback>[0])
  }
  const forget = (cause: unknown) => {
    read = undefined
    throw cause
  }
  const readOnce = () => (read ??= fallback().catch(forget))
  const reader = makePinReader({ source, clock, limits, fallback: readOnce })
  return makePresetFetch(fetch, { reader, onResolved })
}

/**
 * Wraps a `fetch`. If the JSON body of a POST to `…/responses`, `…/chat/completions` or
 * `…/messages` names a preset, the request is sent with everything that the preset adds. Other
 * requests pass unchanged. If the preset cannot be used, or a request to another endpoint names a
 * preset, the response is an error that SDKs show: 400, 404, 424 or 503. Throws a `TypeError` for
 * invalid options.
 */
export const presetFetch = <Fetch extends AnyFetch>(
  fetch: Fetch,
  options: PresetFetchOptions
): Fetch => makeClientPresetFetch(fetch, options, platformClock)
