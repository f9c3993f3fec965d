/** What the screens of presets say of them: types of the API, words, and the form of requests. */
import type { components } from "@verbatim/client"

type Schemas = components["schemas"]

/** A preset with its designated version. */
export type Preset = Schemas["Preset"]

/** A preset as lists have it. */
export type ListedPreset = Schemas["PresetPage"]["data"][number]

/** One version of a preset. */
export type Version = Schemas["PresetVersionPage"]["data"][number]

/** A label of a preset. */
export type Label = Schemas["Label"]

/** A request format. */
export type Format = Version["format"]

/** How each status is shown. */
export const statusTones = { active: "good", disabled: "warn", archived: "idle" } as const

/** The statuses of presets. */
export const presetStatuses = ["active", "disabled", "archived"] as const

/** Request formats, as people call them. */
export const formatNames: Readonly<Record<Format, string>> = {
  responses: "Responses",
  chat_completions: "Chat completions",
  messages: "Messages"
}

/** A request of each format that says little: what the preset adds is what one wants to see. */
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

/** JSON as people read it. */
export const writeJson = (value: unknown): string => JSON.stringify(value, null, 2) ?? ""

/** The form of a slug. */
export const slugPattern = "[A-Za-z0-9._~\\-]{1,255}"

/** The form of a label's name. */
export const labelPattern = "[a-z][a-z0-9_\\-]{0,62}"

/** The last instant that the API takes: a field for one takes years of six digits, too. */
export const lastInstant = "9999-12-31T23:59:59"

/** Words that name a version without a label. */
export const reservedPoints: ReadonlyArray<string> = ["designated", "latest"]

/** Where a preset stands. */
export const presetPath = (slug: string): string => `/presets/${encodeURIComponent(slug)}`

/** A version as a reference names it. */
export const versionName = (version: number): string => `v${version}`

/** Two formats want messages; what users say in them is not kept. */
const unkept = [{ role: "user", content: "…" }]

/** The body of a request that a version is made of. */
export const toBody = (
  format: Format,
  { config, prompt }: { readonly prompt: string; readonly config: Record<string, unknown> }
): Record<string, unknown> => {
  if (format === "responses") {
    return prompt === "" ? config : { ...config, instructions: prompt }
  }
  if (format === "messages") {
    return { ...config, ...(prompt === "" ? {} : { system: prompt }), messages: unkept }
  }
  const messages = prompt === "" ? unkept : [{ role: "system", content: prompt }]
  return { ...config, messages }
}

/** An object of JSON, or the sentence that says why it is none. */
export const readObject = (
  text: string
): { readonly value: Record<string, unknown> } | { readonly fault: string } => {
  try {
    const value: unknown = JSON.parse(text.trim() === "" ? "{}" : text)
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return { value: value as Record<string, unknown> }
    }
    return { fault: "It must be an object in braces." }
  } catch (cause) {
    return { fault: cause instanceof Error ? cause.message : "This is no JSON." }
  }
}
