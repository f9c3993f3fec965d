/**
 * Reads JSON that promises nothing: every missing step leads to nothing, never to an exception.
 * Servers of this family agree on names, less on types: numbers may be texts. Pure.
 */
import { type Option, Result } from "effect"

/** A place in an answer, or nowhere. */
export interface Reading {
  readonly value: unknown
  readonly at: (key: string | number) => Reading
  /** This, or the other one where this is nothing or null. */
  readonly or: (other: Reading) => Reading
  readonly text: string | undefined
  /** A finite number, even one that is written as text. */
  readonly number: number | undefined
  /** The entries of a list; nothing else has entries. */
  readonly entries: ReadonlyArray<Reading>
}

const ownProperty = (value: unknown, key: string | number): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined

const numberOf = (value: unknown): number | undefined => {
  const isNumeric =
    typeof value === "number" || (typeof value === "string" && /^-?\d+(\.\d*)?$/.test(value.trim()))
  const number = isNumeric ? Number(value) : Number.NaN
  return Number.isFinite(number) ? number : undefined
}

const read = (value: unknown): Reading => ({
  value,
  at: (key) => read(ownProperty(value, key)),
  or: (other) => (value === undefined || value === null ? other : read(value)),
  get text() {
    return typeof value === "string" ? value : undefined
  },
  get number() {
    return numberOf(value)
  },
  get entries() {
    return Array.isArray(value) ? value.map(read) : []
  }
})

/** Begins at the root. `parse` reads a text that is JSON. */
export const reading = Object.assign(read, {
  parse: (text: string): Option.Option<unknown> =>
    Result.getSuccess(Result.try((): unknown => JSON.parse(text)))
})

/** What an answer says is wrong: an object, a text, or what FastAPI calls a detail. */
export const readProblem = (json: unknown) => {
  const answer = reading(json)
  const error = ["detail", "message", "err_msg"].reduce(
    (found, name) => found.or(answer.at(name)),
    answer.at("error")
  )
  const message = error.text ?? error.at("message").text ?? error.at(0).at("msg").text
  return { error, message }
}
