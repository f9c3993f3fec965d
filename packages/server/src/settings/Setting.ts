/**
 * Parses the values of variables by the rows of their table. Errors use the wording of the rows.
 */
import { Config, type Redacted, Schema } from "effect"
import { limitsOf, type Variable } from "./Variable.ts"
import { environmentName, type Name, variableOf } from "./Variables.ts"

const rowOf = (name: Name): Variable => variableOf(environmentName(name))

/**
 * Returns the fallback if there is one, and otherwise the default in the row. If a row only
 * describes its default in words, the caller must pass a fallback.
 */
const fallbackOf = ({ name, unset }: Variable, fallback: string | undefined): string => {
  if (fallback !== undefined) return fallback
  if (typeof unset === "string") return unset
  throw new Error(`the table has no value for ${name}`)
}

export const text = (name: Name, fallback?: string): Config.Config<string> =>
  Config.String(environmentName(name)).pipe(Config.withDefault(fallbackOf(rowOf(name), fallback)))

/** Reads a switch. All switches accept the same values. */
export const flag = (name: Name): Config.Config<boolean> =>
  Config.Boolean(environmentName(name)).pipe(
    Config.withDefault(fallbackOf(rowOf(name), undefined) === "true")
  )

/** Reads a number within the range in its row. There is no default. */
const makeNumber = (name: Name): Config.Config<number> => {
  const variable = rowOf(name)
  const { hasDecimals, ...range } = variable.range ?? { minimum: 0, maximum: 0 }
  const within = Schema.isBetween(range, { expected: limitsOf(variable) })
  const schema =
    hasDecimals === true
      ? Schema.FiniteFromString.check(within)
      : Schema.FiniteFromString.check(Schema.isInt(), within)
  return Config.schema(schema, environmentName(name))
}

/** Reads a number within the range in its row. */
export const number = (name: Name, fallback?: number): Config.Config<number> =>
  makeNumber(name).pipe(Config.withDefault(fallback ?? Number(fallbackOf(rowOf(name), undefined))))

/** Reads a number, or null if the variable is unset. */
export const numberOrNull = (name: Name): Config.Config<number | null> =>
  makeNumber(name).pipe(Config.withDefault(null))

/** Creates the schema of a string that must pass a test. `name` is the variable's full name. */
export const makeShape = (name: string, is: (text: string) => boolean) =>
  Schema.String.check(Schema.makeFilter(is, { expected: limitsOf(variableOf(name)) }))

/** Reads a string, and refuses it if it fails the test. There is no default. */
export const textOf = (name: Name, is: (text: string) => boolean): Config.Config<string> =>
  Config.schema(makeShape(environmentName(name), is), environmentName(name))

/** Reads and parses a string, and refuses it if `parse` returns undefined. There is no default. */
export const parseWith = <A>(
  name: Name,
  parse: (text: string) => A | undefined
): Config.Config<A> =>
  textOf(name, (text) => parse(text) !== undefined).pipe(Config.map((text) => parse(text) as A))

/** Works like `textOf`, but for a secret, which no message shows. */
export const secretOf = (
  name: Name,
  is: (text: string) => boolean
): Config.Config<Redacted.Redacted> =>
  Config.schema(Schema.Redacted(makeShape(environmentName(name), is)), environmentName(name))

/** Whether a string is the URL of a server, without a user, a query or a fragment. */
export const isServerUrl = (text: string): boolean => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return false
  return url.username === "" && url.password === "" && url.search === "" && url.hash === ""
}
