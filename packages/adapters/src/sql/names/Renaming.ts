/**
 * Gives the tables and indexes in the text of a statement their names in a shared database
 * (docs/decisions/0027). A table is known by its place, so that a column, a text or an output of
 * its name stays what it is. Where the place does not tell, nothing is guessed: it is refused.
 */

import { type Word, wordsOf } from "./SqlWords.ts"
import { type TableNames, tableNames } from "./TableNames.ts"

/** What a name stands for. */
type Meaning = "Index" | "NewIndex" | "Qualifier" | "Table" | "Other"

/** Words that a table comes after. */
const beforeTables: ReadonlySet<string> = new Set([
  ...["exists", "from", "into", "join", "only", "references", "table", "update", "using"]
])

/** Functions that have a FROM of their own. */
const functions: ReadonlySet<string> = new Set(["extract", "overlay", "substring", "trim"])

/** What may stand between INDEX and the name of the index. */
const beforeIndexes: ReadonlySet<string> = new Set(["concurrently", "exists", "if", "not"])

/** What is made with names that are global, and that nothing here would rename. */
const refusedKinds: ReadonlySet<string> = new Set([
  ...["aggregate", "domain", "function", "procedure", "sequence", "trigger", "type", "view"]
])

const refuse = (problem: string, text: string): never => {
  throw new Error(`${problem}, so its tables cannot be renamed (Renaming.ts): ${text}`)
}

/** A walk through the words of one statement. */
class Reading {
  readonly words: ReadonlyArray<Word>
  readonly text: string
  readonly meanings: Array<Meaning> = []
  /** For each open parenthesis, whether it belongs to a function with a FROM of its own. */
  readonly open: Array<boolean> = []

  constructor(text: string) {
    this.text = text
    this.words = wordsOf(text)
  }

  /** A word that is no quoted name, and no sign. */
  at(place: number): string | undefined {
    const word = this.words[place]
    return word?.kind === "Name" ? word.text : undefined
  }

  isSign(place: number, sign: string): boolean {
    const word = this.words[place]
    return word?.kind === "Sign" && word.text === sign
  }

  get verb(): string | undefined {
    return this.at(0)
  }

  /** Whether a statement defines tables or indexes, so that INDEX and ON mean something. */
  get defines(): boolean {
    return ["alter", "create", "drop", "reindex"].includes(this.verb ?? "")
  }

  /** Whether the name of an index stands here. */
  isIndex(place: number): boolean {
    if (this.at(place - 1) === "by" && this.at(place - 2) === "indexed") return true
    if (!this.defines) return false
    let before = place - 1
    while (beforeIndexes.has(this.at(before) ?? "")) before -= 1
    return this.at(before) === "index" && this.at(place) !== "on" && !this.isOption(place)
  }

  /** Whether it is one of the words before the name. */
  isOption(place: number): boolean {
    return beforeIndexes.has(this.at(place) ?? "")
  }

  /** Whether a table is named here, and not only referred to. */
  isTable(place: number): boolean {
    const before = this.at(place - 1) ?? ""
    if (before === "from") return this.at(place - 2) !== "distinct" && this.open.at(-1) !== true
    if (beforeTables.has(before)) return true
    if (before === "on") return this.defines && this.words.some(({ text }) => text === "index")
    return this.isSign(place - 1, ",") && this.meanings[place - 2] === "Table"
  }

  meaningAt(place: number): Meaning {
    const word = this.words[place]
    if (word === undefined || word.kind === "Sign") return "Other"
    if (this.isIndex(place)) return this.verb === "create" ? "NewIndex" : "Index"
    if (this.at(place - 1) === "constraint") return "NewIndex"
    if (!tableNames.has(word.text)) return this.mustBeKnown(place)
    if (this.isSign(place - 1, ".") || this.at(place - 1) === "as") return "Other"
    if (this.isSign(place + 1, ".") || this.at(place - 1) === "of") return "Qualifier"
    if (this.isTable(place)) return "Table"
    return refuse(
      `Whether "${word.text}" is a table or a column, its place does not tell`,
      this.text
    )
  }

  /** A table that is made must be in `StoreTables`, or it would have no prefix. */
  mustBeKnown(place: number): Meaning {
    if (this.verb !== "create") return "Other"
    if (refusedKinds.has(this.at(1) ?? "")) refuse(`It makes a ${this.at(1)}`, this.text)
    const isMade = this.at(1) === "table" && !this.isSign(place - 1, "(")
    const isName = this.at(place - 1) === "table" || this.at(place - 1) === "exists"
    const isOption = place < 5 && ["if", "not", "exists"].includes(this.at(place) ?? "")
    return isMade && isName && !isOption
      ? refuse(`The table "${this.words[place]?.text}" is not in StoreTables`, this.text)
      : "Other"
  }

  run(): ReadonlyArray<Meaning> {
    for (const [place] of this.words.entries()) {
      if (this.isSign(place, "(")) this.open.push(functions.has(this.at(place - 1) ?? ""))
      if (this.isSign(place, ")")) this.open.pop()
      this.meanings.push(this.meaningAt(place))
    }
    return this.meanings
  }
}

/** The name of a table or an index there, as a text that needs no quotes. */
export const qualify = ({ prefix, schema }: TableNames, name: string): string =>
  schema === undefined ? `${prefix}${name}` : `"${schema}".${prefix}${name}`

const spell = (names: TableNames, meaning: Meaning, name: string): string =>
  // An index is made where its table is, and takes no schema.
  meaning === "Table" || meaning === "Index" ? qualify(names, name) : `${names.prefix}${name}`

/** The text of a statement with the names of a shared database. */
export const renameIn = (names: TableNames, text: string): string => {
  const reading = new Reading(text)
  const meanings = reading.run()
  let renamed = ""
  let done = 0
  for (const [place, word] of reading.words.entries()) {
    const meaning = meanings[place] ?? "Other"
    if (meaning === "Other") continue
    renamed += text.slice(done, word.start) + spell(names, meaning, word.text)
    done = word.end
  }
  return renamed + text.slice(done)
}
