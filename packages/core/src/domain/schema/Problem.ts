/**
 * Describes problems in a request: the path of each one, and the broken rule. A problem never
 * repeats a value that was sent, but shows the beginning of an unknown key.
 */

import { Schema, SchemaAST, SchemaIssue } from "effect"
import { refusal } from "./Refusal.ts"

// The code below describes what a schema expects: `must be a string or null`, or `must be one of
// auto, disabled, null`. The description depends only on the schema, never on the value that was
// sent.

const isInteger = (ast: SchemaAST.Number): boolean =>
  ast.checks?.some((check) => check.annotations?.expected === "an integer") === true

interface Alternative {
  readonly name: string
  /** Whether the alternative is a single value, and not a type. */
  readonly isValue: boolean
}

const value = (name: string): ReadonlyArray<Alternative> => [{ name, isValue: true }]
const kind = (name: string): ReadonlyArray<Alternative> => [{ name, isValue: false }]

/** Returns the types and values that a schema accepts, in the schema's order. */
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

/**
 * Returns the rule that allows only the given values. If there are many, it begins with "one of".
 */
const valuesOnly = (names: ReadonlyArray<string>): string =>
  names.length > 2 ? `must be one of ${names.join(", ")}` : `must be ${listNames(names)}`

/** Returns the rule that a value of the wrong type breaks. */
const expectation = (ast: SchemaAST.AST): string => {
  const message = ast.annotations?.message
  if (typeof message === "string") return message
  const all = alternatives(ast)
  const names = [...new Set(all.map(({ name }) => name))]
  return all.every(({ isValue }) => isValue) ? valuesOnly(names) : `must be ${listNames(names)}`
}

/** The key that distinguishes the objects in a union, and its values. */
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

/** Returns the discriminator that selects among the objects in a union, if there is one. */
const discriminatorOf = (union: SchemaAST.Union): Discriminator | undefined => {
  const literals = union.types.flatMap(literalsOf)
  const key = literals[0]?.[0]
  if (key === undefined) return undefined
  return { key, values: literals.flatMap(([name, value]) => (name === key ? [value] : [])) }
}

/** Maximum number of problems in a response: enough to fix a request, and few enough to read. */
export const problemsMax = 10

/** Maximum lengths, in UTF-16 units, of a name in a path and of the whole path. */
const shownNameMax = 64
const shownPathMax = 256

/**
 * A broken rule, with the path of the value that breaks it; the path is empty for the whole
 * document.
 */
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

/** Formats a path as it would appear in code: `plugins[1].max_tool_calls`. */
export const formatPath = (path: Path): string => cut(path.reduce(step, ""), shownPathMax)

/** Joins all problems into one sentence. */
export const describe = (problems: ReadonlyArray<Problem>): string =>
  `Invalid request parameters: ${problems
    .map(({ path, rule }) => `${path === "" ? "body" : path}: ${rule}`)
    .join("; ")}`

/** The request breaks at least one of its rules. */
export class InvalidRequest extends refusal<InvalidRequest>()("InvalidRequest", {
  fields: {
    problems: Schema.NonEmptyArray(Problem)
  },
  sentence: ({ problems }) => describe(problems)
}) {}

/** A problem before its path is formatted. */
export interface FoundProblem {
  readonly path: Path
  readonly rule: string
}

/** Where an issue was found: its path, and the outermost union at that path. */
interface Position {
  readonly path: Path
  readonly whole: SchemaAST.AST | undefined
}

const options = { errors: "all" } as const

/**
 * Runs the checks of an array or object that the decoder skips if something inside is invalid.
 * These checks can run on any array or object.
 */
const runSkippedChecks = (issue: SchemaIssue.Composite): ReadonlyArray<SchemaIssue.Issue> => {
  const { ast, issues } = issue
  if (ast.checks === undefined || issues[0]._tag === "Filter" || !SchemaIssue.hasInput(issue)) {
    return []
  }
  return ast.checks.flatMap((check) => {
    const broken = check._tag === "Filter" ? check.run(issue.input, ast, options) : undefined
    return check._tag === "Filter" && broken ? [new SchemaIssue.Filter(check, broken)] : []
  })
}

const ofFilter = (issue: SchemaIssue.Filter, position: Position): ReadonlyArray<FoundProblem> => {
  const message = issue.filter.annotations?.message
  if (typeof message === "string") return [{ path: position.path, rule: message }]
  // If a check reports several problems, each is read separately, because validating the whole
  // value would run its checks again.
  if (issue.issue._tag === "Composite") {
    return issue.issue.issues.flatMap((inner) => collect(inner, position))
  }
  if (issue.issue._tag !== "InvalidValue") return collect(issue.issue, position)
  const own = issue.issue.annotations?.message
  const rule = own ?? (position.whole === undefined ? "not valid" : expectation(position.whole))
  return [{ path: position.path, rule }]
}

