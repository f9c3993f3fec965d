/**
 * Creates a `fetch` for provider SDKs that expands requests that name a preset, and passes on all
 * other requests unchanged. The SDK gets the provider's own response.
 */
import type { Lost } from "../FieldMapping.ts"
import type { Format } from "../Format.ts"
import { isObject, type Json, parseExact } from "../Json.ts"
import { type NoReference, parseReference, type Referring, takeReference } from "../Reference.ts"
import { resolve } from "../Resolution.ts"
import { PinRefusal, type PinRefusalCode } from "./Pin.ts"
import type { Meaning, PinReader } from "./PinReader.ts"
import { type FetchInput, type ReadRequest, readFetch } from "./RequestBody.ts"

// If a preset cannot be used, the response looks like an error from the provider. SDKs show such an
// error; if `fetch` threw instead, they would assume a broken connection, hide the error and retry.

/** The HTTP status and the error type of a response that refuses a request. */
interface ErrorAnswer {
  readonly status: number
  readonly type: string
}

/**
 * No status is 409, which SDKs retry, or 401, which users would blame on their provider key. 424
 * means that a dependency failed.
 */
const answers: Readonly<Record<PinRefusalCode, ErrorAnswer>> = {
  NoPreset: { status: 404, type: "preset_not_found" },
  PresetInactive: { status: 424, type: "preset_inactive" },
  NoReference: { status: 400, type: "preset_reference_invalid" },
  NotFilled: { status: 400, type: "preset_variables_invalid" },
  KeyRefused: { status: 424, type: "preset_key_refused" },
  Unavailable: { status: 503, type: "preset_unavailable" }
}

/**
 * Builds the response for a refusal, in a form that the SDKs of all formats can read. Only an
 * unavailable registry is retryable; SDKs then retry after a pause.
 */
const refusedAnswer = ({ code, message }: PinRefusal): Response => {
  const { status, type } = answers[code]
  const headers = { "x-should-retry": String(code === "Unavailable") }
  const error = { type, message, code: status, param: "preset" }
  return Response.json({ type: "error", error }, { status, headers })
}

/** The preset that was used to resolve a request. */
export interface Resolved {
  /** The reference as in the request, without `@preset/`. */
  readonly reference: string
  readonly slug: string
  readonly version: number
  readonly versionId: string
  /** The label in the reference. */
  readonly label?: string
  /** An upper bound on the age of the resolved reference, in milliseconds. */
  readonly ageMillis: number
  /** Whether the age exceeds `maxAge`, because the registry does not respond. */
  readonly isStale: boolean
  /**
   * Whether the preset comes from the fallback, because the registry was never reached; `version`
   * is then 0 and `versionId` empty.
   */
  readonly isFallback: boolean
  /** Parts of the preset that the request lacks or changes. */
  readonly leftOut: ReadonlyArray<Lost>
}

/** Options for `makePresetFetch`. */
export interface PresetFetching {
  readonly reader: PinReader
  /**
   * Called before the request is sent. If the function throws, the call rejects with that error and
   * the request is not sent.
   */
  readonly onResolved?: ((resolved: Resolved) => void) | undefined
}

/** The call signature that all platforms' `fetch` functions share. */
export type AnyFetch = (input: FetchInput, init?: RequestInit) => Promise<Response>

interface NamingRequest extends Referring {
  readonly format: Format
}

/**
 * The preset that a request names, or why that name is invalid; undefined if it names no preset.
 */
type Named = NamingRequest | Exclude<NoReference, "none"> | "elsewhere"

/** Matches a preset in the path, where AzureOpenAI puts the model, or in a header. */
const inPlace = /(?:@|%40)preset(?:\/|%2f)/i

/** Matches a preset that is named as a model anywhere in a body, such as in a batch. */
const inModel = /"model":"[^"]*@preset\//

const readBy = (parse: (text: string) => Json, text: string) => {
  const request = parse(text)
  return isObject(request) ? takeReference(request) : "none"
}

const referringIn = ({ format, place, text }: ReadRequest): Named | undefined => {
  if (inPlace.test(place)) return "elsewhere"
  // Most requests name no preset, and need not be parsed.
  if (!/preset|"prompt"/.test(text)) return undefined
  try {
    if (format === undefined) {
      return inModel.test(JSON.stringify(JSON.parse(text))) ? "elsewhere" : undefined
    }
    const read = readBy(JSON.parse, text)
    // Parse the body again, with exact numbers. The second parse costs little, because few requests
    // name a preset.
    const named = typeof read === "string" ? read : readBy(parseExact, text)
    if (typeof named === "string") return named === "none" ? undefined : named
    return { ...named, format }
  } catch {
    return undefined
  }
}

const toResolved = (
  { preset: reference }: Referring,
  { pinned, ...known }: Meaning,
  leftOut: Resolved["leftOut"]
): Resolved => {
  const label = parseReference(reference)?.label
  const { slug, version, versionId } = pinned
  return {
    ...{ reference, slug, version: version.version, versionId },
    ...(label === undefined ? {} : { label }),
    ...known,
    leftOut
  }
}

const misnamed = {
  elsewhere:
    "`@preset/` works in bodies for /responses, /chat/completions and /messages alone: " +
    "name the model here, and for AzureOpenAI the preset in `preset`",
  noText: "`preset` is the name of a preset, a text",
  twice: "`preset`, `model` and `prompt` name different presets"
}

/** Wraps a `fetch`. If a preset cannot be used, the wrapper responds instead of the provider. */
export const makePresetFetch = <Fetch extends AnyFetch>(
  fetch: Fetch,
  { onResolved, reader }: PresetFetching
): Fetch => {
  const expand = async (read: ReadRequest, referring: Named) => {
    if (typeof referring === "string") throw new PinRefusal("NoReference", misnamed[referring])
    const { format, preset, request: original } = referring
    const meaning = await reader.read(preset, read.signal)
    const { leftOut, request, unfilled } = resolve(meaning.pinned.version, original, format)
    if (unfilled !== undefined) throw new PinRefusal("NotFilled", `variables: ${unfilled}`)
    onResolved?.(toResolved(referring, meaning, leftOut))
    return read.write(JSON.stringify(request))
  }

  const presetFetch: AnyFetch = async (input, init) => {
    const read = await readFetch(input, init)
    const referring = read && referringIn(read)
    if (read === undefined || referring === undefined) return fetch(input, init)
    try {
      const [expanded, changed] = await expand(read, referring)
      return await fetch(expanded, changed)
    } catch (error) {
      if (error instanceof PinRefusal) return refusedAnswer(error)
      throw error
    }
  }
  return presetFetch as Fetch
}
