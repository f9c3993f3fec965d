/**
 * What changed between two versions of a preset.
 */
import { Schema } from "effect"
import { isExact, isSameValue } from "../schema/ExactNumber.ts"
import type { PresetVersion } from "./PresetVersion.ts"

/** One difference. Objects are compared field by field, lists and single values as a whole. */
export const Difference = Schema.Struct({
  /**
   * A JSON pointer (RFC 6901) into the config, for example `/provider/sort`. What lies deeper than
   * 512 characters is shown as a difference of what contains it.
   */
  path: Schema.String,
  kind: Schema.Literals(["added", "removed", "changed"]),
  /** Absent where it was added. */
  from: Schema.optionalKey(Schema.Json),
  /** Absent where it was removed. */
  to: Schema.optionalKey(Schema.Json)
})
export type Difference = typeof Difference.Type

/** All differences between two versions, by path. */
export const PresetDiff = Schema.Struct({
  from: Schema.Int,
  to: Schema.Int,
  /** Null when both say the same. */
  system_prompt: Schema.NullOr(
    Schema.Struct({ from: Schema.NullOr(Schema.String), to: Schema.NullOr(Schema.String) })
  ),
  config: Schema.Array(Difference),
  wins: Schema.NullOr(
    Schema.Struct({ from: Schema.Array(Schema.String), to: Schema.Array(Schema.String) })
  ).annotate({ description: "The fields that win over requests. Null when both name the same." })
}).annotate({ identifier: "PresetDiff" })
export type PresetDiff = typeof PresetDiff.Type

type Json = Schema.Json

const isObject = (value: Json | undefined): value is Schema.JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isExact(value)

const own = (object: Schema.JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

/**
 * Whether two values are the same JSON; the order of names and the spelling of a number do not
 * count.
 */
export const isSame = (left: Json, right: Json): boolean => {
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => isSame(item, right[index]))
  }
  if (isExact(left) && isExact(right)) return isSameValue(left, right)
  if (!isObject(left) || !isObject(right)) return left === right
  const names = Object.keys(left)
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => {
      const other = own(right, name)
      const mine = own(left, name)
      return mine !== undefined && other !== undefined && isSame(mine, other)
    })
  )
}

const escape = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1")

interface Sides {
  readonly path: string
  readonly from: Json | undefined
  readonly to: Json | undefined
}

const differences = ({ from, path, to }: Sides): ReadonlyArray<Difference> => {
  if (from === undefined) return to === undefined ? [] : [{ path, kind: "added", to }]
  if (to === undefined) return [{ path, kind: "removed", from }]
  if (isObject(from) && isObject(to)) return objectDifferences(path, [from, to])
  return isSame(from, to) ? [] : [{ path, kind: "changed", from, to }]
}

/**
 * Longest path of a difference, in UTF-16 units. Every difference repeats the names above it: four
 * nested names of 400 kB above thousands of values would make an answer of gigabytes.
 */
export const pathLengthMax = 512

/** A path of an object's member that is too long, where that member is not the same. */
const isBuried = ({ from, path, to }: Sides): boolean =>
  path.length > pathLengthMax && (from === undefined || to === undefined || !isSame(from, to))

/** The differences within an object; the object itself where one of them lies too deep. */
const objectDifferences = (
  path: string,
  [from, to]: readonly [Schema.JsonObject, Schema.JsonObject]
): ReadonlyArray<Difference> => {
  const members = [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .toSorted()
    .map((name) => ({ path: `${path}/${escape(name)}`, from: own(from, name), to: own(to, name) }))
  return members.some(isBuried)
    ? [{ path, kind: "changed", from, to }]
    : members.filter((member) => member.path.length <= pathLengthMax).flatMap(differences)
}

/** The parts of a version that are compared. */
type Compared = Pick<PresetVersion, "version" | "systemPrompt" | "config" | "wins">

/** The differences from one version to another. */
export const diff = (from: Compared, to: Compared): PresetDiff => ({
  from: from.version,
  to: to.version,
  system_prompt:
    from.systemPrompt === to.systemPrompt ? null : { from: from.systemPrompt, to: to.systemPrompt },
  config: objectDifferences("", [from.config, to.config]),
  wins: isSame(from.wins, to.wins) ? null : { from: from.wins, to: to.wins }
})
