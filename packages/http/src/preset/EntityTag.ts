/**
 * The entity tag of a preset, which is the id of its designated version, and the header that
 * requires one (RFC 9110, 8.8.3 and 13.1.1).
 */
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

const rule = "must be * or a list of entity tags in double quotes"

/**
 * Parses the header `If-Match` into the ids it asks for; undefined when any will do. The comparison
 * is strong: a weak tag matches nothing. A header that cannot be read is a 400, not a failed
 * precondition: trying again would not help, and ignoring it could undo somebody's change.
 */
export const parseIfMatch = (
  header: string | undefined
): Result.Result<ReadonlyArray<string> | undefined, InvalidRequest> => {
  if (header === undefined || header.trim() === "*") return Result.succeed(undefined)
  if (!isList(header)) {
    return Result.fail(new InvalidRequest({ problems: [{ path: "if-match", rule }] }))
  }
  const strong = [...header.matchAll(tag)].filter(([, weak]) => weak === undefined)
  return Result.succeed(strong.map(([, , id = ""]) => id))
}
