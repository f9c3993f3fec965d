/**
 * The kinds of values that a variable may hold, read as its row in the table says. What is refused
 * is told in the words of that row.
 */
import { Config, type Redacted, Schema } from "effect"
import { limitsOf, type Variable } from "./Variable.ts"
import { environmentName, type Name, variableOf } from "./Variables.ts"

/** What it is when nothing is set; a row that has words for that alone needs a fallback. */
const fallbackOf = ({ name, unset }: Variable, fallback: string | undefined): string => {
  if (fallback !== undefined) return fallback
  if (typeof unset === "string") return unset
  throw new Error(`the table has no value for ${name}`)
}

/** Any text. */
export const text = (name: Name, fallback?: string): Config.Config<string> =>
  Config.String(environmentName(name)).pipe(
    Config.withDefault(fallbackOf(variableOf(name), fallback))
  )

/** Whether something is on, in the one syntax that all such variables have. */
export const flag = (name: Name): Config.Config<boolean> =>
  Config.Boolean(environmentName(name)).pipe(
    Config.withDefault(fallbackOf(variableOf(name), undefined) === "true")
  )

/** A number in the range of its row. It has no default. */
const makeNumber = (name: Name): Config.Config<number> => {
  const variable = variableOf(name)
  const { hasDecimals, ...range } = variable.range ?? { minimum: 0, maximum: 0 }
  const within = Schema.isBetween(range, { expected: limitsOf(variable) })
  const schema =
    hasDecimals === true
      ? Schema.FiniteFromString.check(within)
      : Schema.FiniteFromString.check(Schema.isInt(), within)
  return Config.schema(schema, environmentName(name))
}

/** A number in the range of its row. */
export const number = (name: Name, fallback?: number): Config.Config<number> =>
  makeNumber(name).pipe(
    Config.withDefault(fallback ?? Number(fallbackOf(variableOf(name), undefined)))
  )

/** The same where nothing set means none. */
export const numberOrNull = (name: Name): Config.Config<number | null> =>
  makeNumber(name).pipe(Config.withDefault(null))

const makeShape = (name: Name, is: (text: string) => boolean) =>
  Schema.String.check(Schema.makeFilter(is, { expected: limitsOf(variableOf(name)) }))

/** A text that must look like something. It has no default. */
export const textOf = (name: Name, is: (text: string) => boolean): Config.Config<string> =>
  Config.schema(makeShape(name, is), environmentName(name))

/** Parses a text. It is refused where `parse` returns undefined, and has no default. */
export const parseWith = <A>(
  name: Name,
  parse: (text: string) => A | undefined
): Config.Config<A> =>
  textOf(name, (text) => parse(text) !== undefined).pipe(Config.map((text) => parse(text) as A))

/** The same as `textOf` for a text that no message shows. */
export const secretOf = (
  name: Name,
  is: (text: string) => boolean
): Config.Config<Redacted.Redacted> =>
  Config.schema(Schema.Redacted(makeShape(name, is)), environmentName(name))
