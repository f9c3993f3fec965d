/**
 * What is wrong with a request: where, and which rule is broken. A problem never repeats a value
 * that was sent; an unknown name is shown by its beginning.
 */

import { Schema, SchemaAST, SchemaIssue } from "effect"
import { refusal } from "./Refusal.ts"

// What a schema expects, in words: `must be a string or null`, or
// `must be one of auto, disabled, null`. It reads the schema alone, never the value that was sent.

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
const valuesOnly = (names: ReadonlyArray<string>): string =>
  names.length > 2 ? `must be one of ${names.join(", ")}` : `must be ${listNames(names)}`

/** The rule that a value of the wrong kind breaks. */
const expectation = (ast: SchemaAST.AST): string => {
  const message = ast.annotations?.message
  if (typeof message === "string") return message
  const all = alternatives(ast)
  const names = [...new Set(all.map(({ name }) => name))]
  return all.every(({ isValue }) => isValue) ? valuesOnly(names) : `must be ${listNames(names)}`
}

/** The key by which the objects of a union are told apart, and its values. */
interface Discriminator {
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
const discriminatorOf = (union: SchemaAST.Union): Discriminator | undefined => {
  const literals = union.types.flatMap(literalsOf)
  const key = literals[0]?.[0]
  if (key === undefined) return undefined
  return { key, values: literals.flatMap(([name, value]) => (name === key ? [value] : [])) }
}

/** Most problems in one answer: enough to fix a request, too few to be a burden. */
export const problemsMax = 10

/** Longest outside name shown in a path, and longest path, in UTF-16 units. */
const shownNameMax = 64
const shownPathMax = 256

/** A rule that is broken, and where; the path is empty for the whole document. */
export const Problem = Schema.Struct({ path: Schema.String, rule: Schema.String })
export type Problem = typeof Problem.Type

type Path = ReadonlyArray<PropertyKey>

const cut = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max).toWellFormed()}…` : text

const step = (text: string, key: PropertyKey): string => {
  if (typeof key === "number") return `${text}[${key}]`
  const name = cut(String(key), shownNameMax)
  if (!/^[\w-]+$/.test(name)) return `${text}[${JSON.stringify(name)}]`
  return text === "" ? name : `${text}.${name}`
}

/** A path as it is written in code: `plugins[1].max_tool_calls`. */
export const formatPath = (path: Path): string => cut(path.reduce(step, ""), shownPathMax)

/** All problems in one sentence. */
export const describe = (problems: ReadonlyArray<Problem>): string =>
  `Invalid request parameters: ${problems
    .map(({ path, rule }) => `${path === "" ? "body" : path}: ${rule}`)
    .join("; ")}`

/** The request breaks at least one rule. */
export class InvalidRequest extends refusal<InvalidRequest>()("InvalidRequest", {
  fields: {
    problems: Schema.NonEmptyArray(Problem)
  },
  sentence: ({ problems }) => describe(problems)
}) {}

/** A problem before its path is written down. */
export interface Found {
  readonly path: Path
  readonly rule: string
}

/** Where an issue is; `whole` is the outermost union that was tried at this very place. */
interface Place {
  readonly path: Path
  readonly whole: SchemaAST.AST | undefined
}

const options = { errors: "all" } as const

/**
 * The checks of an array or object do not run when something inside it is wrong, so they run here:
 * they are written to accept anything of that kind.
 */
const checksBeside = (issue: SchemaIssue.Composite): ReadonlyArray<SchemaIssue.Issue> => {
  const { ast, issues } = issue
  if (ast.checks === undefined || issues[0]._tag === "Filter" || !SchemaIssue.hasInput(issue)) {
    return []
  }
  return ast.checks.flatMap((check) => {
    const broken = check._tag === "Filter" ? check.run(issue.input, ast, options) : undefined
    return check._tag === "Filter" && broken ? [new SchemaIssue.Filter(check, broken)] : []
  })
}

const ofFilter = (issue: SchemaIssue.Filter, place: Place): ReadonlyArray<Found> => {
  const message = issue.filter.annotations?.message
  if (typeof message === "string") return [{ path: place.path, rule: message }]
  // These are several problems of one check; judged whole, the value's checks would run once more.
  if (issue.issue._tag === "Composite") {
    return issue.issue.issues.flatMap((inner) => collect(inner, place))
  }
  if (issue.issue._tag !== "InvalidValue") return collect(issue.issue, place)
  const own = issue.issue.annotations?.message
  const rule = own ?? (place.whole === undefined ? "not valid" : expectation(place.whole))
  return [{ path: place.path, rule }]
}

/** Nothing in the union takes a value of this kind, or its discriminator selects nothing. */
const ofNoMember = (issue: SchemaIssue.AnyOf, { path, whole }: Place): ReadonlyArray<Found> => {
  const by = discriminatorOf(issue.ast)
  const input = SchemaIssue.hasInput(issue) ? issue.input : undefined
  if (by === undefined || typeof input !== "object" || input === null || Array.isArray(input)) {
    return [{ path, rule: expectation(whole ?? issue.ast) }]
  }
  const rule = Object.hasOwn(input, by.key) ? valuesOnly(by.values) : "required"
  return [{ path: [...path, by.key], rule }]
}

/** What is wrong with the one of the members that the discriminator selects. */
const ofMembers = (issue: SchemaIssue.AnyOf, place: Place): ReadonlyArray<Found> => {
  const [only, ...others] = issue.issues
  if (only === undefined) return ofNoMember(issue, place)
  const whole = place.whole ?? issue.ast
  if (others.length === 0) return collect(only, { path: place.path, whole })
  const key = discriminatorOf(issue.ast)?.key
  const selected = issue.issues
    .map((member) => collect(member, { path: place.path, whole }))
    .filter((found) => found.every(({ path }) => path[place.path.length] !== key))
  return selected[0] ?? [{ path: place.path, rule: expectation(whole) }]
}

const collect = (issue: SchemaIssue.Issue, place: Place): ReadonlyArray<Found> => {
  switch (issue._tag) {
    case "Pointer":
      return collect(issue.issue, { path: [...place.path, ...issue.path], whole: undefined })
    case "Composite":
      return ofComposite(issue, place)
    case "Filter":
      return ofFilter(issue, place)
    case "AnyOf":
      return ofMembers(issue, place)
    case "Encoding":
      return collect(issue.issue, place)
    case "MissingKey":
      return [{ path: place.path, rule: "required" }]
    case "UnexpectedKey":
      return [{ path: place.path, rule: "unknown property" }]
    case "InvalidType": {
      const isUnknown = issue.ast._tag === "Never"
      const rule = isUnknown ? "unknown property" : expectation(place.whole ?? issue.ast)
      return [{ path: place.path, rule }]
    }
    case "InvalidValue":
      return [{ path: place.path, rule: issue.annotations?.message ?? "not valid" }]
    default:
      return [{ path: place.path, rule: "not valid" }]
  }
}

const isUnknownKey = (issue: SchemaIssue.Issue): boolean =>
  issue._tag === "Pointer" && issue.issue._tag === "UnexpectedKey"

/** The decoder finds unknown keys first; they are told behind the fields that are known. */
const knownFirst = (issues: ReadonlyArray<SchemaIssue.Issue>): ReadonlyArray<SchemaIssue.Issue> =>
  issues[0] !== undefined && isUnknownKey(issues[0])
    ? [...issues.filter((issue) => !isUnknownKey(issue)), ...issues.filter(isUnknownKey)]
    : issues

const ofComposite = (issue: SchemaIssue.Composite, place: Place): ReadonlyArray<Found> => {
  const whole = place.whole ?? (issue.issues[0]._tag === "Filter" ? issue.ast : undefined)
  const found: Array<Found> = []
  for (const inner of [...checksBeside(issue), ...knownFirst(issue.issues)]) {
    found.push(...collect(inner, { path: place.path, whole }))
    if (found.length >= problemsMax) break
  }
  return found
}

/** What was found, as it is told: at most ten problems. */
export const toProblems = (found: ReadonlyArray<Found>): ReadonlyArray<Problem> =>
  found.slice(0, problemsMax).map(({ path, rule }) => ({ path: formatPath(path), rule }))

/** What is behind an issue, in the order of the fields. */
export const foundIn = (issue: SchemaIssue.Issue): ReadonlyArray<Found> =>
  collect(issue, { path: [], whole: undefined })

/** The problems behind an issue, in the order of the fields, at most ten. */
export const fromIssue = (issue: SchemaIssue.Issue): readonly [Problem, ...Array<Problem>] => {
  const [first = { path: "", rule: "not valid" }, ...others] = toProblems(foundIn(issue))
  return [first, ...others]
}
