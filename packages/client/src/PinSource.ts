/** Resolves preset references over HTTP. The key is sent only to the Verbatim server. */
import { formatNamed, type JsonObject, parseExact, parseReference } from "@verbatim/resolution"
import type { PinAnswer, PinnedVersion, PinRefusalCode, PinSource } from "@verbatim/resolution/pins"
import type { VerbatimClient } from "./Client.ts"

/**
 * Response statuses, with the reason why the reference cannot be resolved, at least for this
 * caller.
 */
const codes: Readonly<Record<number, Exclude<PinRefusalCode, "Unavailable">>> = {
  400: "NoReference",
  401: "KeyRefused",
  403: "KeyRefused",
  404: "NoPreset",
  409: "PresetInactive"
}

/** Reads a refusal. A preset error contains its status in the body; a proxy's error does not. */
const toRefusal = ({ status }: Response, body: unknown): PinAnswer => {
  const { code: named, message } = Object(Object(body).error)
  const code = named === status ? codes[status] : undefined
  if (code === undefined) throw new Error(message ?? `The server answered with status ${status}`)
  return { _tag: "Gone", code, message: String(message) }
}

/** The server's answer. */
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

/** Makes a source that reads pins through a client. */
export const makePinSource = (verbatim: Pick<VerbatimClient, "GET">): PinSource => ({
  pin: async ({ known, reference, signal }) => {
    const { label, slug, version } = parseReference(reference) ?? { slug: reference }
    const query = {
      ...(version === undefined ? {} : { version }),
      ...(label === undefined ? {} : { label })
    }
    const headers = known === undefined ? {} : { "if-none-match": `"${known}"` }
    const { data, error, response } = await verbatim.GET("/presets/{slug}/pin", {
      params: { path: { slug }, query },
      // Parsing as JSON would lose digits of numbers.
      parseAs: "text",
      signal,
      headers
    })
    if (response.status === 304) return { _tag: "Unchanged" }
    if (!response.ok || data === undefined) return toRefusal(response, error)
    return { _tag: "Pinned", pinned: toPinned(data) }
  }
})
