/**
 * Translates a configuration from one format to another, and reports the parts that are left out.
 */
import { answerForm } from "./AnswerForm.ts"
import {
  type FieldMapping,
  inEvery,
  type Lost,
  noWords,
  type Surroundings,
  type Written
} from "./FieldMapping.ts"
import { type Format, keptFields, knownFields } from "./Format.ts"
import { isTaken } from "./Gateway.ts"
import { isObject, type Json, type JsonObject } from "./Json.ts"
import { answerTokens, likelihoods, modalities, serviceTier, stops } from "./Limits.ts"
import { thinking } from "./Thinking.ts"
import { toolChoice } from "./ToolChoice.ts"
import { tools } from "./Tools.ts"

/** A translation's source and target format. */
export interface Direction {
  readonly from: Format
  readonly to: Format
}

/** A mapping whose value type is hidden, so that one list can hold different mappings. */
interface Sealed {
  readonly fields: FieldMapping<unknown>["fields"]
  readonly translate: (
    config: JsonObject,
    direction: Direction & { readonly around: Surroundings }
  ) => Written | undefined
}

const seal = <A>(mapping: FieldMapping<A>): Sealed => ({
  fields: mapping.fields,
  translate: (config, { around, from, to }) => {
    const value = mapping.read[from](config)
    return value === undefined ? undefined : mapping.write[to](value, around)
  }
})

/** The mappings of all settings that formats write differently. */
const mappings: ReadonlyArray<Sealed> = [
  seal(answerTokens),
  seal(stops),
  seal(answerForm),
  seal(thinking),
  seal(toolChoice),
  seal(tools),
  seal(modalities),
  seal(likelihoods),
  seal(serviceTier)
]

/** Returns, for each field of a format, the mappings that use it. */
const mappingsOf = (format: Format): ReadonlyMap<string, ReadonlyArray<Sealed>> => {
  const found = new Map<string, Array<Sealed>>()
  for (const mapping of mappings) {
    for (const name of mapping.fields[format]) {
      found.set(name, [...(found.get(name) ?? []), mapping])
    }
  }
  return found
}

const mappingsByField = inEvery(mappingsOf)

/** Joins the parts that two mappings write to the same field. */
const join = (one: Json | undefined, other: Json): Json =>
  isObject(one) && isObject(other) ? { ...one, ...other } : other

/** For fields that contain objects, the members that mappings read. */
const partsRead: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["text", ["format", "verbosity"]],
  ["output_config", ["format", "effort"]],
  ["thinking", ["type", "budget_tokens"]]
])

/** Reports the parts of a field that no mapping reads. */
const unread = (name: string, value: Json, isRead: boolean): ReadonlyArray<Lost> => {
  if (!isObject(value)) return isRead ? [] : [{ field: name, reason: noWords }]
  const read = partsRead.get(name)
  return Object.keys(value)
    .filter((part) => (read === undefined ? !isRead : !read.includes(part)))
    .map((part) => ({ field: `${name}.${part}`, reason: noWords }))
}

interface Translated {
  /** The fields are in a map, because a field can be named `__proto__`. */
  readonly fields: ReadonlyMap<string, Json>
  /** For each field, the preset's fields that it was translated from. */
  readonly sources: ReadonlyMap<string, ReadonlyArray<string>>
  readonly lost: ReadonlyArray<Lost>
}

/** Translates a configuration. */
export const translate = (
  config: JsonObject,
  direction: Direction & { readonly around: Surroundings }
): Translated => {
  const { around, from, to } = direction
  if (from === to) {
    return { fields: new Map(Object.entries(config)), sources: new Map(), lost: [] }
  }
  const fields = new Map<string, Json>()
  const sources = new Map<string, ReadonlyArray<string>>()
  const lost: Array<ReadonlyArray<Lost>> = []
  const applied = new Map<Sealed, Written | undefined>()

  /** Applies a mapping once for all of its fields; returns whether anything was written. */
  const apply = (mapping: Sealed, name: string): boolean => {
    const written = applied.has(mapping)
      ? applied.get(mapping)
      : mapping.translate(config, direction)
    for (const [target, part] of Object.entries(written?.fields ?? {})) {
      if (!applied.has(mapping)) fields.set(target, join(fields.get(target), part))
      sources.set(target, [...(sources.get(target) ?? []), name])
    }
    if (written !== undefined && !applied.has(mapping)) lost.push(written.lost)
    applied.set(mapping, written)
    return written !== undefined
  }

  for (const [name, value] of Object.entries(config)) {
    const mappings = mappingsByField[from].get(name)
    const isKnown = knownFields.has(name)
    // Null means the same as a missing field, and some formats refuse it.
    if (value === null && isKnown) continue
    if (mappings !== undefined) {
      lost.push(unread(name, value, mappings.map((mapping) => apply(mapping, name)).includes(true)))
      // A field that no format knows belongs to the host, and stays unchanged.
    } else if (!isKnown || (keptFields[to].has(name) && isTaken(name, to, around.isGateway))) {
      fields.set(name, value)
    } else lost.push([{ field: name, reason: noWords }])
  }
  return { fields, sources, lost: lost.flat() }
}

/**
 * Groups of fields with the same meaning. If a request has one field of a group, the preset's other
 * fields of this group are not added.
 */
const synonyms: Readonly<Record<Format, ReadonlyArray<ReadonlyArray<string>>>> = {
  responses: [],
  chatCompletions: [
    ["max_completion_tokens", "max_tokens"],
    ["reasoning", "reasoning_effort"]
  ],
  messages: []
}

/** Returns all synonyms of the fields that are present. */
export const sameAs = (isThere: (name: string) => boolean, format: Format): ReadonlyArray<string> =>
  synonyms[format].flatMap((names) => (names.some(isThere) ? names : []))
