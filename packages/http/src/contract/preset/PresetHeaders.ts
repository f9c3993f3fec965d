/**
 * Defines the headers of the preset operations: entity tags with their conditions (RFC 9110, 8.8.3,
 * 13.1.1 and 13.1.2), the preference to stage a version (RFC 7240), and the paths of request fields
 * that were not kept, because no field of the response contains them.
 */

import type { PresetCondition } from "@verbatim/core/preset"
import { InvalidRequest } from "@verbatim/core/schema"
import { Result } from "effect"
import { makeHeader } from "../Parameters.ts"

/** Builds the strong entity tag for an id. */
export const makeEntityTag = (id: string): string => `"${id}"`

/** Matches an entity tag: an optional `W/` and a quoted text. */
const tag = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g

/** Stands in for each tag while `isList` checks the commas of the list. */
const anyTag = '""'

const isList = (header: string): boolean => {
  const parts = header.replace(tag, anyTag).split(",")
  const members = parts.map((part) => part.trim()).filter((part) => part !== "")
  return members.length > 0 && members.every((part) => part === anyTag)
}

/**
 * The syntax of the header as a JSON Schema pattern: either `*`, or one or more tags with commas
 * between them.
 */
export const tagsPattern =
  '^[ \\t]*(?:\\*|(?:[ \\t]*,)*[ \\t]*(?:W/)?"[!#-~\\x80-\\xff]*"' +
  '(?:[ \\t]*,(?:[ \\t]*(?:W/)?"[!#-~\\x80-\\xff]*")?)*)[ \\t]*$'

const rule = "must be * or a list of entity tags in double quotes"

/** Headers that contain tags. A weak tag never matches in `if-match` (RFC 9110, 8.8.3.2). */
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

/** Whether a header with entity tags names the current tag (RFC 9110, 13.1.2). */
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
 * Parses the precondition of a write; undefined if the request has none. A malformed header is
 * refused with a 400: if it were ignored, the write could undo a concurrent change, and a failed
 * precondition would invite a retry that fails again.
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

/** Parses `If-Match`. Returns undefined if the header was not sent. */
export const parseMatch = (
  headers: Readonly<Record<string, string | undefined>>
): Result.Result<"any" | ReadonlyArray<string> | undefined, InvalidRequest> =>
  parseTags("if-match", headers["if-match"])

/** The preference to stage a version, as sent in requests and repeated in responses. */
export const stagePreference = "handling=stage"

/** Matches a quoted value, which can contain separators. */
const quoted = /"((?:[^"\\]|\\.)*)"/g

const isToken = (text: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(text)

/**
 * Whether the client prefers to stage the version. If the preference is sent with several values,
 * only the first counts.
 */
export const prefersStage = (header = ""): boolean => {
  const plain = header.replace(quoted, (_, value: string) => (isToken(value) ? value : ""))
  const [handling] = plain
    .split(",")
    .map((preference) => (preference.split(";", 1)[0] ?? "").split("=").map((part) => part.trim()))
    .filter(([name]) => name?.toLowerCase() === "handling")
  return handling?.[1] === "stage"
}

/** Name of the header that lists the paths that were not kept. */
export const notKeptName = "x-verbatim-not-kept"

/** Maximum size of the header in bytes. Proxies limit the total size of all response headers. */
const bytesMax = 1_024

/**
 * An ellipsis, percent-encoded like the paths, because Node encodes non-ASCII characters
 * inconsistently.
 */
const more = encodeURIComponent("…")

/**
 * Encodes a path in visible ASCII, because a field's name can contain any character, even a comma
 * or a line feed.
 */
const encode = (path: string): string =>
  path.replace(/[^!-+\--~]|%/gu, (character) => encodeURIComponent(character.toWellFormed()))

/**
 * Builds the header with the paths that were not kept, or no header if all were kept. If there are
 * too many paths, the header ends in an ellipsis.
 */
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

/** Creates a header for entity tags. `x-schema` describes its syntax. */
const makeTags = (description: string) => makeHeader({ pattern: tagsPattern, description })

/** Headers with a precondition for a write to a preset. */
export const conditions = {
  "if-match": makeTags(
    "Entity tags from the preset's `ETag`: the write happens only if one of them is the " +
      "current one; with `*`, only if the preset exists."
  ),
  "if-none-match": makeTags(
    "With `*`, the write happens only if the preset does not exist; with entity tags, only if " +
      "none of them is the current one."
  )
}

/** Headers with a precondition for moving or removing a label. */
export const labelConditions = {
  "if-match": makeTags(
    "Entity tags from the label's `ETag`: the write happens only if the label points to one " +
      "of these versions; with `*`, only if the label exists."
  ),
  "if-none-match": makeTags(
    "With `*`, the write happens only if the label does not exist; with entity tags, only if it " +
      "points to none of these versions."
  )
}

export const readConditions = {
  "if-none-match": makeTags(
    "Entity tags from cached answers: if one is current, the answer is 304."
  )
}
