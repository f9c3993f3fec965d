/**
 * What becomes of the fields of a request when it becomes a preset. The table of a format is its
 * whole policy: a host can read it, change it and decode with its own.
 */

/** What becomes of a field of the request. */
export type Fate = "kept" | "systemPrompt" | "ignored"

/** The fate of a field, and why. */
export interface Field {
  readonly fate: Fate
  readonly reason: string
}

/** Fields by name; a field that is not named is ignored. */
export type FieldTable = Readonly<Record<string, Field>>

/** A field that the configuration of a preset holds. */
export const keep = (reason: string): Field => ({ fate: "kept", reason })

/** A field whose text goes into the system prompt. */
export const systemPrompt = (reason: string): Field => ({ fate: "systemPrompt", reason })

/** A field that is checked and then forgotten. */
export const ignore = (reason: string): Field => ({ fate: "ignored", reason })

/** Why fields of one kind share a fate; each completes a sentence that begins with the field. */
export const because = {
  choice: "chooses what answers",
  sampling: "shapes how words are chosen",
  thinking: "shapes how much the model thinks",
  caching: "shapes what the provider caches",
  limit: "limits the work",
  output: "shapes the answer",
  tooling: "says what may be called",
  around: "says what is switched on around the request",
  content: "is the content of one request",
  transport: "says how one request travels",
  identity: "tells one request or user from another",
  diagnosis: "is for looking into one request"
} as const
