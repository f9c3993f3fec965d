/**
 * Keeps numbers with more digits than a JavaScript number can hold, such as the bounds of 64-bit
 * integers, as raw JSON, which `JSON.stringify` writes unchanged. Every other number becomes a
 * JavaScript number and loses its notation, so `1.0` becomes `1`.
 */
import { Option, type Schema } from "effect"

/**
 * A number that is kept exactly as it was sent. At run time, it is an object, although its static
 * type is JSON.
 */
export interface ExactNumber extends Schema.JsonObject {
  readonly rawJSON: string
}

/** Functions added to `JSON` in Node 22 (JSON.parse source text access, ECMAScript 2026). */
interface ExactParser {
  readonly parse: (text: string, reviver: Reviver) => unknown
  readonly rawJSON: (text: string) => ExactNumber
  readonly isRawJSON: (value: unknown) => value is ExactNumber
}
type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown

const exact = JSON as unknown as ExactParser

/** Whether a value is a number that is kept as raw JSON. */
export const isExact = (value: unknown): value is ExactNumber => exact.isRawJSON(value)

/**
 * Matches numbers that may not fit into a JavaScript number: 16 characters or more, or an exponent
 * of three digits. Text inside a string can match too; this costs time but changes nothing.
 */
const suspect = /(?:^|[:,[\s])-?(?:[\d.]{16}|[\d.]+[eE][-+]?\d{3})/

const decimal = /^-?(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/

/** The absolute value of a number: 0.`digits` times ten to the power `exponent`. */
interface Magnitude {
  readonly digits: string
  readonly exponent: number
}

/**
 * Returns the length of text without its trailing zeros. Finding it with a regular expression would
 * take quadratic time.
 */
const lengthBeforeZeros = (text: string): number => {
  let end = text.length
  while (text.charCodeAt(end - 1) === 0x30) end -= 1
  return end
}

const magnitudeOf = (text: string): Magnitude => {
  const [, whole = "", fraction = "", exponent = "0"] = decimal.exec(text) ?? []
  const all = `${whole}${fraction}`
  const digits = all.slice(0, lengthBeforeZeros(all)).replace(/^0+/, "")
  const zeros = all.length - all.replace(/^0+/, "").length
  return { digits, exponent: digits === "" ? 0 : whole.length - zeros + Number(exponent) }
}

/** Whether a parsed number has exactly the value of its text. */
const isSame = (value: number, source: string): boolean => {
  const text = String(value)
  if (text === source) return true
  // A number that became infinite has lost its value.
  if (!Number.isFinite(value)) return false
  const [one, other] = [magnitudeOf(text), magnitudeOf(source)]
  return one.digits === other.digits && one.exponent === other.exponent
}

const keepDigits: Reviver = (_, value, { source }) =>
  typeof value !== "number" || source === undefined || isSame(value, source)
    ? value
    : exact.rawJSON(source)

/** Maximum exponent in calculations, so that sums of exponents and lengths are exact. */
const exponentMax = 1e15

/**
 * Returns the canonical notation of a number, which is the same for `9.2e18` and
 * `9200000000000000000.0`. A number with an exponent beyond `exponentMax` keeps its own notation.
 */
export const normalizeNumber = (number: ExactNumber): ExactNumber => {
  const { digits, exponent } = magnitudeOf(number.rawJSON)
  if (digits === "" || Math.abs(exponent) > exponentMax) return number
  const sign = number.rawJSON.startsWith("-") ? "-" : ""
  const last = exponent - digits.length
  return exact.rawJSON(`${sign}${digits}${last === 0 ? "" : `e${last}`}`)
}

/** Whether two numbers have the same value, however they are written. */
export const isSameValue = (one: ExactNumber, other: ExactNumber): boolean =>
  normalizeNumber(one).rawJSON === normalizeNumber(other).rawJSON

/** Parses JSON without losing digits of its numbers. Returns none if the text is not JSON. */
export const parse: (text: string) => Option.Option<unknown> = Option.liftThrowable(
  (text: string): unknown => (suspect.test(text) ? exact.parse(text, keepDigits) : JSON.parse(text))
)

/**
 * Below this value, JavaScript can represent a fraction next to any integer. All limits in rules
 * are far smaller.
 */
const fractionMax = 2 ** 50

/**
 * Returns a JavaScript number that rules can check instead of the exact number. The result is an
 * integer if and only if the exact number is, and lies on the same side of every limit up to
 * `fractionMax`. The result is usually the nearest JavaScript number. If that number is an integer
 * but the exact number is not, the result is a fraction next to the integer or, beyond
 * `fractionMax`, another fraction beyond `fractionMax`.
 */
export const toNumber = ({ rawJSON }: ExactNumber): number => {
  const nearest = Number(rawJSON)
  const { digits, exponent } = magnitudeOf(rawJSON)
  const isFraction = digits.length > exponent
  if (!isFraction || !Number.isInteger(nearest)) return nearest
  if (nearest === 0) return rawJSON.startsWith("-") ? -Number.MIN_VALUE : Number.MIN_VALUE
  if (Math.abs(nearest) > fractionMax) return Math.sign(nearest) * (fractionMax + 0.5)
  const whole = Number(digits.slice(0, Math.max(0, exponent)))
  const isAbove = whole >= Math.abs(nearest)
  return nearest * (isAbove ? 1 + Number.EPSILON : 1 - Number.EPSILON / 2)
}

/**
 * Copies JSON, and replaces each number that is kept as raw JSON. The depth of the JSON must be
 * limited.
 */
const copyWith = (value: unknown, replace: (number: ExactNumber) => unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (isExact(value)) return replace(value)
  if (Array.isArray(value)) return value.map((each) => copyWith(each, replace))
  // A key may be `__proto__`; only `fromEntries` defines it as an ordinary property.
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, copyWith(each, replace)])
  )
}

/**
 * Returns a copy of JSON in which each number kept as raw JSON is replaced by a JavaScript number.
 */
export const toNumbers = (value: unknown): unknown => copyWith(value, toNumber)

/**
 * Copies JSON. Numbers kept as raw JSON are shared with the original, because they are immutable.
 */
export const copyJson = <A extends Schema.Json>(value: A): A =>
  copyWith(value, (number) => number) as A
