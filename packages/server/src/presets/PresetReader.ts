/**
 * Reads a preset from YAML 1.2, or from JSON, which is also YAML. Numbers keep all their digits,
 * and anything that YAML parsers interpret differently is refused. Every problem names a line. The
 * YAML parser is loaded with this file.
 */
import { decodeFile, type PresetFile } from "@verbatim/core/preset"
import { ExactNumber, formatPath, type Problem } from "@verbatim/core/schema"
import { Option, Result, type Schema } from "effect"
import {
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  Scalar,
  type YAMLError
} from "yaml"
import { type FileFormat, FileProblem, fileLengthMax } from "./FileProblem.ts"

/** Maximum number of values in a preset file, as in a request. */
const valuesMax = 100_000

/** Maximum nesting depth in a preset file, as in a request. */
const depthMax = 64

/** A problem with its line. The line is null if the problem concerns the whole text. */
type TextProblem = Pick<FileProblem, "line" | "sentence">

/** Parsed text, with the line of each path. */
interface ReadText {
  readonly document: Schema.Json
  readonly lineOf: (path: string) => number
}

type Path = ReadonlyArray<string | number>

/** The exception for a part of the text that is refused. */
class Unreadable extends Error {
  readonly offset: number
  constructor(offset: number, sentence: string) {
    super(sentence)
    this.offset = offset
  }
}

