/** What every file has, a comment that opens it, and what none has: default exports and `any`. */
import { type Finding, findAll, isShipped, lineAt, type Rule } from "./Source.ts"

/** Five lines say an idea; what needs more belongs to docs. */
export const moduleCommentMax = 5

const opening = /^(?:#![^\n]*\n)?\/\*\*([\s\S]*?)\*\//

/** The comment's own lines: no blank ones, and no generated diagram. */
const proseOf = (comment: string): ReadonlyArray<string> =>
  comment
    .replace(/```[\s\S]*?```/g, "")
    .split("\n")
    .filter((line) => /[^\s*]/.test(line))

const moduleComment: Rule = (source) => {
  if (!isShipped(source)) return []
  const found = opening.exec(source.text)
  const say = (advice: string): ReadonlyArray<Finding> => [
    { path: source.path, line: 1, rule: "module comment", advice }
  ]
  if (found === null) return say("begin the file with /** the idea that lives here */")
  const count = proseOf(found[1] ?? "").length
  return count > moduleCommentMax
    ? say(`${count} lines, at most ${moduleCommentMax}: keep the idea, move the rest to docs`)
    : []
}

const noDefaultExport: Rule = (source) =>
  source.path === "vitest.config.ts"
    ? []
    : findAll(source, {
        pattern: /\bexport\s+default\b|\bas\s+default\b/,
        rule: "default export",
        advice: "export it by its name"
      })

/** In the place of a type: after a colon, an angle, a union, `as` and the like. */
const anyType =
  /(?:[:<|&,[(]|=>|\bas|\bextends|\bkeyof|\breadonly|type\s[^=\n]*=)\s*(any)\b(?!\s*[:?.(])/g

const noAny: Rule = (source) =>
  Array.from(source.code.matchAll(anyType), (match) => ({
    path: source.path,
    line: lineAt(source.code, match.index + match[0].length),
    rule: "any",
    advice: "use unknown and decode it, or a type parameter"
  }))

/** The rules of shape. */
export const shape: ReadonlyArray<Rule> = [moduleComment, noDefaultExport, noAny]
