/**
 * The entity tag of a preset, which is the id of its designated version, and what a request expects
 * of it (RFC 9110, 8.8.3 and 13.1.1).
 */
import { InvalidRequest } from "@verbatim/core/domain/schema/Problem"
import { Result } from "effect"

/** The strong tag of an id. */
export const entityTag = (id: string): string => `"${id}"`

/** One tag of a list: weak or not, and what stands between the quotes. */
const tag = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g

/** A tag that stands for any other one while the shape of a list is looked at. */
const anyTag = '""'

const isList = (header: string): boolean => {
  const parts = header.replace(tag, anyTag).split(",")
  const members = parts.map((part) => part.trim()).filter((part) => part !== "")
  return members.length > 0 && members.every((part) => part === anyTag)
}

const rule = "must be * or a list of entity tags in double quotes"

/**
 * The ids that a header `If-Match` asks for; undefined when any will do. The comparison is strong:
 * a weak tag matches nothing. A header that cannot be read is a 400, not a failed precondition: to
 * try again later would not mend it, and to pass over it could undo somebody's change.
 */
export const expectedBy = (
  header: string | undefined
): Result.Result<ReadonlyArray<string> | undefined, InvalidRequest> => {
  if (header === undefined || header.trim() === "*") return Result.succeed(undefined)
  if (!isList(header)) {
    return Result.fail(new InvalidRequest({ problems: [{ path: "if-match", rule }] }))
  }
  const strong = [...header.matchAll(tag)].filter(([, weak]) => weak === undefined)
  return Result.succeed(strong.map(([, , id = ""]) => id))
}
