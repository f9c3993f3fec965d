/**
 * The entity tag of a preset, which is the id of its designated version, and the headers that
 * require one (RFC 9110, 8.8.3, 13.1.1 and 13.1.2).
 */
import type { PresetCondition } from "@verbatim/core/preset"
import { InvalidRequest } from "@verbatim/core/schema"
import { Result } from "effect"

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
