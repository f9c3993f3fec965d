/**
 * The differences between two versions of a preset.
 */
import { compareSequences } from "@verbatim/resolution"
import { Schema } from "effect"
import { toWireFormat, WireFormat } from "../request/RequestFormat.ts"
import { isExact, isSameValue } from "../schema/ExactNumber.ts"
import type { PresetConfig, PresetVersion } from "./PresetVersion.ts"

/**
 * Maximum number of texts in the config that are compared line by line. Each comparison takes up to
 * 10 ms.
 */
export const textMax = 50

/**
 * Maximum number of changed lines that are shown per text. A text with more changes is shown as a
 * whole.
 */
export const lineMax = 1_000

/** Consecutive lines that differ between two texts. */
const ChangedLines = Schema.Struct({
  /** The line in the old text, counted from 1, at which the removed lines begin or would begin. */
  from: Schema.Int,
  removed: Schema.Array(Schema.String),
  /** The line in the new text, counted from 1, at which the added lines begin or would begin. */
  to: Schema.Int,
  added: Schema.Array(Schema.String)
})
type ChangedLines = typeof ChangedLines.Type

const lines = Schema.optionalKey(
  Schema.Array(ChangedLines).annotate({
    description:
      "The lines that differ, if both sides are texts and at least one has several lines. " +
      `Missing if more than ${lineMax} lines differ, and after the first ${textMax} texts.`
  })
)

/**
 * A difference between two versions. Objects are compared field by field, and lists of tools tool
 * by tool. Other lists and single values are compared as a whole.
 */
export const Difference = Schema.Struct({
  /**
   * A JSON pointer (RFC 6901) into the config, for example `/provider/sort`. A tool is identified
   * by its name instead of its index: `/tools/get_weather/description`. A difference with a path of
   * more than 512 characters is shown as a difference of the value that contains it.
   */
  path: Schema.String,
  kind: Schema.Literals(["added", "removed", "changed"]),
  /** The old value; missing if the value was added. */
  from: Schema.optionalKey(Schema.Json),
  /** The new value; missing if the value was removed. */
  to: Schema.optionalKey(Schema.Json),
  is_order: Schema.optionalKey(
    Schema.Literal(true).annotate({
      description:
        "The names that both sides share are in a different order. `from` and `to` list them."
    })
  ),
  lines
})
export type Difference = typeof Difference.Type

/** All differences between two versions, ordered by path. */
export const PresetDiff = Schema.Struct({
  from: Schema.Int,
  to: Schema.Int,
  format: Schema.NullOr(Schema.Struct({ from: WireFormat, to: WireFormat })).annotate({
    description: "Null if both versions have the same format."
  }),
  /** How the two prompts differ; null if they are equal. */
  system_prompt: Schema.NullOr(
    Schema.Struct({
      from: Schema.NullOr(Schema.String),
      to: Schema.NullOr(Schema.String),
      lines
    })
  ),
  config: Schema.Array(Difference),
  wins: Schema.NullOr(
    Schema.Struct({ from: Schema.Array(Schema.String), to: Schema.Array(Schema.String) })
  ).annotate({
    description: "The fields that take precedence over requests. Null if they are equal."
  })
}).annotate({ identifier: "PresetDiff" })
export type PresetDiff = typeof PresetDiff.Type

type Json = Schema.Json

const isObject = (value: Json | undefined): value is Schema.JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isExact(value)

