/**
 * One thing that a configuration can say, which the formats say in different words: under other
 * names, in another shape, or not at all.
 */
import type { Format } from "./Format.ts"
import { type Json, type JsonObject, said } from "./Json.ts"

/** What a preset says and the request does not, or says otherwise. */
export interface Lost {
  /** The field of the preset, or the field and the name in it: `reasoning.summary`. */
  readonly field: string
  /** Why it is left out, or what became of it. */
  readonly reason: string
}

/** Something said in the words of a format. */
export interface Said {
  readonly fields: JsonObject
  readonly lost: ReadonlyArray<Lost>
}

/** What is around an idea that is said. */
export interface Surroundings {
  /** Whether a gateway is asked, which takes more words than the maker of a format. */
  readonly isGateway: boolean
}

/** How an idea is read from each format, and said in each. */
export interface Idea<A> {
  /** The fields that may speak of it, all of them. */
  readonly fields: Readonly<Record<Format, ReadonlyArray<string>>>
  /** What a configuration says; undefined when it says nothing, or something that is not known. */
  readonly read: Readonly<Record<Format, (config: JsonObject) => A | undefined>>
  readonly say: Readonly<Record<Format, (value: A, around: Surroundings) => Said>>
}

/** A value for each format. */
export const inEvery = <A>(make: (format: Format) => A): Readonly<Record<Format, A>> => ({
  responses: make("responses"),
  chatCompletions: make("chatCompletions"),
  messages: make("messages")
})

/** Why something is left out that the other format cannot say. */
export const noWords = "the format of the request has no words for it"

/** All that was meant is said. */
export const whole = (fields: JsonObject): Said => ({ fields, lost: [] })

/** A part of what was meant has no words. */
export const partly = (fields: JsonObject, lost: ReadonlyArray<Lost>): Said => ({ fields, lost })

/** Nothing of it can be said. */
export const nothing = (field: string, reason: string): Said => ({
  fields: {},
  lost: [{ field, reason }]
})

/** The loss of a value that the other format cannot say, where there is one. */
export const lossOf = (field: string, value: Json | undefined): ReadonlyArray<Lost> =>
  value === undefined ? [] : [{ field, reason: noWords }]

/** An idea that is one value under one name, where a format has it. */
export const renamed = <A extends Json>({
  names,
  read,
  write = (value) => value
}: {
  /** The first of the names is written, each of them is read. */
  readonly names: Readonly<Record<Format, ReadonlyArray<string>>>
  readonly read: (value: Json) => A | undefined
  readonly write?: (value: A, format: Format) => Json | undefined
}): Idea<{ readonly name: string; readonly value: A }> => {
  const readFrom = (format: Format) => (config: JsonObject) => {
    for (const name of names[format]) {
      const found = said(config, name)
      const value = found === undefined ? undefined : read(found)
      if (value !== undefined) return { name, value }
    }
    return undefined
  }
  const sayIn =
    (format: Format) =>
    ({ name, value }: { readonly name: string; readonly value: A }): Said => {
      const [own] = names[format]
      const written = own === undefined ? undefined : write(value, format)
      return own === undefined || written === undefined
        ? nothing(name, noWords)
        : whole({ [own]: written })
    }
  return { fields: names, read: inEvery(readFrom), say: inEvery(sayIn) }
}
