/**
 * The kinds of values that an environment variable of Verbatim may hold. Each name is the part
 * after `VERBATIM_`; what is refused is told in the words of the setting.
 */
import { Config, Schema } from "effect"

/** The values that a number may have, and the one it has when nothing is set. */
interface Range<Fallback = number> {
  readonly minimum: number
  readonly maximum: number
  readonly fallback: Fallback
}

/** Any text. */
export const text = (name: string, fallback: string) =>
  Config.String(`VERBATIM_${name}`).pipe(Config.withDefault(fallback))

/** A number in a range. */
export const number = (name: string, range: Range) =>
  Config.schema(
    Schema.FiniteFromString.check(
      Schema.isBetween(range, {
        expected: `a number from ${range.minimum} to ${range.maximum}`
      })
    ),
    `VERBATIM_${name}`
  ).pipe(Config.withDefault(range.fallback))

/** A number without a fraction, in a range; its default may be null, for none. */
export const whole = <Fallback extends number | null>(name: string, range: Range<Fallback>) =>
  Config.schema(
    Schema.FiniteFromString.check(
      Schema.isInt(),
      Schema.isBetween(range, {
        expected: `a whole number from ${range.minimum} to ${range.maximum}`
      })
    ),
    `VERBATIM_${name}`
  ).pipe(Config.withDefault(range.fallback))

/** A text that must look like something; `expected` completes the sentence "Expected …". */
export const textOf = (
  name: string,
  shape: { readonly expected: string; readonly is: (text: string) => boolean }
) =>
  Config.schema(
    Schema.String.check(Schema.makeFilter(shape.is, { expected: shape.expected })),
    `VERBATIM_${name}`
  )
