/**
 * Checks the house rules that no other tool covers: module comments, names, odd words, long lines
 * and long functions. Prints a line for each finding, and exits with 1 if there is a finding.
 */
import { globSync, readFileSync } from "node:fs"
import { type ParseResult, parseSync, Visitor } from "oxc-parser"

/** A problem in one line, with advice on what to do instead. */
export interface Finding {
  readonly line: number
  readonly rule: string
  readonly advice: string
}

interface File extends Pick<ParseResult, "comments" | "module" | "program"> {
  readonly path: string
  readonly text: string
}

type Rule = (file: File) => ReadonlyArray<Finding>

const lineAt = (text: string, index: number) => text.slice(0, index).split("\n").length

/**
 * A file opens with a comment of at most five lines, because longer explanations belong in docs. A
 * generated diagram does not count.
 */
const opensWithComment: Rule = ({ text }) => {
  const comment = /^(?:#!.*\n)?\/\*\*([\s\S]*?)\*\//.exec(text)?.[1] ?? ""
  const count = comment.replace(/```[\s\S]*?```/g, "").match(/^.*[^\s*].*$/gm)?.length ?? 0
  const advice = "open with a /** comment */ of at most 5 lines on the file's purpose"
  return count > 0 && count <= 5 ? [] : [{ line: 1, rule: "opening", advice }]
}

const emptyWord = /^(?:util|helper|common|misc|manager|data|info|process|base|impl)s?$/i

/** Words banned from the names of exports, files and folders. */
const names: Rule = ({ module, path, text }) => {
  const exported = module.staticExports.flatMap(({ entries, start }) =>
    entries.map(({ exportName }) => ({ name: exportName.name ?? "", line: lineAt(text, start) }))
  )
  const inside = path.replace(/^packages\/[^/]+\/(?:src|page)\/|[.]tsx?$/g, "")
  return [{ name: inside, line: 1 }, ...exported].flatMap(({ line, name }) => {
    const words = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []
    const advice = `${name} contains an empty word: use a name that says what it is for`
    return words.some((word) => emptyWord.test(word)) ? [{ line, rule: "empty name", advice }] : []
  })
}

/** Words that `docs/glossary.md` advises against: at the start of a comment, or anywhere. */
const oddOpening = /^(?:What|Whoever|Who|Those|Of|Nobody|Somebody) /
const oddWord = /\b(?:whoever|anew|nobody|somebody|meanwhile|for good)\b/

const oddIn = (text: string): string | undefined =>
  (oddOpening.exec(text) ?? oddWord.exec(text))?.[0].trim()

const plain = (line: number, odd: string): Finding => {
  return { line, rule: "odd word", advice: `"${odd}": see "Words to avoid" in docs/glossary.md` }
}

/** Checks comments and test titles for odd words. */
const words: Rule = ({ comments, program, text }) => {
  const found: Array<Finding> = []
  const judge = (said: string, index: number) => {
    const odd = oddIn(said.replace(/^[\s*]+/, ""))
    if (odd !== undefined) found.push(plain(lineAt(text, index), odd))
  }
  for (const { start, value } of comments) judge(value, start)
  new Visitor({
    CallExpression: ({ arguments: [title], callee }) => {
      const isTest = /^(?:it|describe)\b/.test(text.slice(callee.start, callee.end))
      if (isTest && title?.type === "Literal") judge(String(title.value), title.start)
    }
  }).visit(program)
  return found
}

const foreignCommand = /\bnpx verbatim(?![-\w])/

/** Finds `npx verbatim` in a document. Outside a checkout, npx would run someone else's package. */
export const foreignCommandsIn = (document: string): ReadonlyArray<Finding> => {
  const advice = "write npx @verbatim/server, except in a section From a checkout"
  let isCheckout = false
  return document.split("\n").flatMap((line, index) => {
    if (/^#+ /.test(line)) isCheckout = /from a checkout$/i.test(line)
    const isForeign = !isCheckout && foreignCommand.test(line)
    return isForeign ? [{ line: index + 1, rule: "foreign command", advice }] : []
  })
}

/** Checks a document, except its code, for odd words. */
export const oddWordsIn = (document: string): ReadonlyArray<Finding> =>
  document.split("\n").flatMap((line, index) => {
    const odd = oddWord.exec(line.replace(/`[^`]*`/g, ""))?.[0]
    return odd === undefined ? [] : [plain(index + 1, odd)]
  })

/** Checks the line width, because the formatter does not wrap comments and strings. */
const width: Rule = ({ text }) =>
  text.split("\n").flatMap((each, index) => {
    const isAddress = /^\s*(?:\*|\/\/|\/\*).*https?:\/\//.test(each)
    const found = { line: index + 1, rule: "long line", advice: "at most 100 columns: break it" }
    return [...each].length > 100 && !isAddress ? [found] : []
  })

/**
 * Checks the length of functions. Each line counts only towards its innermost function, because a
 * layer can contain many short methods.
 */
const functions: Rule = ({ program, text }) => {
  const found: Array<Finding> = []
  /** For each open function, the number of lines in its inner functions, innermost last. */
  const inner = [0]
  const enter = () => void inner.push(0)
  const leave = ({ end, start }: { readonly end: number; readonly start: number }) => {
    const line = lineAt(text, start)
    const more = lineAt(text, end) - line
    const own = more + 1 - (inner.pop() ?? 0)
    const advice = `${own} lines without inner functions, at most 60: move a part out`
    if (own > 60) found.push({ line, rule: "long function", advice })
    inner.push((inner.pop() ?? 0) + more)
  }
  const kinds = ["ArrowFunctionExpression", "FunctionDeclaration", "FunctionExpression"]
  const visits = kinds.flatMap((kind) => [[kind, enter] as const, [`${kind}:exit`, leave] as const])
  new Visitor(Object.fromEntries(visits)).visit(program)
  return found
}

/** Finds a file's problems. Only shipped code needs a module comment and careful names. */
export const findingsIn = (path: string, text: string): ReadonlyArray<Finding> => {
  const { comments, module, program } = parseSync(path, text)
  const file = { comments, module, path, program, text }
  const isShipped = /^packages\/[^/]+\/(?:src|page)\//.test(path)
  return [width, functions, words, ...(isShipped ? [opensWithComment, names] : [])].flatMap(
    (rule) => rule(file)
  )
}

const folders = [
  "*.ts",
  "{scripts,examples,bench}/**/*.ts",
  "packages/*/{src,test}/**/*.ts",
  "packages/console/{page,bundle}/**/*.{ts,tsx}"
]

const documents = ["*.md", ".github/*.md", "docs/*.md", "packages/*/README.md"]

const root = new URL("../", import.meta.url)

const judgeAll = (): void => {
  const paths = globSync([...folders, ...documents], {
    cwd: root,
    exclude: ["**/node_modules/**", "**/dist/**", "**/generated/**", "docs/glossary.md"]
  })
    .map((path) => path.replaceAll("\\", "/"))
    .sort()

  const found = paths.flatMap((path) => {
    const text = readFileSync(new URL(path, root), "utf8")
    const findings = path.endsWith(".md")
      ? [...oddWordsIn(text), ...foreignCommandsIn(text)]
      : findingsIn(path, text)
    return findings.map((finding) => ({ path, ...finding }))
  })
  for (const { advice, line, path, rule } of found)
    console.error(`${path}:${line} ${rule}: ${advice}`)
  console.log(`house: ${paths.length} files, ${found.length} findings`)
  process.exitCode = found.length === 0 ? 0 : 1
}

if (import.meta.main) judgeAll()
