/**
 * A `fetch` for SDKs of providers: a request that names a preset leaves with everything that the
 * preset adds, and every other one as it came. The answer is the provider's, stream or not.
 */
import { parseExact } from "../ExactJson.ts"
import type { Format } from "../Format.ts"
import type { Lost } from "../Idea.ts"
import { isObject, type Json } from "../Json.ts"
import { type NoReference, parseReference, type Referring, takeReference } from "../Reference.ts"
import { resolve } from "../Resolution.ts"
import { PinRefusal, type PinRefusalCode } from "./Pin.ts"
import type { Meaning, PinReader } from "./PinReader.ts"
import { type FetchInput, type ReadRequest, readFetch } from "./RequestBody.ts"

// The answer to a request whose preset cannot be used, as if the provider had given it. SDKs take
// an error that `fetch` throws for a broken connection: they hide it and try again. An answer with
// the status of a mistake they show as it is.

/** What an SDK is answered. */
interface Told {
  readonly status: number
  readonly type: string
}

/**
 * No 409, which SDKs repeat, and no 401: they would ask for another key of the provider. 424 is a
 * request that failed because of another one.
 */
const answers: Readonly<Record<PinRefusalCode, Told>> = {
  NoPreset: { status: 404, type: "preset_not_found" },
  PresetInactive: { status: 424, type: "preset_inactive" },
  NoReference: { status: 400, type: "preset_reference_invalid" },
  NotFilled: { status: 400, type: "preset_variables_invalid" },
  KeyRefused: { status: 424, type: "preset_key_refused" },
  Unavailable: { status: 503, type: "preset_unavailable" }
}

/**
 * The answer for a refusal, in the one form that SDKs of all formats read. Only what is unavailable
 * may be tried again, which SDKs do after a pause.
 */
const refusedAnswer = ({ code, message }: PinRefusal): Response => {
  const { status, type } = answers[code]
  const headers = { "x-should-retry": String(code === "Unavailable") }
  const error = { type, message, code: status, param: "preset" }
  return Response.json({ type: "error", error }, { status, headers })
}

/** What a request was laid over. */
export interface Resolved {
  /** As the request had it, without `@preset/`. */
  readonly reference: string
  readonly slug: string
  readonly version: number
  readonly versionId: string
  /** The label by which it was named. */
  readonly label?: string
  /** Since when it is known that the reference means this version, at most. */
  readonly ageMillis: number
  /** Whether that is longer than `maxAge`, because the registry does not answer. */
  readonly isStale: boolean
  /**
   * Whether it is from the fallback, because the registry was never reached: then `version` is 0
   * and `versionId` empty.
   */
  readonly isFallback: boolean
  /** What the preset says and the request does not, or says otherwise. */
  readonly leftOut: ReadonlyArray<Lost>
}

/** How presets are looked up, and who is told. */
export interface PresetFetching {
  readonly reader: PinReader
  /** Called before the request leaves. What it throws, the request is rejected with. */
  readonly onResolved?: ((resolved: Resolved) => void) | undefined
}

/** What all kinds of `fetch` have in common. */
export type AnyFetch = (input: FetchInput, init?: RequestInit) => Promise<Response>

/** The preset that a request is laid over. */
interface Laid extends Referring {
  readonly format: Format
}

/** What a request names, or why that is nothing; undefined when it tries to name nothing. */
type Named = Laid | Exclude<NoReference, "none"> | "elsewhere"

/** A preset in a path, where AzureOpenAI writes the model, or in a header. */
const inPlace = /(?:@|%40)preset(?:\/|%2f)/i

/** A preset in the place of a model, however deep, as in a batch. */
const inModel = /"model":"[^"]*@preset\//

const readBy = (parse: (text: string) => Json, text: string) => {
  const request = parse(text)
  return isObject(request) ? takeReference(request) : "none"
}

const referringIn = ({ format, place, text }: ReadRequest): Named | undefined => {
  if (inPlace.test(place)) return "elsewhere"
  // Most requests name none, and are not parsed for that.
  if (!/preset|"prompt"/.test(text)) return undefined
  try {
    if (format === undefined) {
      return inModel.test(JSON.stringify(JSON.parse(text))) ? "elsewhere" : undefined
    }
    const read = readBy(JSON.parse, text)
    // Once more, with the digits of its numbers: few requests come so far.
    const named = typeof read === "string" ? read : readBy(parseExact, text)
    if (typeof named === "string") return named === "none" ? undefined : named
    return { ...named, format }
  } catch {
    return undefined
  }
}

const tellOf = (
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

/** Wraps a `fetch`. A preset that cannot be used is answered in the provider's place. */
export const makePresetFetch = <Fetch extends AnyFetch>(
  fetch: Fetch,
  { onResolved, reader }: PresetFetching
): Fetch => {
  const expand = async (read: ReadRequest, referring: Named) => {
    if (typeof referring === "string") throw new PinRefusal("NoReference", misnamed[referring])
    const { format, preset, request: asked } = referring
    const meaning = await reader.read(preset, read.signal)
    const { leftOut, request, unfilled } = resolve(meaning.pinned.version, asked, format)
    if (unfilled !== undefined) throw new PinRefusal("NotFilled", `variables: ${unfilled}`)
    onResolved?.(tellOf(referring, meaning, leftOut))
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
