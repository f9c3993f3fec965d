/**
 * A constraint as a row: the last value that is accepted, the first one that is refused, and the
 * problem that is then told. Below it, the words in which the tables are written.
 */
import type { Schema } from "effect"

export type Json = Schema.Json
export type Body = Schema.JsonObject

/** One boundary of one rule. */
export interface Boundary {
  readonly accepted: Body
  readonly refused: Body
  /** Path and rule, as in the message. */
  readonly problem: string
}

export interface Row {
  readonly accepted: Json
  readonly refused: Json
  /** Path below the place where the values are put, and rule. */
  readonly problem: string
}

export type Put = (value: Json) => Body

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

export const field = (name: string, ...rows: ReadonlyArray<Row>) =>
  under((value) => ({ [name]: value }), name, rows)

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
export const notInfinity = row(1e308, "Infinity", ": must be a number or null")
export const integer = row(0, 0.5, ": must be an integer")
export const safe = row(
  Number.MAX_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER + 1,
  ": must be an integer"
)
export const integerOrNull = row(null, "1", ": must be an integer or null")
export const wholeOrNull = row(-1, -1.5, ": must be an integer or null")
export const object = row({}, [], ": must be an object")
export const objectOrNull = row(null, "", ": must be an object or null")
export const strings = row(["a"], ["a", null], "[1]: must be a string")
export const atMostCharacters = (max: number): Row =>
  row(text(max), text(max + 1), `: at most ${max} characters`)
/** Characters are code points: an emoji is one. */
export const atMostEmoji = (max: number): Row =>
  row("😀".repeat(max), "😀".repeat(max + 1), `: at most ${max} characters`)
export const oneOf = (values: ReadonlyArray<string>): ReadonlyArray<Row> =>
  values.map((value) => row(value, `${value}x`, `: must be one of ${values.join(", ")}`))
export const oneOfOrNull = (values: ReadonlyArray<string>): ReadonlyArray<Row> => [
  ...values.map((value) => row(value, `${value}x`, `: must be one of ${values.join(", ")}, null`)),
  row(null, 5, `: must be one of ${values.join(", ")}, null`)
]
