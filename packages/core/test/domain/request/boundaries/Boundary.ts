/**
 * Builds table rows that test constraints. Each row has the last accepted value, the first refused
 * value and the reported problem.
 */
import type { Schema } from "effect"

/** Any JSON. */
export type Json = Schema.Json
export type Body = Schema.JsonObject

/** A boundary case of one rule. */
export interface Boundary {
  readonly accepted: Body
  readonly refused: Body
  /** The reported problem, with its path and the broken rule. */
  readonly problem: string
}

/** A boundary case for a value that can occur at several paths. */
export interface Row {
  readonly accepted: Json
  readonly refused: Json
  /** The reported problem, with the path below the value and the broken rule. */
  readonly problem: string
}

/** Builds a body with a value at a given path. */
export type Put = (value: Json) => Body

/** Turns rows into boundary cases of the field at a path. */
export const under = (put: Put, path: string, rows: ReadonlyArray<Row>): ReadonlyArray<Boundary> =>
  rows.map(({ accepted, problem, refused }) => ({
    accepted: put(accepted),
    refused: put(refused),
    problem: `${path}${problem}`
  }))

export const row = (accepted: Json, refused: Json, problem: string): Row => ({
  accepted,
  refused,
  problem
})

/** Rows for a top-level field of the body. */
export const field = (name: string, ...rows: ReadonlyArray<Row>) =>
  under((value) => ({ [name]: value }), name, rows)

/** Returns the boundary cases for all given items in one list. */
export const each = <A>(
  items: ReadonlyArray<A>,
  rows: (item: A) => ReadonlyArray<Boundary>
): ReadonlyArray<Boundary> => items.flatMap(rows)

export const text = (length: number): string => "x".repeat(length)
export const times = (count: number, value: Json): ReadonlyArray<Json> =>
  Array.from({ length: count }, () => value)
export const pairs = (count: number): Body =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, "value"]))

export const flag = row(true, "true", ": must be a boolean")
export const flagOrNull = row(null, 1, ": must be a boolean or null")
export const string = row("", 1, ": must be a string")
export const stringOrNull = row(null, false, ": must be a string or null")
export const stringsOrNull = row(null, "a", ": must be an array or null")
export const finite = row(-0.5, "0.5", ": must be a number")
export const finiteOrNull = row(null, "NaN", ": must be a number or null")
/** A number or null, but not infinity. */
export const notInfinity = row(1e308, "Infinity", ": must be a number or null")
export const integer = row(0, 0.5, ": must be an integer")
/** An integer of any size. */
export const large = row(2 ** 53, "9007199254740992", ": must be an integer")
/** An integer of any size, or null. */
export const largeOrNull = row(-(2 ** 63), "9223372036854775807", ": must be an integer or null")
/** An integer or null, but not a string of digits. */
export const integerOrNull = row(null, "1", ": must be an integer or null")
/** An integer, even a negative one, or null. */
export const wholeOrNull = row(-1, -1.5, ": must be an integer or null")
export const object = row({}, [], ": must be an object")
export const objectOrNull = row(null, "", ": must be an object or null")
export const strings = row(["a"], ["a", null], "[1]: must be a string")
export const atMostCharacters = (max: number): Row =>
  row(text(max), text(max + 1), `: at most ${max} characters`)
/** Characters are code points, so an emoji counts as one. */
export const atMostEmoji = (max: number): Row =>
  row("😀".repeat(max), "😀".repeat(max + 1), `: at most ${max} characters`)
export const oneOf = (values: ReadonlyArray<string>): ReadonlyArray<Row> =>
  values.map((value) => row(value, `${value}x`, `: must be one of ${values.join(", ")}`))
export const oneOfOrNull = (values: ReadonlyArray<string>): ReadonlyArray<Row> => [
  ...values.map((value) => row(value, `${value}x`, `: must be one of ${values.join(", ")}, null`)),
  row(null, 5, `: must be one of ${values.join(", ")}, null`)
]
