/**
 * Validates a JSON document against its schema and the limits that apply to all documents. Problems
 * are reported in one list in field order; for one field, broken limits come before broken rules.
 * The limits ensure that all stores keep the same document: no NUL and no lone surrogate (some
 * stores refuse them, some change them), finite numbers, and a bounded size.
 */
import { Result, Schema, type SchemaAST } from "effect"
import { isExact, toNumbers } from "./ExactNumber.ts"
import {
  type FoundProblem,
  findProblems,
  formatPath,
  type Problem,
  problemsMax,
  toProblems
} from "./Problem.ts"
import { isStorable } from "./StorableText.ts"

/** Maximum nesting depth of objects and arrays, including the document itself. */
export const depthMax = 64

/**
 * Maximum total number of properties in all objects. A request with 128 tools (the most that
 * endpoints accept) and 20 described parameters in each has 14,000 properties. Each property can
 * appear as a difference between versions, with its own path.
 */
export const keysMax = 20_000

/**
 * Maximum number of values in a document. A request with tools and history has a few thousand
 * values. A 2 MiB body of empty objects would block the event loop for two seconds.
 */
export const valuesMax = 100_000

const depthRule = `at most ${depthMax} levels of nesting`
const keysRule = `at most ${keysMax} keys in the whole document`
const valuesRule = `at most ${valuesMax} values in the whole document`

/** The order in which the fields of a document are visited. */
export type FieldOrder = (one: string, other: string) => number

interface Walk {
  readonly order: FieldOrder | undefined
  keys: number
  values: number
  hasExact: boolean
  /**
   * Whether a limit on the whole document is broken. The rest of the document is then not visited.
   */
  isEnded: boolean
  /** Each path starts with its innermost key, because keys are added on the way back to the top. */
  readonly found: Array<{ readonly path: Array<PropertyKey>; readonly rule: string }>
}

const textRule = "must not contain NUL or a lone surrogate"

/** The rule for an invalid number. A schema would word it differently. */
const finiteRule = "must be a finite number"

/** Whether an object could come from a JSON parser, in this JavaScript realm or another. */
const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/**
 * The rest of the document is visited even after the tenth problem, because it may still exceed a
 * limit.
 */
const addProblem = (walk: Walk, rule: string): void => {
  if (walk.found.length < problemsMax) walk.found.push({ path: [], rule })
}

/** Reports a broken limit on the whole document, and stops visiting it. */
const stopAt = (walk: Walk, rule: string): void => {
  addProblem(walk, rule)
  walk.isEnded = true
}

/** Visits the value under a key, and adds the key to the paths of the problems found there. */
const walkInside = (key: PropertyKey, value: unknown, walk: Walk, depth: number): void => {
  const before = walk.found.length
  if (typeof key === "string" && !isStorable(key)) addProblem(walk, textRule)
  if (!walk.isEnded) walkValue(value, depth, walk)
  for (let index = before; index < walk.found.length; index += 1) walk.found[index]?.path.push(key)
}

const walkObject = (value: object, depth: number, walk: Walk): void => {
  const keys = Object.keys(value)
  walk.keys += keys.length
  if (walk.keys > keysMax) stopAt(walk, keysRule)
  if (depth === 1 && walk.order !== undefined) keys.sort(walk.order)
  for (const key of keys) {
    if (walk.isEnded) return
    walkInside(key, (value as Record<string, unknown>)[key], walk, depth)
  }
}

const walkArray = (items: ReadonlyArray<unknown>, depth: number, walk: Walk): void => {
  for (let index = 0; index < items.length && !walk.isEnded; index += 1) {
    walkInside(index, items[index], walk, depth)
  }
}

const walkNested = (value: object, depth: number, walk: Walk): void => {
  if (isExact(value)) {
    walk.hasExact = true
    if (!Number.isFinite(Number(value.rawJSON))) addProblem(walk, finiteRule)
  } else if (depth >= depthMax) stopAt(walk, depthRule)
  else if (Array.isArray(value)) walkArray(value, depth + 1, walk)
  else if (isPlain(value)) walkObject(value, depth + 1, walk)
  else addProblem(walk, "must be JSON")
}

const walkValue = (value: unknown, depth: number, walk: Walk): void => {
  walk.values += 1
  if (walk.values > valuesMax) stopAt(walk, valuesRule)
  else if (typeof value === "string") {
    if (!isStorable(value)) addProblem(walk, textRule)
  } else if (typeof value === "number") {
    if (!Number.isFinite(value)) addProblem(walk, finiteRule)
  } else if (typeof value === "object" && value !== null) walkNested(value, depth, walk)
  else if (value !== null && typeof value !== "boolean") addProblem(walk, "must be JSON")
}

