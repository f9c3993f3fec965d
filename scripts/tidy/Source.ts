/** A file as the rules see it, and what a rule says about it. */
import { blank } from "./Blank.ts"

/** One file of the repository. */
export interface Source {
  /** From the root of the repository, with forward slashes. */
  readonly path: string
  readonly text: string
  /** The text with comments and literal contents blanked, every character in its place. */
  readonly code: string
}

/** What is wrong in one line, and what to do instead. */
export interface Finding {
  readonly path: string
  readonly line: number
  readonly rule: string
  readonly advice: string
}

/** A rule looks at one file at a time. */
export type Rule = (source: Source) => ReadonlyArray<Finding>

/** A file with its blanked code. */
export const source = (path: string, text: string): Source => ({ path, text, code: blank(text) })

/** The number of the line that holds the character at `index`, from 1. */
export const lineAt = (text: string, index: number): number => {
  let line = 1
  for (let at = text.indexOf("\n"); at !== -1 && at < index; at = text.indexOf("\n", at + 1)) line++
  return line
}

/** One finding for each match of a pattern in the code. */
export const findAll = (
  source: Source,
  options: { readonly pattern: RegExp; readonly rule: string; readonly advice: string }
): ReadonlyArray<Finding> =>
  Array.from(source.code.matchAll(new RegExp(options.pattern, "g")), (match) => ({
    path: source.path,
    line: lineAt(source.code, match.index),
    rule: options.rule,
    advice: options.advice
  }))

/** The shipped sources: everything below a package's `src`. */
export const isShipped = (source: Source): boolean => /^packages\/[^/]+\/src\//.test(source.path)