interface Reading {
  readonly lines: Map<string, number>
  readonly lineAt: (offset: number) => number
  values: number
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/

/** Matches words that some YAML parsers read as booleans and others as strings. */
const ambiguous = /^(?:yes|no|on|off)$/i

const literals: ReadonlyMap<string, Schema.Json> = new Map([
  ["null", null],
  ["true", true],
  ["false", false]
])

/** Reads a number with all its digits. The parser keeps the digits only inside a document. */
const readNumber = (source: string): Schema.Json => {
  const [number = null] = Option.getOrElse(
    ExactNumber.parse(`[${source}]`),
    () => []
  ) as Array<Schema.Json>
  return number
}

const readPlain = ({ source = "", value }: Scalar, offset: number): Schema.Json => {
  if (source === "") throw new Unreadable(offset, "the value is missing: write null")
  if (jsonNumber.test(source)) return readNumber(source)
  const literal = literals.get(source)
  if (literal !== undefined) return literal
  if (typeof value !== "string") {
    throw new Unreadable(offset, "write numbers, true, false and null as JSON does, or use quotes")
  }
  if (!ambiguous.test(source)) return value
  throw new Unreadable(offset, `${source} is ambiguous in YAML: use quotes`)
}

const offsetOf = (node: unknown): number => {
  const range = (node as { readonly range?: readonly [number] | null } | null)?.range
  return range?.[0] ?? 0
}

const readScalar = (node: Scalar): Schema.Json =>
  node.type === Scalar.PLAIN ? readPlain(node, offsetOf(node)) : String(node.value)

const readName = (node: unknown): string => {
  refuseReferences(node)
  if (isScalar(node)) {
    const name = readScalar(node)
    if (typeof name === "string") return name
  }
  throw new Unreadable(offsetOf(node), "a name must be text: use quotes")
}

/**
 * Refuses aliases, because they could expand to gigabytes, and tags, because parsers interpret them
 * differently.
 */
const refuseReferences = (node: unknown): void => {
  const offset = offsetOf(node)
  if (isAlias(node)) throw new Unreadable(offset, "aliases are not accepted")
  if (!isNode(node)) return
  if ("anchor" in node && node.anchor) throw new Unreadable(offset, "anchors are not accepted")
  if (node.tag !== undefined) throw new Unreadable(offset, "tags are not accepted")
}

const readNode = (node: unknown, path: Path, reading: Reading): Schema.Json => {
  const offset = offsetOf(node)
  reading.values += 1
  if (reading.values > valuesMax) throw new Unreadable(offset, `at most ${valuesMax} values`)
  if (path.length > depthMax) throw new Unreadable(offset, `at most ${depthMax} levels of nesting`)
  refuseReferences(node)
  if (isScalar(node)) return readScalar(node)
  if (isSeq(node)) return node.items.map((item, index) => readAt(item, [...path, index], reading))
  if (!isMap(node)) throw new Unreadable(offset, "the value is missing: write null")
  const names = new Set<string>()
  const members = node.items.filter(isPair).map(({ key, value }) => {
    const name = readName(key)
    if (names.has(name))
      throw new Unreadable(offsetOf(key), `${JSON.stringify(name)} appears twice`)
    names.add(name)
    reading.lines.set(formatPath([...path, name]), reading.lineAt(offsetOf(key)))
    if (value === null) throw new Unreadable(offsetOf(key), "the value is missing: write null")
    return [name, readNode(value, [...path, name], reading)] as const
  })
  // A key can be `__proto__`. Only `fromEntries` defines it like any other property.
  return Object.fromEntries(members)
}

const readAt = (node: unknown, path: Path, reading: Reading): Schema.Json => {
  reading.lines.set(formatPath(path), reading.lineAt(offsetOf(node)))
  return readNode(node, path, reading)
}

/** Returns a function that finds the line of a path, or of its nearest parent. */
const makeLineOf =
  (lines: ReadonlyMap<string, number>) =>
  (path: string): number => {
    let place = path
    while (place !== "" && !lines.has(place)) place = place.replace(/(?:^|\.|\[)[^.[]*$/, "")
    return lines.get(place) ?? 1
  }

/**
 * Explains a parser error to the author of a file. The library's own messages suggest a function
 * call for a second document, and mention the stack for deep nesting.
 */
const sentenceOf = ({ code, message }: YAMLError): string => {
  if (code === "MULTIPLE_DOCS") return "a second document begins here; a file holds one preset"
  if (code === "TAG_RESOLVE_FAILED") return "tags are not accepted"
  return message.includes("call stack") ? "too much nesting" : message
}

const parse = (text: string, counter: LineCounter): ReadText => {
  const document = parseDocument(text, {
    lineCounter: counter,
    // Only at this level does the parser report a second document.
    logLevel: "error",
    merge: false,
    prettyErrors: false,
    schema: "core",
    // The library would compare all pairs of keys, while `readNode` checks each key only once.
    uniqueKeys: false,
    version: "1.2"
  })
  const [problem] = [...document.errors, ...document.warnings]
  if (problem !== undefined) throw new Unreadable(problem.pos[0], sentenceOf(problem))
  const { directives } = document
  if (directives?.yaml.explicit === true || Object.keys(directives?.tags ?? {}).length > 1) {
    throw new Unreadable(0, "directives are not accepted")
  }
  const lineAt = (offset: number) => counter.linePos(offset).line
  const reading: Reading = { lines: new Map(), lineAt, values: 0 }
  const read = readNode(document.contents, [], reading)
  return { document: read, lineOf: makeLineOf(reading.lines) }
}

const lineIn = (text: string, offset: number): number => text.slice(0, offset).split("\n").length

/** Parses text. A stack overflow in the parser is reported as excessive nesting. */
export const readYaml = (text: string): Result.Result<ReadText, TextProblem> => {
  if (text.length > fileLengthMax) {
    const sentence = `longer than ${fileLengthMax / 1_048_576} MiB`
    return Result.fail({ line: null, sentence })
  }
  return Result.try({
    try: () => {
      return parse(text, new LineCounter())
    },
    catch: (cause): TextProblem => {
      if (cause instanceof Unreadable) {
        return { line: lineIn(text, cause.offset), sentence: cause.message }
      }
      if (cause instanceof RangeError) return { line: null, sentence: "too much nesting" }
      throw cause
    }
  })
}

const describeProblems = (problems: ReadonlyArray<Problem>): string =>
  problems.map(({ path, rule }) => (path === "" ? rule : `${path}: ${rule}`)).join("; ")

/** A preset file's text, name and format. */
interface GivenText {
  readonly file: string
  readonly text: string
  readonly format: FileFormat
}

/** Reads a preset. If the file has mistakes, the problem names the line of the first one. */
export const readPreset = ({
  file,
  format,
  text
}: GivenText): Result.Result<PresetFile, FileProblem> => {
  const body = text.startsWith("\ufeff") ? text.slice(1) : text
  const fail = (problem: TextProblem) => Result.fail(new FileProblem({ file, ...problem }))
  const read = readYaml(body)
  if (Result.isFailure(read)) return fail(read.failure)
  if (format === "json" && Option.isNone(ExactNumber.parse(body))) {
    return fail({ line: null, sentence: "it is not JSON" })
  }
  const { document, lineOf } = read.success
  return Result.mapError(decodeFile(document), ({ problems }) => {
    const [{ path }] = problems
    return new FileProblem({ file, line: lineOf(path), sentence: describeProblems(problems) })
  })
}