/** The size of a document, and the limits that it breaks. */
export interface Measurement {
  readonly values: number
  /** Whether the document contains a number that is kept as raw JSON. */
  readonly hasExact: boolean
  /** At most ten problems, in the order in which they were found. */
  readonly found: ReadonlyArray<FoundProblem>
  /** Whether the whole document was visited; false if it breaks a limit on the whole document. */
  readonly isWhole: boolean
}

/**
 * Measures a document, visiting its fields in the given order; by default, in the order in the
 * document.
 */
export const measure = (document: unknown, order?: FieldOrder): Measurement => {
  const walk: Walk = { order, keys: 0, values: 0, hasExact: false, isEnded: false, found: [] }
  walkValue(document, 0, walk)
  return {
    values: walk.values,
    hasExact: walk.hasExact,
    found: walk.found.map(({ path, rule }) => ({ path: path.toReversed(), rule })),
    isWhole: !walk.isEnded
  }
}

const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c]
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Returns the limit that JSON text breaks; undefined if there is none. The text is scanned without
 * building a value, because the parser accepts a million nested arrays, on which later code would
 * fail.
 */
export const findBrokenLimit = (text: string): string | undefined => {
  let depth = 0
  let keys = 0
  let values = 1
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) at = findStringEnd(text, at)
    else if (code === colon) keys += 1
    else if (code === comma) values += 1
    else if (code === openArray || code === openObject) depth += 1
    else if (code === closeArray || code === closeObject) depth -= 1
    if (depth > depthMax) return depthRule
    if (keys > keysMax) return keysRule
    if (values > valuesMax) return valuesRule
  }
  return undefined
}

/** Returns the offset of the quote that ends the string starting at `start`. */
const findStringEnd = (text: string, start: number): number => {
  let at = start
  do {
    at = text.indexOf('"', at + 1)
    if (at === -1) return text.length
  } while (isEscaped(text, at))
  return at
}

const isEscaped = (text: string, at: number): boolean => {
  let before = at - 1
  while (text.charCodeAt(before) === backslash) before -= 1
  return (at - before) % 2 === 0
}

/** The schema of a kind of document, and the order of its fields. */
interface Rules {
  readonly schema: Schema.ConstraintDecoder<unknown>
  /**
   * The names of the fields, in the order in which problems are reported; unknown fields come last.
   */
  readonly names: ReadonlyArray<string>
  readonly options?: SchemaAST.ParseOptions
}

/**
 * Creates a function that returns the position of a field in reports. The document as a whole comes
 * first.
 */
const makeRankOf = (names: ReadonlyArray<string>) => {
  const ranks = new Map<PropertyKey, number>(names.map((name, index) => [name, index]))
  return (name: PropertyKey | undefined): number =>
    name === undefined ? -1 : (ranks.get(name) ?? names.length)
}

/**
 * Creates the validator for a kind of document. The decoders are created only once, because
 * creating them costs far more than decoding a document.
 */
export const makeValidator = ({
  names,
  options,
  schema
}: Rules): ((document: unknown) => ReadonlyArray<Problem>) => {
  const firstIssue = Schema.decodeUnknownResult(schema, { ...options, reportInput: true })
  const everyIssue = Schema.decodeUnknownResult(schema, {
    ...options,
    errors: "all",
    reportInput: true
  })
  const rankOf = makeRankOf(names)

  const order: FieldOrder = (one, other) => rankOf(one) - rankOf(other)

  /**
   * Measures a document. If a limit is broken, which is rare, the document is visited again in
   * field order, because the ten reported problems must be the first ten in field order.
   */
  const measureInOrder = (document: unknown): Measurement => {
    const asSent = measure(document)
    return asSent.found.length === 0 ? asSent : measure(document, order)
  }

  const broken = (document: unknown): ReadonlyArray<FoundProblem> => {
    // Stopping at the first issue is several times cheaper, and most documents have no issues.
    if (Result.isSuccess(firstIssue(document))) return []
    const outcome = everyIssue(document)
    return Result.isFailure(outcome) ? findProblems(outcome.failure.issue) : []
  }

  return (document) => {
    const { found, hasExact, isWhole } = measureInOrder(document)
    if (!isWhole) return toProblems(found)
    const rules = broken(hasExact ? toNumbers(document) : document)
    if (found.length === 0) return toProblems(rules)
    const infinite = new Set(
      found.filter(({ rule }) => rule === finiteRule).map(({ path }) => formatPath(path))
    )
    const others = rules.filter(({ path }) => !infinite.has(formatPath(path)))
    return toProblems(
      [...found, ...others].toSorted((one, other) => rankOf(one.path[0]) - rankOf(other.path[0]))
    )
  }
}
