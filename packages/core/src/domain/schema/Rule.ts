/**
 * Rules for requests, each with the short sentence that a refusal shows. Characters are Unicode
 * code points, as in `maxLength` of JSON Schema, so that the published description, the decoder and
 * clients in any language count in the same way.
 */
import { Schema } from "effect"

/** Whether a string has at most the given number of code points. They rarely have to be counted. */
const fits = (text: string, max: number): boolean =>
  text.length <= max || (text.length <= max * 2 && codePoints(text) <= max)

const codePoints = (text: string): number => {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** Limits a string to `max` code points. */
export const charactersAtMost = (max: number) =>
  Schema.makeFilter<string>((text) => fits(text, max), {
    ...Schema.isMaxCodePoints(max).annotations,
    message: `at most ${max} characters`
  })

/** Limits the total length of all strings in a list to `max` code points. */
export const charactersInTotalAtMost = (max: number) =>
  Schema.makeFilter<ReadonlyArray<unknown>>(
    (items) => fits(items.filter((item) => typeof item === "string").join(""), max),
    { message: `at most ${max} characters in total`, toJsonSchema: () => [{}, true] }
  )

/** Requires a non-empty string. */
export const notEmpty = Schema.isNonEmpty({ message: "must not be empty" })

/** Limits a list to `max` items, called `noun` in the message. */
export const itemsAtMost = (max: number, noun = "items") =>
  Schema.isMaxLength(max, { message: `at most ${max} ${noun}` })

/** Requires at least one item, called `noun` in the message. */
export const someItems = (noun = "item") => Schema.isMinLength(1, { message: `at least 1 ${noun}` })

/** Limits an object to `max` properties, called `noun` in the message. */
export const propertiesAtMost = (max: number, noun: string) =>
  Schema.isMaxProperties(max, { message: `at most ${max} ${noun}` })

/** Requires a number of at least `min`. */
export const numberAtLeast = (min: number) =>
  Schema.isGreaterThanOrEqualTo(min, { message: `at least ${min}` })

/** Limits a number to `max`. */
export const numberAtMost = (max: number) =>
  Schema.isLessThanOrEqualTo(max, { message: `at most ${max}` })

/** Limits every key of an object to `max` code points, and forbids square brackets in keys. */
export const plainKeysAtMost = (max: number) =>
  Schema.makeFilter<object>(
    (value) => {
      const keys = Object.keys(value)
      return [
        ...(keys.every((key) => fits(key, max)) ? [] : [`keys at most ${max} characters`]),
        ...(keys.some((key) => /[[\]]/.test(key)) ? ["no brackets in keys"] : [])
      ]
    },
    { toJsonSchema: () => ({ propertyNames: { maxLength: max, pattern: "^[^\\[\\]]*$" } }) }
  )
