/**
 * What a schema expects, in words: `must be a string or null`, or
 * `must be one of auto, disabled, null`. It reads the schema alone, never the value that was sent.
 */
import { SchemaAST } from "effect"

const isInteger = (ast: SchemaAST.Number): boolean =>
  ast.checks?.some((check) => check.annotations?.expected === "an integer") === true

interface Alternative {
  readonly name: string
  /** Whether it is one value and not a kind of values. */
  readonly isValue: boolean
}

const value = (name: string): ReadonlyArray<Alternative> => [{ name, isValue: true }]
const kind = (name: string): ReadonlyArray<Alternative> => [{ name, isValue: false }]

/** The kinds and values that a schema takes, in its own order. */
const alternatives = (ast: SchemaAST.AST): ReadonlyArray<Alternative> => {
  switch (ast._tag) {
    case "Union":
      return ast.types.flatMap(alternatives)
    case "Literal":
      return value(String(ast.literal))
    case "Null":
      return value("null")
    case "String":
      return kind("a string")
    case "Number":
      return kind(isInteger(ast) ? "an integer" : "a number")
    case "Boolean":
      return kind("a boolean")
    case "Arrays":
      return kind("an array")
    case "Objects":
      return kind("an object")
    default:
      return kind("a JSON value")
  }
}

const listNames = (names: ReadonlyArray<string>): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`

/** The rule that allows only these values; a long list reads better after "one of". */
export const valuesOnly = (names: ReadonlyArray<string>): string =>
  names.length > 2 ? `must be one of ${names.join(", ")}` : `must be ${listNames(names)}`

/** The rule that a value of the wrong kind breaks. */
export const expectation = (ast: SchemaAST.AST): string => {
  const message = ast.annotations?.message
  if (typeof message === "string") return message
  const all = alternatives(ast)
  const names = [...new Set(all.map(({ name }) => name))]
  return all.every(({ isValue }) => isValue) ? valuesOnly(names) : `must be ${listNames(names)}`
}

/** The key by which the objects of a union are told apart, and its values. */
export interface Discriminator {
  readonly key: string
  readonly values: ReadonlyArray<string>
}

const literalsOf = (ast: SchemaAST.AST): ReadonlyArray<readonly [key: string, value: string]> =>
  ast._tag === "Objects"
    ? ast.propertySignatures.flatMap(({ name, type }) =>
        type._tag === "Literal" && !SchemaAST.isOptional(type)
          ? [[String(name), String(type.literal)] as const]
          : []
      )
    : []

/** How a union selects among its objects, when it does so by a literal. */
export const discriminatorOf = (union: SchemaAST.Union): Discriminator | undefined => {
  const literals = union.types.flatMap(literalsOf)
  const key = literals[0]?.[0]
  if (key === undefined) return undefined
  return { key, values: literals.flatMap(([name, value]) => (name === key ? [value] : [])) }
}
