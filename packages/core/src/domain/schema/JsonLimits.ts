/**
 * What a JSON document may hold so that all stores keep it alike: no NUL and no lone surrogate
 * (some stores refuse them, some change them), finite numbers, and a size that can be walked.
 */
import { Result } from "effect"
import { formatPath, type Problem } from "./Problem.ts"
import { isStorable } from "./StorableText.ts"

/** Most objects and arrays inside each other, the document included. */
export const depthMax = 64

/** Most properties of all objects together. */
export const keysMax = 10_000

/**
 * Most values in a document. A request with its tools and its history has some thousands; a body of
 * 2 MiB that is nothing but empty objects would hold the event loop for two seconds.
 */
export const valuesMax = 100_000

interface Broken {
  /** From the inside out, because it is collected on the way back. */
  readonly path: Array<PropertyKey>
  readonly rule: string
}

interface Walk {
  keys: number
  values: number
}

const makeBroken = (rule: string): Broken => ({ path: [], rule })

const textRule = "must not contain NUL or a lone surrogate"

/** Objects as a JSON parser makes them, of this realm or another one. */
const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

const inside = (key: PropertyKey, problem: Broken): Broken => {
  problem.path.push(key)
  return problem
}

const walkArray = (items: ReadonlyArray<unknown>, depth: number, walk: Walk) => {
  for (let index = 0; index < items.length; index += 1) {
    const problem = walkValue(items[index], depth, walk)
    if (problem !== undefined) return inside(index, problem)
  }
  return undefined
}

const walkObject = (value: object, depth: number, walk: Walk): Broken | undefined => {
  if (!isPlain(value)) return makeBroken("must be JSON")
  const keys = Object.keys(value)
  walk.keys += keys.length
  if (walk.keys > keysMax) return makeBroken(`at most ${keysMax} keys in the whole document`)
  for (const key of keys) {
    const problem = isStorable(key)
      ? walkValue((value as Record<string, unknown>)[key], depth, walk)
      : makeBroken(textRule)
    if (problem !== undefined) return inside(key, problem)
  }
  return undefined
}

const walkValue = (value: unknown, depth: number, walk: Walk): Broken | undefined => {
  walk.values += 1
  if (walk.values > valuesMax)
    return makeBroken(`at most ${valuesMax} values in the whole document`)
  if (typeof value === "string") return isStorable(value) ? undefined : makeBroken(textRule)
  if (typeof value === "number") {
    return Number.isFinite(value) ? undefined : makeBroken("must be a finite number")
  }
  if (value === null || typeof value === "boolean") return undefined
  if (typeof value !== "object") return makeBroken("must be JSON")
  if (depth >= depthMax) return makeBroken(`at most ${depthMax} levels of nesting`)
  return Array.isArray(value)
    ? walkArray(value, depth + 1, walk)
    : walkObject(value, depth + 1, walk)
}

/** The number of values in a document, or the first limit that it breaks. */
export const measure = (document: unknown): Result.Result<number, Problem> => {
  const walk: Walk = { keys: 0, values: 0 }
  const problem = walkValue(document, 0, walk)
  return problem === undefined
    ? Result.succeed(walk.values)
    : Result.fail({ path: formatPath(problem.path.reverse()), rule: problem.rule })
}
