/**
 * A configuration that was kept of a request in one format, in the words of another. What the other
 * format has no words for is left out, and named.
 */
import { answerForm } from "./AnswerForm.ts"
import { type Format, keptFields, knownFields } from "./Format.ts"
import { isTaken } from "./Gateway.ts"
import { type Idea, inEvery, type Lost, noWords, type Said, type Surroundings } from "./Idea.ts"
import { isObject, type Json, type JsonObject } from "./Json.ts"
import { answerTokens, likelihoods, modalities, serviceTier, stops } from "./Limits.ts"
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
  seal(modalities),
  seal(likelihoods),
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

const ideasByField = inEvery(ideasOf)

/** Two ideas may speak in one field, each of a part of it. */
const join = (one: Json | undefined, other: Json): Json =>
  isObject(one) && isObject(other) ? { ...one, ...other } : other

/** What the ideas read of a field that is an object. */
const partsRead: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["text", ["format", "verbosity"]],
  ["output_config", ["format", "effort"]],
  ["thinking", ["type", "budget_tokens"]]
])

/** The parts of a field that nobody reads; the whole of it where no idea is told by it. */
const unread = (name: string, value: Json, isRead: boolean): ReadonlyArray<Lost> => {
  if (!isObject(value)) return isRead ? [] : [{ field: name, reason: noWords }]
  const read = partsRead.get(name)
  return Object.keys(value)
    .filter((part) => (read === undefined ? !isRead : !read.includes(part)))
    .map((part) => ({ field: `${name}.${part}`, reason: noWords }))
}

/** A configuration in another format. */
interface Translated {
  /** A name may be `__proto__`, so this is no object. */
  readonly fields: ReadonlyMap<string, Json>
  /** By the fields that were written in other words, those of the preset that they come from. */
  readonly sources: ReadonlyMap<string, ReadonlyArray<string>>
  readonly lost: ReadonlyArray<Lost>
}

/** The same configuration in another format. */
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
  const spoken = new Map<Sealed, Said | undefined>()

  /** Says what an idea makes of the field; each idea speaks once. Tells whether there was any. */
  const say = (idea: Sealed, name: string): boolean => {
    const said = spoken.has(idea) ? spoken.get(idea) : idea.translate(config, direction)
    for (const [written, part] of Object.entries(said?.fields ?? {})) {
      if (!spoken.has(idea)) fields.set(written, join(fields.get(written), part))
      sources.set(written, [...(sources.get(written) ?? []), name])
    }
    if (said !== undefined && !spoken.has(idea)) lost.push(said.lost)
    spoken.set(idea, said)
    return said !== undefined
  }

  for (const [name, value] of Object.entries(config)) {
    const ideas = ideasByField[from].get(name)
    const isKnown = knownFields.has(name)
    // Null asks for what the absence of a field asks for, and not every format takes it.
    if (value === null && isKnown) continue
    if (ideas !== undefined) {
      lost.push(unread(name, value, ideas.map((idea) => say(idea, name)).includes(true)))
      // A field that no format knows is the host's own, and stays as it is.
    } else if (!isKnown || (keptFields[to].has(name) && isTaken(name, to, around.isGateway))) {
      fields.set(name, value)
    } else lost.push([{ field: name, reason: noWords }])
  }
  return { fields, sources, lost: lost.flat() }
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

/** The fields that mean the same as some of those that there are, and these where they do. */
export const sameAs = (isThere: (name: string) => boolean, format: Format): ReadonlyArray<string> =>
  synonyms[format].flatMap((names) => (names.some(isThere) ? names : []))
