/** How long a file, a function and a line may be, and who may be longer, with the reason. */
import { functions } from "./Functions.ts"
import type { Finding, Rule, Source } from "./Source.ts"

/** One screen and a half of a reader's scrolling: beyond it a file holds two ideas. */
export const fileLineMax = 300

/** One screen: beyond it a function has parts that deserve names. */
export const functionLineMax = 60

/** What two files side by side show without wrapping; the formatter's width as well. */
export const columnMax = 100

interface Exception {
  readonly path: RegExp
  readonly rule: "file size" | "function size" | "line width"
  readonly reason: string
}

/** Who may be longer. Each entry needs a reason that would convince a stranger. */
export const exceptions: ReadonlyArray<Exception> = [
  {
    path: /\/migrations\//,
    rule: "file size",
    reason: "a migration is history: it is written once and never refactored"
  }
]

const isExcepted = (source: Source, rule: Exception["rule"]): boolean =>
  exceptions.some((each) => each.rule === rule && each.path.test(source.path))

const linesOf = (text: string): ReadonlyArray<string> => text.replace(/\n$/, "").split("\n")

const fileSize: Rule = (source) => {
  const count = linesOf(source.text).length
  if (count <= fileLineMax || isExcepted(source, "file size")) return []
  const advice = `${count} lines, at most ${fileLineMax}: give the second idea in it a file`
  return [{ path: source.path, line: fileLineMax + 1, rule: "file size", advice }]
}

const functionSize: Rule = (source) =>
  isExcepted(source, "function size")
    ? []
    : functions(source.code)
        .filter(({ own }) => own > functionLineMax)
        .map(({ own, start }): Finding => {
          const advice = `${own} lines of its own, at most ${functionLineMax}: name a part of it`
          return { path: source.path, line: start, rule: "function size", advice }
        })

/** An address in a comment cannot be broken, so its line may be longer. */
const isAddress = (line: string): boolean => /^\s*(?:\*|\/\/|\/\*).*https?:\/\//.test(line)

const lineWidth: Rule = (source) =>
  isExcepted(source, "line width")
    ? []
    : linesOf(source.text).flatMap((line, index): ReadonlyArray<Finding> => {
        const width = [...line].length
        if (width <= columnMax || isAddress(line)) return []
        const advice = `${width} columns, at most ${columnMax}: break it`
        return [{ path: source.path, line: index + 1, rule: "line width", advice }]
      })

/** The rules of size. */
export const sizes: ReadonlyArray<Rule> = [fileSize, functionSize, lineWidth]