const own = (object: Schema.JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

/** Whether two values are the same JSON, regardless of key order and number notation. */
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

/** The lists that are compared by the names of their items. */
const namedLists: ReadonlySet<string> = new Set(["tools", "functions", "mcp_servers"])

const textAt = (object: Schema.JsonObject, name: string): string | undefined => {
  const value = own(object, name)
  return typeof value === "string" ? value : undefined
}

/**
 * Returns the name by which a tool is compared: its own name, or else its server's name, or else
 * its type.
 */
const toolName = (tool: Json): string | undefined => {
  if (!isObject(tool)) return undefined
  const inner = own(tool, "function") ?? own(tool, "custom")
  return (
    (isObject(inner) ? textAt(inner, "name") : undefined) ??
    textAt(tool, "name") ??
    textAt(tool, "server_label") ??
    textAt(tool, "mcp_server_name") ??
    textAt(tool, "type")
  )
}

/**
 * Indexes a list of tools by name; undefined if a tool has no name, or if two tools have the same
 * name.
 */
const byName = (list: ReadonlyArray<Json>): Schema.JsonObject | undefined => {
  const entries = list.map((tool) => [toolName(tool), tool] as const)
  const names = new Set(entries.map(([name]) => name))
  // A name that looks like a number is not used, because an object lists such keys first, and would
  // lose the order of the tools.
  const isClear = [...names].every((name) => name !== undefined && !/^\d+$/.test(name))
  return isClear && names.size === list.length ? Object.fromEntries(entries) : undefined
}

const listDifferences = (
  path: string,
  [from, to]: readonly [ReadonlyArray<Json>, ReadonlyArray<Json>]
): ReadonlyArray<Difference> => {
  const isNamed = namedLists.has(path.slice(path.lastIndexOf("/") + 1))
  const named = isNamed ? [byName(from), byName(to)] : []
  if (named[0] && named[1]) return objectDifferences(path, [named[0], named[1]])
  if (!isSame(from, to)) return [{ path, kind: "changed", from, to }]
  // The lists are equal, except possibly for the order of the keys in their objects.
  return objectDifferences(path, [
    Object.fromEntries(from.entries()),
    Object.fromEntries(to.entries())
  ])
}

const differences = ({ from, path, to }: Sides): ReadonlyArray<Difference> => {
  if (from === undefined) return to === undefined ? [] : [{ path, kind: "added", to }]
  if (to === undefined) return [{ path, kind: "removed", from }]
  if (isObject(from) && isObject(to)) return objectDifferences(path, [from, to])
  if (Array.isArray(from) && Array.isArray(to)) return listDifferences(path, [from, to])
  return isSame(from, to) ? [] : [{ path, kind: "changed", from, to }]
}

/**
 * Maximum length of a difference's path, in UTF-16 units. Every difference repeats the keys on its
 * path. Without a limit, four nested keys of 400 kB each, above thousands of values, would make a
 * response of several gigabytes.
 */
export const pathLengthMax = 512

/** Whether a member differs, and its path is too long to be shown. */
const isBuried = ({ from, path, to }: Sides): boolean =>
  path.length > pathLengthMax && differences({ path: "", from, to }).length > 0

/** Returns a difference if the keys that both objects share are in a different order. */
const orderDifference = (
  path: string,
  [from, to]: readonly [Schema.JsonObject, Schema.JsonObject]
): ReadonlyArray<Difference> => {
  const [one, other] = [Object.keys(from), Object.keys(to)]
  const common = one.filter((name) => Object.hasOwn(to, name))
  const turned = other.filter((name) => Object.hasOwn(from, name))
  return common.every((name, index) => name === turned[index])
    ? []
    : [{ path, kind: "changed", is_order: true, from: one, to: other }]
}

/**
 * Returns the differences within an object; the whole object if the path of a difference is too
 * long.
 */
const objectDifferences = (
  path: string,
  [from, to]: readonly [Schema.JsonObject, Schema.JsonObject]
): ReadonlyArray<Difference> => {
  const members = [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .toSorted()
    .map((name) => ({ path: `${path}/${escape(name)}`, from: own(from, name), to: own(to, name) }))
  return members.some(isBuried)
    ? [{ path, kind: "changed", from, to }]
    : [
        ...orderDifference(path, [from, to]),
        ...members.filter((member) => member.path.length <= pathLengthMax).flatMap(differences)
      ]
}

/** Returns the lines that differ between two texts. */
const compareLines = (from: string, to: string): ReadonlyArray<ChangedLines> => {
  // Equal lines become the same string, so that comparing them costs almost nothing.
  const known = new Map<string, string>()
  const intern = (line: string): string =>
    known.get(line) ?? known.set(line, line).get(line) ?? line
  const [old, next] = [from, to].map((text) => text.split("\n").map(intern))
  const at = { from: 1, to: 1 }
  const changes: Array<{ -readonly [Name in keyof ChangedLines]: ChangedLines[Name] }> = []
  let wasSame = true
  for (const { items, kind } of compareSequences(old ?? [], next ?? [])) {
    if (kind !== "same") {
      if (wasSame) changes.push({ ...at, removed: [], added: [] })
      const change = changes.at(-1)
      if (change !== undefined) change[kind] = [...change[kind], ...items]
    }
    wasSame = kind === "same"
    if (kind !== "added") at.from += items.length
    if (kind !== "removed") at.to += items.length
  }
  return changes
}

type Sided = Pick<Difference, "from" | "to">

/** Whether both sides are strings, and at least one has several lines. */
const isLong = (sides: Sided): sides is { readonly from: string; readonly to: string } => {
  const texts = [sides.from, sides.to].filter((text) => typeof text === "string")
  return texts.length === 2 && texts.some((text) => text.includes("\n"))
}

const withLines = <Texts extends Sided>(texts: Texts) => {
  if (!isLong(texts)) return texts
  const lines = compareLines(texts.from, texts.to)
  const count = lines.reduce((sum, { added, removed }) => sum + added.length + removed.length, 0)
  return count > lineMax ? texts : { ...texts, lines }
}

/**
 * Returns the differences between two configs, without a comparison of lines. There are none if and
 * only if the configs are equal.
 */
export const configDifferences = (
  from: PresetConfig,
  to: PresetConfig
): ReadonlyArray<Difference> => objectDifferences("", [from, to])

/** The parts of a version that are compared. */
type Compared = Pick<PresetVersion, "version" | "systemPrompt" | "config" | "format" | "wins">

/** Returns the differences from one version to another. */
export const diff = (from: Compared, to: Compared): PresetDiff => {
  const prompts = { from: from.systemPrompt, to: to.systemPrompt }
  const config = configDifferences(from.config, to.config)
  const long = new Set(config.filter(isLong).slice(0, textMax))
  const isFormat = from.format !== to.format
  return {
    from: from.version,
    to: to.version,
    format: isFormat ? { from: toWireFormat(from.format), to: toWireFormat(to.format) } : null,
    system_prompt: prompts.from === prompts.to ? null : withLines(prompts),
    config: config.map((difference) => (long.has(difference) ? withLines(difference) : difference)),
    wins: isSame(from.wins, to.wins) ? null : { from: from.wins, to: to.wins }
  }
}
