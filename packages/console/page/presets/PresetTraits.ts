/** Types, wording and request bodies for the preset screens. */
import type { components } from "@verbatim/client"
import { sentenceOf } from "../Api.ts"

type Schemas = components["schemas"]
export type Preset = Schemas["Preset"]
export type ListedPreset = Schemas["PresetPage"]["data"][number]

export const isNamed = ({ name, slug }: Pick<Preset, "name" | "slug">): boolean =>
  name !== "" && name !== slug

export type Version = Schemas["PresetVersionPage"]["data"][number]
export type Label = Schemas["Label"]
export type Format = Version["format"]
export const statusTones = { active: "good", disabled: "warn", archived: "idle" } as const
export const presetStatuses = ["active", "disabled", "archived"] as const

export const formatNames: Readonly<Record<Format, string>> = {
  responses: "Responses",
  chat_completions: "Chat completions",
  messages: "Messages"
}

/** A minimal request in each format, so that the preview shows what the preset adds. */
export const sampleRequests: Readonly<Record<Format, string>> = {
  responses: `{
  "input": "Hello"
}`,
  chat_completions: `{
  "messages": [{ "role": "user", "content": "Hello" }]
}`,
  messages: `{
  "messages": [{ "role": "user", "content": "Hello" }],
  "max_tokens": 1024
}`
}

export const formatJson = (value: unknown): string => JSON.stringify(value, null, 2) ?? ""

export const formatValue = (value: unknown): string =>
  typeof value === "string" ? value : formatJson(value)

export const slugPattern = "[A-Za-z0-9._~\\-]{1,255}"
export const labelPattern = "[a-z][a-z0-9_\\-]{0,62}"

/** The latest timestamp that the API accepts. Date fields also accept six-digit years. */
export const lastInstant = "9999-12-31T23:59:59"

export const presetPath = (slug: string): string => `/presets/${encodeURIComponent(slug)}`

export const versionPath = (slug: string, version: number): string =>
  `${presetPath(slug)}?version=${version}`

/** Returns the name of the field at a JSON pointer, such as `reasoning › effort`. */
export const fieldName = (path: string): string =>
  path
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .join(" › ")

export const versionName = (version: number): string => `v${version}`

/** A message for the two formats that require messages, because user messages are not stored. */
const placeholder = { role: "user", content: "…" }

const promptFields = (format: Format, prompt: string): Record<string, unknown> => {
  const hasPrompt = prompt !== ""
  if (format === "responses") return hasPrompt ? { instructions: prompt } : {}
  if (format === "messages")
    return { ...(hasPrompt ? { system: prompt } : {}), messages: [placeholder] }
  return { messages: [hasPrompt ? { role: "system", content: prompt } : placeholder] }
}

export const toBody = (
  format: Format,
  { config, prompt }: { readonly prompt: string; readonly config: Record<string, unknown> }
): Record<string, unknown> => ({ ...config, ...promptFields(format, prompt) })

export const readObject = (text: string): Record<string, unknown> => {
  const value: unknown = JSON.parse(text.trim() || "{}")
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error("This must be a JSON object in braces.")
  return Object(value)
}

/** Reads an object, or returns why the text is not an object. */
export const tryObject = (text: string) => {
  try {
    return { value: readObject(text), fault: "" }
  } catch (cause) {
    return { fault: sentenceOf(cause) }
  }
}
