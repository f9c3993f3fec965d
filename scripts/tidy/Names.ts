/** Words that say nothing: a name that needs one of them hides what the thing is. */
import { basename, dirname } from "node:path/posix"
import { type Finding, isShipped, lineAt, type Rule } from "./Source.ts"

/** Banned as whole words of a name, in the singular and in the plural. */
export const emptyWords: ReadonlySet<string> = new Set(
  "util helper common misc manager data info process base impl".split(" ")
)

const rule = "name"

const wordsOf = (name: string): ReadonlyArray<string> =>
  name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .split(/[^A-Za-z\d]+/)
    .map((word) => word.toLowerCase())

/** The first banned word of a name, if it has one. */
export const emptyWord = (name: string): string | undefined =>
  wordsOf(name).find((word) => emptyWords.has(word) || emptyWords.has(word.replace(/s$/, "")))

const declared =
  /\bexport\s+(?:abstract\s+)?(?:const|let|function\*?|class|interface|type)\s+([\w$]+)/g

const renamed = /\bexport\s+(?:type\s+)?\{([^}]*)\}/g

const exportedNames = (code: string): ReadonlyArray<readonly [name: string, index: number]> => [
  ...Array.from(code.matchAll(declared), (match) => [match[1] ?? "", match.index] as const),
  ...Array.from(code.matchAll(renamed)).flatMap((match) =>
    (match[1] ?? "").split(",").map((part) => {
      const name = part.trim().split(/\s+/).at(-1) ?? ""
      return [name, match.index] as const
    })
  )
]

/** The rule, for exported names and for the names of shipped files and their folders. */
export const names: Rule = (source) => {
  if (!isShipped(source)) return []
  const inside = source.path.replace(/^packages\/[^/]+\/src\//, "")
  const path = `${dirname(inside)}/${basename(inside, ".ts")}`
  const subjects = [[path, 0] as const, ...exportedNames(source.code)]
  return subjects.flatMap(([name, index]): ReadonlyArray<Finding> => {
    const word = emptyWord(name)
    if (word === undefined) return []
    const advice = `"${word}" in ${name} says nothing: name what it is for`
    return [{ path: source.path, line: lineAt(source.code, index), rule, advice }]
  })
}
