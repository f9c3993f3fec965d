/**
 * How a preset treats each field of a request. A format's table is its whole policy: a host can
 * read the table, change it, and decode requests with its own version.
 */

/** How a preset treats a field. */
export type Fate = "kept" | "systemPrompt" | "ignored"

/** The fate of a field, and the reason. */
export interface Field {
  readonly fate: Fate
  readonly reason: string
}

/** Fields by name. A field that is missing in the table is ignored. */
export type FieldTable = Readonly<Record<string, Field>>

/** A field that is kept in the config of a preset. */
export const keep = (reason: string): Field => ({ fate: "kept", reason })

/** A field with text that becomes part of the system prompt. */
export const systemPrompt = (reason: string): Field => ({ fate: "systemPrompt", reason })

/** A field that is validated and then dropped. */
export const ignore = (reason: string): Field => ({ fate: "ignored", reason })

/**
 * Reasons shared by similar fields. Each reason completes a sentence that begins with the field.
 */
export const reasons = {
  choice: "selects the model or provider",
  sampling: "controls how tokens are chosen",
  thinking: "controls how much the model thinks",
  caching: "controls what the provider caches",
  limit: "limits the work",
  output: "shapes the answer",
  tooling: "controls which tools can be called",
  around: "selects plugins for the request",
  content: "is the content of one request",
  transport: "controls how one request is sent",
  identity: "identifies one request or user",
  diagnosis: "helps to diagnose one request"
} as const
