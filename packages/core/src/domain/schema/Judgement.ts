/**
 * Everything that is wrong with a JSON document: the limits of all documents and the rules of its
 * schema, in one list, in the order of the fields; within one field, limits come before rules. The
 * limits are what all stores keep alike: no NUL and no lone surrogate (some stores refuse them,
 * some change them), finite numbers, and a size that can be walked.
 */
import { Result, Schema, type SchemaAST } from "effect"
import { isExact, toNumbers } from "./ExactNumber.ts"
import {
  type Found,
  formatPath,
  foundIn,
  type Problem,
  problemsMax,
  toProblems
} from "./Problem.ts"
import { isStorable } from "./StorableText.ts"

/** Most objects and arrays inside each other, the document included. */
export const depthMax = 64

/**
 * Most properties of all objects together: 128 tools, the most that endpoints take, of 20 described
 * parameters have 14,000. Each may be a difference between versions, with a path.
 */
export const keysMax = 20_000

/**
 * Most values in a document. A request with its tools and its history has some thousands; a body of
 * 2 MiB that is nothing but empty objects would hold the event loop for two seconds.
 */
export const valuesMax = 100_000

const depthRule = `at most ${depthMax} levels of nesting`
const keysRule = `at most ${keysMax} keys in the whole document`
const valuesRule = `at most ${valuesMax} values in the whole document`

/** The order in which the fields of a document are walked. */
export type Order = (one: string, other: string) => number

interface Walk {
  readonly order: Order | undefined
  keys: number
  values: number
  hasExact: boolean
  /** A limit of the whole document is broken: the rest is not looked at. */
  isEnded: boolean
  /** Paths are from the inside out, because they are collected on the way back. */
  readonly found: Array<{ readonly path: Array<PropertyKey>; readonly rule: string }>
}

const textRule = "must not contain NUL or a lone surrogate"

/** The rule of every number; a schema says the same in words of its own. */
const finiteRule = "must be a finite number"

/** Objects as a JSON parser makes them, of this realm or another one. */
const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Behind the tenth problem the walk goes on: a limit of the whole document may yet be broken. */
const addProblem = (walk: Walk, rule: string): void => {
  if (walk.found.length < problemsMax) walk.found.push({ path: [], rule })
}

/** Tells of a broken limit of the whole document, and ends the walk. */
const stopAt = (walk: Walk, rule: string): void => {
  addProblem(walk, rule)
  walk.isEnded = true
}

/** Walks what stands under a key. What is wrong with it lies below that key. */
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

/** What a document holds, and where it breaks a limit. */
export interface Measured {
  readonly values: number
  /** Whether some number was kept as it was sent. */
  readonly hasExact: boolean
  /** In the order of the walk, ten at most. */
  readonly found: ReadonlyArray<Found>
  /** Whether all of it was looked at; not so behind a broken limit of the whole document. */
  readonly isWhole: boolean
}

/** Measures a document; its fields are walked in the order given, or else in their own. */
export const measure = (document: unknown, order?: Order): Measured => {
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
 * Finds the limit that a text breaks, scanning it as JSON without building a value: the parser
 * takes a million nested arrays, on which the code after it would fail.
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

/** Finds the quote that ends the string which begins at `start`. */
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

/** How a document is judged. */
interface Rules {
  readonly schema: Schema.ConstraintDecoder<unknown>
  /** Names of the fields, in the order in which problems are told; unknown ones come behind. */
  readonly names: ReadonlyArray<string>
  readonly options?: SchemaAST.ParseOptions
}

/** The place of a field; the document as a whole comes first. */
const makePlaceOf = (names: ReadonlyArray<string>) => {
  const places = new Map<PropertyKey, number>(names.map((name, index) => [name, index]))
  return (name: PropertyKey | undefined): number =>
    name === undefined ? -1 : (places.get(name) ?? names.length)
}

/**
 * Makes the judge of a document. The decoders are made once: making them costs far more than a
 * document.
 */
export const makeJudge = ({
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
  const placeOf = makePlaceOf(names)

  const order: Order = (one, other) => placeOf(one) - placeOf(other)

  /**
   * What a document holds. A broken limit is rare: only then is the document walked once more, in
   * the order of the fields, because the ten that are told must be the first ones in that order.
   */
  const measureInOrder = (document: unknown): Measured => {
    const asSent = measure(document)
    return asSent.found.length === 0 ? asSent : measure(document, order)
  }

  const broken = (document: unknown): ReadonlyArray<Found> => {
    // Stopping at the first issue is several times cheaper, and most documents have none.
    if (Result.isSuccess(firstIssue(document))) return []
    const outcome = everyIssue(document)
    return Result.isFailure(outcome) ? foundIn(outcome.failure.issue) : []
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
      [...found, ...others].toSorted((one, other) => placeOf(one.path[0]) - placeOf(other.path[0]))
    )
  }
}
