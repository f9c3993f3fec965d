/**
 * The headers of preset operations: entity tags and the conditions on them (RFC 9110, 8.8.3, 13.1.1
 * and 13.1.2), the preference to stage a version (RFC 7240), and the paths of a request that were
 * not kept, which the body of the answer has no place for.
 */
import type { PresetCondition } from "@verbatim/core/preset"
import { InvalidRequest } from "@verbatim/core/schema"
import { Result, Schema } from "effect"

/** Makes the strong tag of an id. */
export const makeEntityTag = (id: string): string => `"${id}"`

/** One tag of a list: weak or not, and what stands between the quotes. */
const tag = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g

/** Stands in for every tag while the shape of a list is checked. */
const anyTag = '""'

const isList = (header: string): boolean => {
  const parts = header.replace(tag, anyTag).split(",")
  const members = parts.map((part) => part.trim()).filter((part) => part !== "")
  return members.length > 0 && members.every((part) => part === anyTag)
}

/** The same as a pattern of JSON Schema: `*`, or tags and commas of which one is a tag. */
export const tagsPattern =
  '^[ \\t]*(?:\\*|(?:[ \\t]*,)*[ \\t]*(?:W/)?"[!#-~\\x80-\\xff]*"' +
  '(?:[ \\t]*,(?:[ \\t]*(?:W/)?"[!#-~\\x80-\\xff]*")?)*)[ \\t]*$'

const rule = "must be * or a list of entity tags in double quotes"

/** The headers that name tags. A weak tag matches nothing in `if-match` (RFC 9110, 8.8.3.2). */
type TagHeader = "if-match" | "if-none-match"

const parseTags = (
  name: TagHeader,
  header: string | undefined
): Result.Result<"any" | ReadonlyArray<string> | undefined, InvalidRequest> => {
  if (header === undefined) return Result.succeed(undefined)
  if (header.trim() === "*") return Result.succeed("any")
  if (!isList(header)) {
    return Result.fail(new InvalidRequest({ problems: [{ path: name, rule }] }))
  }
  const counting = [...header.matchAll(tag)].filter(
    ([, weak]) => weak === undefined || name === "if-none-match"
  )
  return Result.succeed(counting.map(([, , id = ""]) => id))
}

/** Whether a reader has what a tag names already (RFC 9110, 13.1.2). */
export const isNamedBy = (
  headers: Readonly<Record<string, string | undefined>>
): Result.Result<(id: string) => boolean, InvalidRequest> =>
  Result.map(
    parseTags("if-none-match", headers["if-none-match"]),
    (tags = []) =>
      (id: string) =>
        tags === "any" || tags.includes(id)
  )

/**
 * Parses the headers that make a write conditional; undefined without them. One that cannot be read
 * is a 400, not a failed precondition: trying again would not help, and ignoring it could undo
 * somebody's change.
 */
export const parseCondition = (
  headers: Readonly<Record<string, string | undefined>>
): Result.Result<PresetCondition | undefined, InvalidRequest> => {
  if (headers["if-match"] === undefined && headers["if-none-match"] === undefined) {
    return Result.succeed(undefined)
  }
  return Result.flatMap(parseTags("if-match", headers["if-match"]), (match) =>
    Result.map(parseTags("if-none-match", headers["if-none-match"]), (noneMatch) => ({
      match,
      noneMatch
    }))
  )
}

/** Parses the header that says which tags may be current; undefined without it. */
export const parseMatch = (
  headers: Readonly<Record<string, string | undefined>>
): Result.Result<"any" | ReadonlyArray<string> | undefined, InvalidRequest> =>
  parseTags("if-match", headers["if-match"])

/** The preference, as requests send it and answers name it. */
export const stagePreference = "handling=stage"

/** A quoted value; it may hold what elsewhere parts one preference from the next. */
const quoted = /"((?:[^"\\]|\\.)*)"/g

const isToken = (text: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(text)

/** Whether the preference is sent. Of several values of one preference the first counts. */
export const prefersStage = (header = ""): boolean => {
  const plain = header.replace(quoted, (_, value: string) => (isToken(value) ? value : ""))
  const [handling] = plain
    .split(",")
    .map((preference) => (preference.split(";", 1)[0] ?? "").split("=").map((part) => part.trim()))
    .filter(([name]) => name?.toLowerCase() === "handling")
  return handling?.[1] === "stage"
}

/** The name of the header. */
export const notKeptName = "x-verbatim-not-kept"

/** Most bytes of the header: proxies limit all headers of an answer together. */
const bytesMax = 1_024

/** An ellipsis, encoded as the paths are: Node writes other characters in two ways. */
const more = encodeURIComponent("…")

/** A path in visible ASCII: a name may hold anything, commas and line feeds too. */
const encode = (path: string): string =>
  path.replace(/[^!-+\--~]|%/gu, (character) => encodeURIComponent(character.toWellFormed()))

/** The header; none where everything was kept. It ends in an ellipsis where paths do not fit. */
export const notKeptHeader = (paths: ReadonlyArray<string>): Readonly<Record<string, string>> => {
  let text = ""
  for (const path of paths) {
    const next = `${text}${text === "" ? "" : ", "}${encode(path)}`
    if (next.length > bytesMax - more.length - 2) {
      return { [notKeptName]: text === "" ? more : `${text}, ${more}` }
    }
    text = next
  }
  return text === "" ? {} : { [notKeptName]: text }
}

/** A header with entity tags; `x-schema` tells its form. */
const makeTags = (description: string) =>
  Schema.optionalKey(
    Schema.String.annotate({
      "x-schema": { type: "string", pattern: tagsPattern, description }
    })
  )

/** The preconditions of a write. */
export const conditions = {
  "if-match": makeTags(
    "Entity tags as answers with one preset carry them in `ETag`: the write is made only while " +
      "one of them is the current one; with `*`, only when the preset exists."
  ),
  "if-none-match": makeTags(
    "With `*`, the write is made only when there is no such preset; with entity tags, only while " +
      "none of them is the current one."
  )
}

/** The preconditions of a write of a label. */
export const labelConditions = {
  "if-match": makeTags(
    "Entity tags as answers with one label carry them in `ETag`: the write is made only while " +
      "the label points to one of these versions; with `*`, only when there is such a label."
  ),
  "if-none-match": makeTags(
    "With `*`, the write is made only when there is no such label; with entity tags, only while " +
      "it points to none of these versions."
  )
}

/** What a reader has already. */
export const readConditions = {
  "if-none-match": makeTags("Entity tags of what the caller has: one that is current is a 304.")
}
