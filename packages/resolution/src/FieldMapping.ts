/**
 * Maps one setting between the formats. Formats can name or shape the setting differently, and some
 * lack it.
 */
import type { Format } from "./Format.ts"
import { type Json, type JsonObject, nonNull } from "./Json.ts"

/** A part of a preset that the resolved request lacks or changes. */
export interface Lost {
  /** The preset's field, or a member of the field, such as `reasoning.summary`. */
  readonly field: string
  /** The reason why the part is left out or changed. */
  readonly reason: string
}

/**
 * The fields that express a setting in one format, and the parts that the format cannot express.
 */
export interface Written {
  readonly fields: JsonObject
  readonly lost: ReadonlyArray<Lost>
}

/** The traits of a request that mappings need to know when they write a setting. */
export interface Surroundings {
  /** Whether the request is for a gateway, which accepts more fields than the provider. */
  readonly isGateway: boolean
}

/** Reads a setting from each format, and writes the setting in each format. */
export interface FieldMapping<A> {
  /** All fields that can contain the setting, by format. */
  readonly fields: Readonly<Record<Format, ReadonlyArray<string>>>
  /** Reads the setting; undefined if it is missing or unknown. */
  readonly read: Readonly<Record<Format, (config: JsonObject) => A | undefined>>
  readonly write: Readonly<Record<Format, (value: A, around: Surroundings) => Written>>
}

/** Builds one value per format. */
export const inEvery = <A>(make: (format: Format) => A): Readonly<Record<Format, A>> => ({
  responses: make("responses"),
  chatCompletions: make("chatCompletions"),
  messages: make("messages")
})

/** The reason for leaving out a setting that the other format cannot express. */
export const noWords = "the format of the request has no words for it"

/** Returns the result for a setting that the other format can express in full. */
export const whole = (fields: JsonObject): Written => ({ fields, lost: [] })

/** Returns the result for a setting that is written only in part. */
export const partly = (fields: JsonObject, lost: ReadonlyArray<Lost>): Written => ({ fields, lost })

/** Returns the result for a setting that cannot be written at all. */
export const nothing = (field: string, reason: string): Written => ({
  fields: {},
  lost: [{ field, reason }]
})

/**
 * Reports a value that the other format cannot express; returns an empty list if there is no value.
 */
export const lossOf = (field: string, value: Json | undefined): ReadonlyArray<Lost> =>
  value === undefined ? [] : [{ field, reason: noWords }]

/** Maps a setting that is a single value and differs between formats only in its name. */
export const renamed = <A extends Json>({
  names,
  read,
  write = (value) => value
}: {
  /** The setting's names, by format. The first name is written; all names are read. */
  readonly names: Readonly<Record<Format, ReadonlyArray<string>>>
  readonly read: (value: Json) => A | undefined
  readonly write?: (value: A, format: Format) => Json | undefined
}): FieldMapping<{ readonly name: string; readonly value: A }> => {
  const readFrom = (format: Format) => (config: JsonObject) => {
    for (const name of names[format]) {
      const found = nonNull(config, name)
      const value = found === undefined ? undefined : read(found)
      if (value !== undefined) return { name, value }
    }
    return undefined
  }
  const writeIn =
    (format: Format) =>
    ({ name, value }: { readonly name: string; readonly value: A }): Written => {
      const [own] = names[format]
      const written = own === undefined ? undefined : write(value, format)
      return own === undefined || written === undefined
        ? nothing(name, noWords)
        : whole({ [own]: written })
    }
  return { fields: names, read: inEvery(readFrom), write: inEvery(writeIn) }
}
