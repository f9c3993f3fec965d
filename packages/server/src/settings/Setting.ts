/**
 * Parsers for the values of variables, driven by the table's rows. Errors use the wording of those
 * rows.
 */
import { Config, type Redacted, Schema } from "effect"
import { limitsOf, type Variable } from "./Variable.ts"
import { environmentName, type Name, variableOf } from "./Variables.ts"

/**
 * Returns the fallback if there is one, otherwise the row's default. A row that describes its
 * default only in words needs a fallback.
 */
const fallbackOf = ({ name, unset }: Variable, fallback: string | undefined): string => {
  if (fallback !== undefined) return fallback
  if (typeof unset === "string") return unset
  throw new Error(`the table has no value for ${name}`)
}

export const text = (name: Name, fallback?: string): Config.Config<string> =>
  Config.String(environmentName(name)).pipe(
    Config.withDefault(fallbackOf(variableOf(name), fallback))
  )

/** Reads a switch; the accepted values are the same for all variables. */
export const flag = (name: Name): Config.Config<boolean> =>
  Config.Boolean(environmentName(name)).pipe(
    Config.withDefault(fallbackOf(variableOf(name), undefined) === "true")
  )

/** Reads a number within its row's range. There is no default. */
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

/** Reads a number within its row's range. */
export const number = (name: Name, fallback?: number): Config.Config<number> =>
  makeNumber(name).pipe(
    Config.withDefault(fallback ?? Number(fallbackOf(variableOf(name), undefined)))
  )

/** Reads a number, or null if the variable is unset. */
export const numberOrNull = (name: Name): Config.Config<number | null> =>
  makeNumber(name).pipe(Config.withDefault(null))

const makeShape = (name: Name, is: (text: string) => boolean) =>
  Schema.String.check(Schema.makeFilter(is, { expected: limitsOf(variableOf(name)) }))

/** Reads a string that passes a test. There is no default. */
export const textOf = (name: Name, is: (text: string) => boolean): Config.Config<string> =>
  Config.schema(makeShape(name, is), environmentName(name))

/** Parses a string that has no default, and refuses the string if `parse` returns undefined. */
export const parseWith = <A>(
  name: Name,
  parse: (text: string) => A | undefined
): Config.Config<A> =>
  textOf(name, (text) => parse(text) !== undefined).pipe(Config.map((text) => parse(text) as A))

/** Works like `textOf`, but for a secret that no message may show. */
export const secretOf = (
  name: Name,
  is: (text: string) => boolean
): Config.Config<Redacted.Redacted> =>
  Config.schema(Schema.Redacted(makeShape(name, is)), environmentName(name))

/** Whether a string is a server URL without a user, a query or a fragment. */
export const isServerUrl = (text: string): boolean => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return false
  return url.username === "" && url.password === "" && url.search === "" && url.hash === ""
}
