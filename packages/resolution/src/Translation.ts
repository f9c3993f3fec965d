/**
 * A configuration that was kept of a request in one format, in the words of another. What the other
 * format has no words for is left out, and named.
 */
import { answerForm } from "./AnswerForm.ts"
import { type Format, keptFields, knownFields } from "./Format.ts"
import { type Idea, type Lost, noWords, type Said, type Surroundings } from "./Idea.ts"
import { isObject, type Json, type JsonObject, own } from "./Json.ts"
import { answerTokens, serviceTier, stops } from "./Limits.ts"
import { thinking } from "./Thinking.ts"
import { toolChoice } from "./ToolChoice.ts"
import { tools } from "./Tools.ts"

/** From which format to which. */
export interface Direction {
  readonly from: Format
  readonly to: Format
}

/** An idea whose values nobody outside it looks at. */
interface Sealed {
  readonly fields: Idea<unknown>["fields"]
  readonly translate: (
    config: JsonObject,
    direction: Direction & { readonly around: Surroundings }
  ) => Said | undefined
}

const seal = <A>(idea: Idea<A>): Sealed => ({
  fields: idea.fields,
  translate: (config, { around, from, to }) => {
    const value = idea.read[from](config)
    return value === undefined ? undefined : idea.say[to](value, around)
  }
})

/** Everything that the formats say in different words. */
const ideas: ReadonlyArray<Sealed> = [
  seal(answerTokens),
  seal(stops),
  seal(answerForm),
  seal(thinking),
  seal(toolChoice),
  seal(tools),
  seal(serviceTier)
]

/** The ideas that a field of a format may speak of. */
const ideasOf = (format: Format): ReadonlyMap<string, ReadonlyArray<Sealed>> => {
  const found = new Map<string, Array<Sealed>>()
  for (const idea of ideas) {
    for (const name of idea.fields[format]) found.set(name, [...(found.get(name) ?? []), idea])
  }
  return found
}

const ideasByField: Readonly<Record<Format, ReadonlyMap<string, ReadonlyArray<Sealed>>>> = {
  responses: ideasOf("responses"),
  chatCompletions: ideasOf("chatCompletions"),
  messages: ideasOf("messages")
}

/** Two ideas may speak in one field, each of a part of it. */
const join = (one: Json | undefined, other: Json): Json =>
  isObject(one) && isObject(other) ? { ...one, ...other } : other

/** What the ideas read of a field that is an object. */
const partsRead: Readonly<Record<string, ReadonlySet<string>>> = {
  text: new Set(["format", "verbosity"]),
  output_config: new Set(["format", "effort"]),
  thinking: new Set(["type", "budget_tokens"])
}

const unread = (name: string, value: Json): ReadonlyArray<Lost> => {
  const read = Object.hasOwn(partsRead, name) ? partsRead[name] : undefined
  if (read === undefined || !isObject(value)) return []
  return Object.keys(value)
    .filter((part) => !read.has(part))
    .map((part) => ({ field: `${name}.${part}`, reason: noWords }))
}

/** A configuration in another format. */
interface Translated {
  /** A name may be `__proto__`, so this is no object. */
  readonly fields: Iterable<readonly [name: string, value: Json]>
  readonly tools: Json | undefined
  readonly lost: ReadonlyArray<Lost>
}

/** The same configuration in another format. */
export const translate = (
  config: JsonObject,
  { around, from, to }: Direction & { readonly around: Surroundings }
): Translated => {
  if (from === to) return { fields: Object.entries(config), tools: own(config, "tools"), lost: [] }
  const fields = new Map<string, Json>()
  const lost: Array<Lost> = []
  const done = new Set<Sealed>()
  for (const [name, value] of Object.entries(config)) {
    const spoken = ideasByField[from].get(name)
    // Null asks for what the absence of a field asks for, and not every format takes it.
    if (value === null && knownFields.has(name)) continue
    // A field that no format knows is the host's own, and stays as it is.
    if (spoken === undefined && (keptFields[to].has(name) || !knownFields.has(name))) {
      fields.set(name, value)
    } else if (spoken === undefined) lost.push({ field: name, reason: noWords })
    else lost.push(...unread(name, value))
    for (const idea of spoken ?? []) {
      if (done.has(idea)) continue
      done.add(idea)
      const said = idea.translate(config, { from, to, around })
      if (said === undefined) continue
      for (const [written, part] of Object.entries(said.fields)) {
        fields.set(written, join(fields.get(written), part))
      }
      lost.push(...said.lost)
    }
  }
  return { fields, tools: fields.get("tools"), lost }
}

/** Fields of a format that mean the same: where a request has one, none of the others is added. */
const synonyms: Readonly<Record<Format, ReadonlyArray<ReadonlyArray<string>>>> = {
  responses: [],
  chatCompletions: [
    ["max_completion_tokens", "max_tokens"],
    ["reasoning", "reasoning_effort"]
  ],
  messages: []
}

/** The fields that a request answers for, although it does not have them. */
export const shadowedBy = (request: JsonObject, format: Format): ReadonlySet<string> =>
  new Set(
    synonyms[format].flatMap((names) =>
      names.some((name) => own(request, name) !== undefined) ? names : []
    )
  )
