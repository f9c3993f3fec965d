/** The rules that no other tool has: opening comments, empty names, long lines, long functions. */
import { type ParseResult, parseSync, Visitor } from "oxc-parser"

/** What is wrong in one line, and what to do instead. */
export interface Finding {
  readonly line: number
  readonly rule: string
  readonly advice: string
}

interface File extends Pick<ParseResult, "module" | "program"> {
  readonly path: string
  readonly text: string
}

type Rule = (file: File) => ReadonlyArray<Finding>

const lineAt = (text: string, index: number) => text.slice(0, index).split("\n").length

/** Five lines hold an idea; anything longer belongs in docs. A generated diagram is not prose. */
const opensWithComment: Rule = ({ text }) => {
  const comment = /^(?:#!.*\n)?\/\*\*([\s\S]*?)\*\//.exec(text)?.[1] ?? ""
  const count = comment.replace(/```[\s\S]*?```/g, "").match(/^.*[^\s*].*$/gm)?.length ?? 0
  const advice = "open with /** the idea that lives here, in at most 5 lines */"
  return count > 0 && count <= 5 ? [] : [{ line: 1, rule: "opening", advice }]
}

const emptyWord = /^(?:util|helper|common|misc|manager|data|info|process|base|impl)s?$/i

/** In the names of exports, files and folders. */
const names: Rule = ({ module, path, text }) => {
  const exported = module.staticExports.flatMap(({ entries, start }) =>
    entries.map(({ exportName }) => ({ name: exportName.name ?? "", line: lineAt(text, start) }))
  )
  const inside = path.replace(/^packages\/[^/]+\/(?:src|page)\/|[.]tsx?$/g, "")
  return [{ name: inside, line: 1 }, ...exported].flatMap(({ line, name }) => {
    const words = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []
    const advice = `${name} has a word that says nothing: name what it is for`
    return words.some((word) => emptyWord.test(word)) ? [{ line, rule: "empty name", advice }] : []
  })
}

/** The formatter breaks code, not comments and texts. An address cannot be broken. */
const width: Rule = ({ text }) =>
  text.split("\n").flatMap((each, index) => {
    const isAddress = /^\s*(?:\*|\/\/|\/\*).*https?:\/\//.test(each)
    const found = { line: index + 1, rule: "long line", advice: "at most 100 columns: break it" }
    return [...each].length > 100 && !isAddress ? [found] : []
  })

/** A layer may hold many short methods: a line counts for the innermost function alone. */
const functions: Rule = ({ program, text }) => {
  const found: Array<Finding> = []
  /** The lines of the functions inside each open one, the innermost last. */
  const inner = [0]
  const enter = () => void inner.push(0)
  const leave = ({ end, start }: { readonly end: number; readonly start: number }) => {
    const line = lineAt(text, start)
    const more = lineAt(text, end) - line
    const own = more + 1 - (inner.pop() ?? 0)
    const advice = `${own} lines of its own, at most 60: name a part of it`
    if (own > 60) found.push({ line, rule: "long function", advice })
    inner.push((inner.pop() ?? 0) + more)
  }
  const kinds = ["ArrowFunctionExpression", "FunctionDeclaration", "FunctionExpression"]
  const visits = kinds.flatMap((kind) => [[kind, enter] as const, [`${kind}:exit`, leave] as const])
  new Visitor(Object.fromEntries(visits)).visit(program)
  return found
}

/** What is to be done in a file; only what is shipped needs an opening and careful names. */
export const findingsIn = (path: string, text: string): ReadonlyArray<Finding> => {
  const { module, program } = parseSync(path, text)
  const file = { module, path, program, text }
  const isShipped = /^packages\/[^/]+\/(?:src|page)\//.test(path)
  return [width, functions, ...(isShipped ? [opensWithComment, names] : [])].flatMap((rule) =>
    rule(file)
  )
}
