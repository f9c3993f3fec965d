/**
 * The folder of a build: the files of the project that `.dockerignore` lets through. Its last line
 * that matches a path decides, as for Docker.
 */
import { cpSync, readdirSync } from "node:fs"
import { join } from "node:path"

interface Rule {
  readonly pattern: string
  readonly isKept: boolean
}

/** Reads the lines of a file of that kind. */
export const readRules = (text: string): ReadonlyArray<Rule> =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => ({ pattern: line.replace(/^!/, ""), isKept: line.startsWith("!") }))

/** What the signs of a pattern stand for; any other character stands for itself. */
const signs: Readonly<Record<string, string>> = {
  "**/": "(?:.*/)?",
  "**": ".*",
  "*": "[^/]*",
  "?": "[^/]"
}

/** A folder that matches takes with it what is in it. Names with a dot at first are like others. */
const matches = (path: string, pattern: string): boolean => {
  const source = pattern.replace(
    /\*\*\/|\*\*|[*?]|[.+^${}()|[\]\\]/g,
    (sign) => signs[sign] ?? `\\${sign}`
  )
  return new RegExp(`^${source}(?:/.*)?$`).test(path)
}

/** Whether a file belongs to the build. */
export const isKept = (path: string, rules: ReadonlyArray<Rule>): boolean =>
  rules.findLast(({ pattern }) => matches(path, pattern))?.isKept ?? true

/** Folders that no rule could want, and that are large. */
const skipped: ReadonlySet<string> = new Set(["node_modules", ".git", "dist"])

const listFiles = (root: string, folder = ""): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (!entry.isDirectory()) return [path]
    return skipped.has(entry.name) ? [] : listFiles(root, path)
  })

/** Copies the files of a build into an empty folder, and tells how many there are. */
export const copyContext = (
  root: string,
  { rules, target }: { readonly rules: ReadonlyArray<Rule>; readonly target: string }
): number => {
  const files = listFiles(root).filter((path) => isKept(path, rules))
  for (const path of files) cpSync(join(root, path), join(target, path))
  return files.length
}