/**
 * Returns the problem if no member of a union accepts a value of this type, or if the discriminator
 * selects no member.
 */
const ofNoMember = (
  issue: SchemaIssue.AnyOf,
  { path, whole }: Position
): ReadonlyArray<FoundProblem> => {
  const by = discriminatorOf(issue.ast)
  const input = SchemaIssue.hasInput(issue) ? issue.input : undefined
  if (by === undefined || typeof input !== "object" || input === null || Array.isArray(input)) {
    return [{ path, rule: expectation(whole ?? issue.ast) }]
  }
  const rule = Object.hasOwn(input, by.key) ? valuesOnly(by.values) : "required"
  return [{ path: [...path, by.key], rule }]
}

/** Returns the problems with the union member that the discriminator selects. */
const ofMembers = (issue: SchemaIssue.AnyOf, position: Position): ReadonlyArray<FoundProblem> => {
  const [only, ...others] = issue.issues
  if (only === undefined) return ofNoMember(issue, position)
  const whole = position.whole ?? issue.ast
  if (others.length === 0) return collect(only, { path: position.path, whole })
  const key = discriminatorOf(issue.ast)?.key
  const selected = issue.issues
    .map((member) => collect(member, { path: position.path, whole }))
    .filter((found) => found.every(({ path }) => path[position.path.length] !== key))
  return selected[0] ?? [{ path: position.path, rule: expectation(whole) }]
}

const collect = (issue: SchemaIssue.Issue, position: Position): ReadonlyArray<FoundProblem> => {
  switch (issue._tag) {
    case "Pointer":
      return collect(issue.issue, { path: [...position.path, ...issue.path], whole: undefined })
    case "Composite":
      return ofComposite(issue, position)
    case "Filter":
      return ofFilter(issue, position)
    case "AnyOf":
      return ofMembers(issue, position)
    case "Encoding":
      return collect(issue.issue, position)
    case "MissingKey":
      return [{ path: position.path, rule: "required" }]
    case "UnexpectedKey":
      return [{ path: position.path, rule: "unknown property" }]
    case "InvalidType": {
      const isUnknown = issue.ast._tag === "Never"
      const rule = isUnknown ? "unknown property" : expectation(position.whole ?? issue.ast)
      return [{ path: position.path, rule }]
    }
    case "InvalidValue":
      return [{ path: position.path, rule: issue.annotations?.message ?? "not valid" }]
    default:
      return [{ path: position.path, rule: "not valid" }]
  }
}

const isUnknownKey = (issue: SchemaIssue.Issue): boolean =>
  issue._tag === "Pointer" && issue.issue._tag === "UnexpectedKey"

/** Moves unknown keys, which the decoder finds first, after the known fields. */
const knownFirst = (issues: ReadonlyArray<SchemaIssue.Issue>): ReadonlyArray<SchemaIssue.Issue> =>
  issues[0] !== undefined && isUnknownKey(issues[0])
    ? [...issues.filter((issue) => !isUnknownKey(issue)), ...issues.filter(isUnknownKey)]
    : issues

const ofComposite = (
  issue: SchemaIssue.Composite,
  position: Position
): ReadonlyArray<FoundProblem> => {
  const whole = position.whole ?? (issue.issues[0]._tag === "Filter" ? issue.ast : undefined)
  const found: Array<FoundProblem> = []
  for (const inner of [...runSkippedChecks(issue), ...knownFirst(issue.issues)]) {
    found.push(...collect(inner, { path: position.path, whole }))
    if (found.length >= problemsMax) break
  }
  return found
}

/** Formats problems, at most ten of them. */
export const toProblems = (found: ReadonlyArray<FoundProblem>): ReadonlyArray<Problem> =>
  found.slice(0, problemsMax).map(({ path, rule }) => ({ path: formatPath(path), rule }))

/** Returns the problems that caused a decoder's issue, in field order. */
export const findProblems = (issue: SchemaIssue.Issue): ReadonlyArray<FoundProblem> =>
  collect(issue, { path: [], whole: undefined })

/** Returns at most ten of the problems that caused a decoder's issue, in field order. */
export const fromIssue = (issue: SchemaIssue.Issue): readonly [Problem, ...Array<Problem>] => {
  const [first = { path: "", rule: "not valid" }, ...others] = toProblems(findProblems(issue))
  return [first, ...others]
}
