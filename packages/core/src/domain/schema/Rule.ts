/**
 * Constraints of a request, each with the short sentence that a refusal shows. Characters are
 * Unicode code points: that is what `maxLength` of JSON Schema counts, so the published
 * description and the decoder agree, and a client in any language counts the same.
 */
import { Schema } from "effect"

/** Whether a string has at most that many code points; the short cut avoids nearly every count. */
const fits = (text: string, max: number): boolean =>
  text.length <= max || (text.length <= max * 2 && codePoints(text) <= max)

const codePoints = (text: string): number => {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** A string of at most `max` code points. */
export const charactersAtMost = (max: number) =>
  Schema.makeFilter<string>((text) => fits(text, max), {
    ...Schema.isMaxCodePoints(max).annotations,
    message: `at most ${max} characters`
  })

/** A list of strings with at most `max` code points in all of them together. */
export const charactersInTotalAtMost = (max: number) =>
  Schema.makeFilter<ReadonlyArray<unknown>>(
    (items) => fits(items.filter((item) => typeof item === "string").join(""), max),
    { message: `at most ${max} characters in total`, toJsonSchema: () => [{}, true] }
  )

/** A string that is not empty. */
export const notEmpty = Schema.isNonEmpty({ message: "must not be empty" })

/** A list of at most `max` items; `noun` is their name in the plural. */
export const itemsAtMost = (max: number, noun = "items") =>
  Schema.isMaxLength(max, { message: `at most ${max} ${noun}` })

/** A list of at least one item; `noun` is its name in the singular. */
export const someItems = (noun = "item") => Schema.isMinLength(1, { message: `at least 1 ${noun}` })

/** An object of at most `max` properties; `noun` is their name in the plural. */
export const propertiesAtMost = (max: number, noun: string) =>
  Schema.isMaxProperties(max, { message: `at most ${max} ${noun}` })

/** A number that is not less than `min`. */
export const numberAtLeast = (min: number) =>
  Schema.isGreaterThanOrEqualTo(min, { message: `at least ${min}` })

/** A number that is not greater than `max`. */
export const numberAtMost = (max: number) =>
  Schema.isLessThanOrEqualTo(max, { message: `at most ${max}` })

/** Every key of an object has at most `max` code points and no square bracket. */
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
