/** Explains to operators why a file or folder cannot be used, based on Node's error codes. */
import { Predicate } from "effect"

const forbidden = "this user is not allowed to use it"

const reasons: Readonly<Record<string, string>> = {
  EACCES: forbidden,
  EPERM: forbidden,
  EROFS: "the file system is read-only",
  ENOENT: "its folder is missing and cannot be created",
  EEXIST: "its folder is a file",
  ENOTDIR: "a part of its path is a file, not a folder",
  EISDIR: "it is a folder, not a file",
  ELOOP: "its symbolic links form a loop",
  ENAMETOOLONG: "its name is too long",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota of this user is used up",
  EMFILE: "this process has too many files open",
  EIO: "the disk reports an error"
}

/** Returns the `code` of a Node error, or an empty string. */
export const codeOf = (error: unknown): string =>
  Predicate.hasProperty(error, "code") && Predicate.isString(error.code) ? error.code : ""

/**
 * Maximum number of errors in a chain of causes, usually two or three. The limit prevents an
 * endless loop if causes form a cycle.
 */
const causesMax = 8

/** Lists an error and its causes, outermost first. */
export const causesOf = (error: unknown): ReadonlyArray<unknown> => {
  const found: Array<unknown> = []
  for (let each = error; each !== undefined && found.length < causesMax; ) {
    found.push(each)
    each = Predicate.hasProperty(each, "cause") ? each.cause : undefined
  }
  return found
}

/** Returns the reason with its code, if the file system gave one. */
export const fileReasonOf = (error: unknown): string | undefined => {
  for (const each of causesOf(error)) {
    const reason = reasons[codeOf(each)]
    if (reason !== undefined) return `${reason} (${codeOf(each)})`
  }
  return undefined
}
