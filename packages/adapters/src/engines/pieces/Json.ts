/**
 * Reads untrusted JSON: a missing field yields undefined, never an exception. Servers use the same
 * names but not always the same types, so numbers may be strings. Pure.
 */
import { type Option, Result } from "effect"

/** A value in a response, which may be missing. */
export interface JsonView {
  readonly value: unknown
  readonly at: (key: string | number) => JsonView
  /** Returns this value, or `other` if this value is undefined or null. */
  readonly or: (other: JsonView) => JsonView
  readonly text: string | undefined
  /** The value as a finite number, even if it was written as a string. */
  readonly number: number | undefined
  /** The entries if the value is an array, otherwise an empty array. */
  readonly entries: ReadonlyArray<JsonView>
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

const read = (value: unknown): JsonView => ({
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

/**
 * Wraps an untrusted value for safe reading. `viewJson.parse` parses JSON text without throwing.
 */
export const viewJson = Object.assign(read, {
  parse: (text: string): Option.Option<unknown> =>
    Result.getSuccess(Result.try((): unknown => JSON.parse(text)))
})

/** Finds the error in a response: an object, a string, or FastAPI's `detail`. */
export const readProblem = (json: unknown) => {
  const answer = viewJson(json)
  const error = ["detail", "message", "err_msg"].reduce(
    (found, name) => found.or(answer.at(name)),
    answer.at("error")
  )
  const message = error.text ?? error.at("message").text ?? error.at(0).at("msg").text
  return { error, message }
}
