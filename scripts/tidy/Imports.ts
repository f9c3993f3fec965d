/** The imports and re-exports of a file, read from its blanked code. */
import { posix } from "node:path"
import { lineAt, type Source } from "./Source.ts"

/** One import, re-export, or dynamic import with a literal name. */
export interface Import {
  readonly line: number
  /** As written, for example `effect/Schema` or `../ports/JobStore.ts`. */
  readonly specifier: string
  /** The path of the file it names, when it is relative. */
  readonly target: string | undefined
  /** The names it takes as values, `*` for the whole module; none when it takes types alone. */
  readonly names: ReadonlyArray<string>
}

/** In each of them: the word `type`, the clause, the quote, the blanked specifier. */
const clauses = [
  /^(?:import|export)\s+(type\s+)?([\w$*,{}\s]*?)\s*from\s*(["'])( *)\3/gm,
  /^import\s*()()(["'])( *)\3/gm,
  /\bimport\s*\(\s*()()(["'`])( *)\3/g
]

const namesOf = (clause: string): ReadonlyArray<string> => {
  const [, outside = "", inside = ""] = /^([^{]*)(?:\{([^}]*)\})?/.exec(clause) ?? []
  const named = inside
    .split(",")
    .map((part) => part.trim().split(/\s+as\s+/)[0] ?? "")
    .filter((name) => name !== "" && !name.startsWith("type "))
  const whole = outside.includes("*") || clause === "" ? ["*"] : []
  const byDefault = /^[\w$]/.test(outside) ? ["default"] : []
  return [...byDefault, ...whole, ...named]
}

/** Every import of the file. */
export const imports = (source: Source): ReadonlyArray<Import> =>
  clauses.flatMap((pattern) =>
    Array.from(source.code.matchAll(pattern), (match): Import => {
      const [whole, type = "", clause = "", , blanks = ""] = match
      const end = match.index + whole.length - 1
      const specifier = source.text.slice(end - blanks.length, end)
      const isRelative = specifier.startsWith(".")
      return {
        line: lineAt(source.code, end),
        specifier,
        target: isRelative ? posix.join(posix.dirname(source.path), specifier) : undefined,
        names: type === "" ? namesOf(clause) : []
      }
    })
  )
