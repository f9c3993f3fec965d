/**
 * Tables that define how a preset treats each request field. The table of a format is its whole
 * policy: a host can read it, change it, and decode requests with its own table.
 */
import type { Schema } from "effect"

/** How a preset treats a field. */
export type Fate = "kept" | "systemPrompt" | "ignored"

/**
 * How a preset treats a field, and why. The reason completes a sentence that begins with the name
 * of the field.
 */
export interface Field {
  readonly fate: Fate
  readonly reason: string
}

/** How a preset treats each field, by name. A field that is missing from the table is ignored. */
export type FieldTable = Readonly<Record<string, Field>>

const keep = (reason: string): Field => ({ fate: "kept", reason })

/** Creates the entry of a field with text that becomes part of the system prompt. */
export const systemPrompt = (reason: string): Field => ({ fate: "systemPrompt", reason })

/** Creates the entry of a field that is validated and then dropped. */
export const ignore = (reason: string): Field => ({ fate: "ignored", reason })

/** Groups of fields that a preset treats in the same way. */
const groups = {
  choice: keep("selects the model or provider"),
  sampling: keep("controls how tokens are chosen"),
  thinking: keep("controls how much the model thinks"),
  caching: keep("controls what the provider caches"),
  limit: keep("limits the work"),
  output: keep("shapes the answer"),
  tooling: keep("controls which tools can be called"),
  around: keep("selects plugins for the request"),
  content: ignore("is the content of one request"),
  transport: ignore("controls how one request is sent"),
  identity: ignore("identifies one request or user"),
  diagnosis: ignore("helps to diagnose one request")
} as const

/** The schemas of a format's fields, by group; `own` contains the fields in no group. */
type FieldGroups = {
  readonly [Group in keyof typeof groups | "own"]?: Schema.Struct.Fields
}

type Joined<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All
) => void
  ? All
  : never

const byName = <A>([one]: readonly [string, A], [other]: readonly [string, A]): number =>
  one < other ? -1 : 1

/** Returns the schemas of all fields by name, in the order in which problems are reported. */
export const joinGroups = <Groups extends FieldGroups>(grouped: Groups) => {
  const entries = Object.values<Schema.Struct.Fields>(grouped).flatMap((each) =>
    Object.entries(each)
  )
  return Object.fromEntries(entries.toSorted(byName)) as Joined<Groups[keyof Groups]>
}

/** Creates the table of a format from its groups of fields and its own fields. */
export const makeTable = (grouped: FieldGroups, own: FieldTable): FieldTable => {
  const entries = Object.entries(groups).flatMap(([group, field]) =>
    Object.keys(grouped[group as keyof typeof groups] ?? {}).map((name) => [name, field] as const)
  )
  return Object.fromEntries([...entries, ...Object.entries(own)].toSorted(byName))
}
