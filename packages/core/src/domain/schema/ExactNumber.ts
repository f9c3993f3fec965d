/**
 * Numbers of more digits than a JavaScript number holds, such as the bounds of 64-bit integers.
 * They are kept as raw JSON, which `JSON.stringify` writes digit by digit as it was sent; every
 * other number is a number, whose spelling is lost: `1.0` is `1`.
 */
import { Option, type Schema } from "effect"

/** A number as it was sent. The parser makes it an object, which is JSON to the compiler. */
export interface ExactNumber extends Schema.JsonObject {
  readonly rawJSON: string
}

/** What the parser of Node 22 can do besides (JSON.parse source text access, ECMAScript 2026). */
interface ExactParser {
  readonly parse: (text: string, reviver: Reviver) => unknown
  readonly rawJSON: (text: string) => ExactNumber
  readonly isRawJSON: (value: unknown) => value is ExactNumber
}
type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown

const exact = JSON as unknown as ExactParser

/** Whether a value is a number that was kept as it was sent. */
export const isExact = (value: unknown): value is ExactNumber => exact.isRawJSON(value)

/**
 * Numbers that may need more than a JavaScript number: 16 characters or more, or an exponent of
 * three digits. Text inside a string may look like one, which costs time and changes nothing.
 */
const suspect = /(?:^|[:,[\s])-?(?:[\d.]{16}|[\d.]+[eE][-+]?\d{3})/

const decimal = /^-?(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/

/** The value of a number without its sign: 0.`digits` times ten to the power of `exponent`. */
interface Magnitude {
  readonly digits: string
  readonly exponent: number
}

/** The length of a text without the zeros at its end. A pattern would take quadratic time. */
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

/** Whether a parsed number is the very value that its text says. */
const isSame = (value: number, source: string): boolean => {
  const text = String(value)
  if (text === source) return true
  // Too large to be counted with, and JSON has no other word for it.
  if (!Number.isFinite(value)) return false
  const [one, other] = [magnitudeOf(text), magnitudeOf(source)]
  return one.digits === other.digits && one.exponent === other.exponent
}

const keepDigits: Reviver = (_, value, { source }) =>
  typeof value !== "number" || source === undefined || isSame(value, source)
    ? value
    : exact.rawJSON(source)

/** Up to it, sums of exponents and lengths are exact. */
const exponentMax = 1e15

/**
 * The one spelling of its value, as a number in JSON: `9.2e18` and `9200000000000000000.0` have the
 * same one. A number with an exponent beyond `exponentMax` keeps the spelling that was sent.
 */
export const toOneSpelling = (number: ExactNumber): ExactNumber => {
  const { digits, exponent } = magnitudeOf(number.rawJSON)
  if (digits === "" || Math.abs(exponent) > exponentMax) return number
  const sign = number.rawJSON.startsWith("-") ? "-" : ""
  const last = exponent - digits.length
  return exact.rawJSON(`${sign}${digits}${last === 0 ? "" : `e${last}`}`)
}

/** Whether two numbers have the same value, however they are spelt. */
export const isSameValue = (one: ExactNumber, other: ExactNumber): boolean =>
  toOneSpelling(one).rawJSON === toOneSpelling(other).rawJSON

/** Parses JSON, and keeps the digits of its numbers; none for a text that is not JSON. */
export const parse: (text: string) => Option.Option<unknown> = Option.liftThrowable(
  (text: string): unknown => (suspect.test(text) ? exact.parse(text, keepDigits) : JSON.parse(text))
)

/**
 * Up to it, a JavaScript number can be a fraction beside any integer. The limits that rules set are
 * far below it, so every fraction above it stands on one side of them.
 */
const fractionMax = 2 ** 50

/**
 * A number that rules judge in place of an exact one: an integer if and only if what was sent is
 * one, and on the same side of every limit up to `fractionMax`. It is the nearest number, unless
 * that is an integer and what was sent is not: then it is a fraction beside it, or, for one beyond
 * `fractionMax`, a fraction beyond `fractionMax`.
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

/** The same JSON, for rules to judge: `toNumber` in place of each number kept as it was sent. */
export const toNumbers = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (isExact(value)) return toNumber(value)
  if (Array.isArray(value)) return value.map(toNumbers)
  // A name may be `__proto__`: only `fromEntries` defines it as a property like any other.
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, toNumbers(each)]))
}
