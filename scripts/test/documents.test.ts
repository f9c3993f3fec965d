/** Tests the generated documents, the examples and commands in documents, and the test report. */
import { spawnSync } from "node:child_process"
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, posix } from "node:path"
import { fileURLToPath } from "node:url"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { document } from "@verbatim/http/description"
import { Cause, Console, Effect, Exit } from "effect"
import { Command, Completions } from "effect/cli"
import { assert, describe, it } from "vitest"
import { presenter } from "../../packages/server/src/command/Refusal.ts"
import { verbatim } from "../../packages/server/src/Program.ts"
import { parts } from "../../packages/server/src/settings/Variables.ts"
import { examplesIn, withDiagram, withExamples } from "../documents/Insertions.ts"
import { withTables } from "../documents/Tables.ts"
import { type Report, summarize } from "../report.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** The base URL for links to repository files from outside the repository. */
const address = "https://github.com/verbatim-sh/verbatim/blob/main/"

const edges = {
  Waiting: { Started: "Running" },
  Running: { Stopped: "Waiting", Done: "End" },
  End: {}
}

const comment = (...diagram: ReadonlyArray<string>): string =>
  ["/**", " * A machine.", " *", " * ```mermaid", ...diagram, " * ```", " */", "code", ""].join(
    "\n"
  )

describe("a diagram", () => {
  const drawn = comment(
    " * stateDiagram-v2",
    " *   [*] --> Waiting",
    " *   Waiting --> Running: Started",
    " *   Running --> Waiting: Stopped",
    " *   Running --> End: Done"
  )

  it("is drawn from a state machine's edges", () => {
    assert.strictEqual(withDiagram(comment(), edges), drawn)
    assert.strictEqual(withDiagram(comment(" * stateDiagram-v2", " *   old"), edges), drawn)
  })

  it("is unchanged if it is up to date", () => {
    assert.strictEqual(withDiagram(drawn, edges), drawn)
  })

  it("cannot be drawn if the module comment has no fence for it", () => {
    assert.throws(() => withDiagram("/** A machine. */\n", edges), "no ```mermaid fence")
  })
})

describe("a README", () => {
  const document = (program: string): string =>
    `# A\n\n<!-- example: a/main.ts -->\n\n\`\`\`ts\n${program}\`\`\`\n\nB\n`

  it("shows each program as in the program's file", () => {
    const current = withExamples(document("old $1\n"), () => "new $1\n")
    assert.strictEqual(current, document("new $1\n"))
    assert.deepStrictEqual(examplesIn(current), ["a/main.ts"])
  })

  it("stays unchanged if it contains no programs", () => {
    const plain = "# A\n\n```ts\nold\n```\n"
    assert.strictEqual(
      withExamples(plain, () => "new"),
      plain
    )
  })
})

describe("a test report", () => {
  const report: Report = {
    numPassedTests: 2,
    testResults: [
      { status: "passed", name: "Fine.test.ts", message: "", assertionResults: [] },
      { status: "failed", name: "B.test.ts", message: "no such module", assertionResults: [] },
      {
        ...{ status: "failed", name: "A.test.ts", message: "" },
        assertionResults: [
          { status: "passed", fullName: "a store opens", failureMessages: [] },
          {
            ...{ status: "failed", fullName: "a store keeps it" },
            failureMessages: [Array.from({ length: 99 }, (_, line) => `line ${line}`).join("\n")]
          }
        ]
      }
    ]
  }

  it("names failed tests and files with the start of their messages, and counts them", () => {
    const [module, test = "", ...rest] = summarize([{ report, status: 1 }])
    assert.strictEqual(module, "FAILED B.test.ts\nno such module")
    assert.match(test, /^FAILED A.test.ts > a store keeps it\nline 0\n/)
    assert.isBelow(test.length, 200)
    assert.deepStrictEqual(rest, ["2 passed, 2 failed"])
  })

  it("never reports success for a run that exited with an error, and adds up all runs", () => {
    const sound = { ...report, testResults: [] }
    assert.strictEqual(summarize([{ report: sound, status: 0 }]).at(-1), "2 passed, 0 failed")
    const runs = [{ report: sound, status: 1 }, { status: 2 }, { report, status: 1 }]
    assert.strictEqual(summarize(runs).at(-1), "4 passed, 4 failed")
  })
})

const page = (table: string) =>
  `Words.\n\n<!-- settings: A part -->\n${table}\n<!-- end of settings -->\n\nMore words.\n`

const head = "| variable | default | allowed | what it does |\n" + "| --- | --- | --- | --- |"

describe("the configuration page", () => {
  it("lists every variable in its part's table", () => {
    const range = { minimum: 1, maximum: 9 }
    const variables = [
      { name: "SIZE", unset: "2", does: "how large", range },
      { name: "PLACE", unset: { words: "here" }, does: "where", expected: "file:<folder>" },
      { name: "API_KEY", unset: "", does: "who" }
    ]
    const table = [
      head,
      "| `VERBATIM_SIZE` | `2` | a whole number from 1 to 9 | how large |",
      "| `VERBATIM_PLACE` | here | file:‹folder› | where |",
      "| `VERBATIM_API_KEY` | none | any text | who |"
    ].join("\n")
    const source = [{ heading: "A part", variables }]
    assert.strictEqual(withTables(page("old"), source), page(`\n${table}\n`))
    assert.strictEqual(withTables(page(`\n${table}\n`), source), page(`\n${table}\n`))
  })

  it("cannot be generated if a part has no markers, or markers have no part", () => {
    assert.throws(() => withTables("Words.\n", parts), "without markers")
    assert.throws(() => withTables(page(""), []), "without a part")
  })
})

/** Returns the project paths that a document links to. */
const linkedFrom = (path: string): ReadonlyArray<string> => {
  const text = readFileSync(join(root, path), "utf8").replace(/^```[\s\S]*?^```/gm, "")
  const targets = Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, target = ""]) => target)
  return targets.flatMap((target) => {
    const [place = ""] = target.split("#")
    if (place.startsWith(address)) return place.slice(address.length)
    return place === "" || /^[a-z]+:/.test(place) ? [] : posix.join(posix.dirname(path), place)
  })
}

describe("a link between documents", () => {
  const documents = ["*.md", "llms.txt", ".github/*.md", "docs/**/*.md", "packages/*/README.md"]

  it("always leads to a file in the project", () => {
    const paths = globSync(documents, { cwd: root }).map((path) => path.replaceAll("\\", "/"))
    const links = paths.flatMap((path) => linkedFrom(path).map((target) => ({ path, target })))
    assert.isAbove(links.length, 100)
    assert.deepStrictEqual(
      links.filter(({ target }) => !existsSync(join(root, target))),
      []
    )
  })
})

/** Declares the names that the examples take from the surrounding text. */
const context = `
type Verbatim = import("@verbatim/embed").Verbatim
declare const verbatim: Verbatim
declare const client: import("@verbatim/client").VerbatimClient
declare const connection: import("pg").Client
declare const id: string
declare const cursor: string
declare const url: string
declare const signal: AbortSignal
type ConsoleOptions = Parameters<typeof import("@verbatim/console").Console.layer>[0]
declare const authorize: ConsoleOptions["authorize"]
declare const presetFetch: typeof import("@verbatim/embed").presetFetch
declare const openai: typeof import("@verbatim/embed/engines").openai
declare const fromKysely: typeof import("@verbatim/embed/transactions").fromKysely
declare const fromDrizzle: typeof import("@verbatim/embed/transactions").fromDrizzle
declare const fromKnex: typeof import("@verbatim/embed/transactions").fromKnex
declare const fromPrisma: typeof import("@verbatim/embed/transactions").fromPrisma
declare const pocketsphinx: typeof import("@verbatim/embed/engines").pocketsphinx
declare const createClient: typeof import("@verbatim/client").createClient
declare const verify: typeof import("@verbatim/client/webhooks").verify
declare const createServer: typeof import("node:http").createServer
declare const OpenAI: typeof import("openai").default
declare const createOpenAI: typeof import("@ai-sdk/openai").createOpenAI
declare const fetchWithPresets: typeof fetch
declare const kysely: import("kysely").Kysely<object>
declare const drizzle: import("drizzle-orm/node-postgres").NodePgDatabase
declare const knex: import("knex").Knex
type PrismaTransaction = import("@verbatim/embed/transactions").PrismaTransaction
type UsePrisma = (transaction: PrismaTransaction) => Promise<unknown>
declare const prisma: { readonly $transaction: (use: UsePrisma) => Promise<unknown> }
type Use = (context: { readonly req: { readonly raw: Request } }) => unknown
declare const hono: { readonly all: (path: string, use: Use) => void }
declare const Layer: typeof import("effect").Layer
declare const Redacted: typeof import("effect").Redacted
declare const PgClient: typeof import("@effect/sql-pg").PgClient
declare const Sqlite: typeof import("@verbatim/adapters/sqlite").Sqlite
declare const Postgres: typeof import("@verbatim/adapters/postgres").Postgres
declare const Sql: typeof import("@verbatim/adapters/sql").Sql
declare const run: typeof import("@verbatim/testkit/simulation").run
declare const lines: typeof import("@verbatim/testkit/simulation").lines
declare const shrink: typeof import("@verbatim/testkit/simulation").shrink
declare const stores: NonNullable<NonNullable<Parameters<typeof run>[0]["policies"]>["stores"]>
declare const myStores: Parameters<typeof import("@verbatim/testkit/concurrency").serve>[0]
`

/** Reads the code in fences of TypeScript, except programs that are inserted from a file. */
const fencesIn = (path: string): ReadonlyArray<string> => {
  const text = readFileSync(join(root, path), "utf8").replaceAll(/^ *\* ?/gm, "")
  const fences = text.matchAll(/(<!-- example: .*\n\n)?^```ts\n([\s\S]*?)^```/gm)
  return Array.from(fences, ([, inserted, code = ""]) => (inserted === undefined ? code : ""))
}

describe("an example without a file", () => {
  it("compiles", async () => {
    const documents = [
      "docs/**/*.md",
      "packages/*/README.md",
      "packages/{client,embed}/src/**/*.ts"
    ]
    const paths = globSync(documents, { cwd: root }).map((path) => path.replaceAll("\\", "/"))
    const examples = paths.flatMap((path) =>
      fencesIn(path).flatMap((code, index) => (code === "" ? [] : { path, index, code }))
    )
    assert.isAbove(examples.length, 90)
    // TypeScript must find the packages above the folder.
    const folder = mkdtempSync(join(root, "node_modules/.examples-"))
    try {
      for (const { code, index, path } of examples)
        writeFileSync(join(folder, `${path.replaceAll("/", "-")}-${index}.ts`), code)
      writeFileSync(join(folder, "context.d.ts"), context)
      const compilerOptions = {
        ...{
          noEmit: true,
          customConditions: [],
          noUnusedLocals: false,
          noImplicitAny: false,
          moduleDetection: "auto"
        },
        lib: ["ES2024", "DOM", "DOM.Iterable", "DOM.AsyncIterable"]
      }
      const settings = { extends: join(root, "tsconfig.base.json"), compilerOptions }
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings))
      const tsc = join(root, "node_modules/.bin/tsc")
      const { stdout } = spawnSync(tsc, ["-p", folder], { encoding: "utf8" })
      assert.strictEqual(stdout, "")
    } finally {
      rmSync(folder, { recursive: true })
    }
  }, 120_000)
})

/** Splits a shell command into words. */
const wordsOf = (command: string): ReadonlyArray<string> =>
  Array.from(command.matchAll(/(?:[^\s'"]|'[^']*'|"(?:\\.|[^"])*")+/g), ([word]) =>
    word.replace(/<([^>]*)>/, "$1").replaceAll(/'([^']*)'|"((?:\\.|[^"])*)"/g, "$1$2")
  )

/** Reads the commands in fences of shell commands, each with the comment on its line. */
const commandsIn = (path: string) => {
  const text = readFileSync(join(root, path), "utf8").replaceAll("\\\n", " ")
  const fences = Array.from(text.matchAll(/^```(sh|console)\n([\s\S]*?)^```/gm))
  const lines = fences.flatMap(([, kind, code = ""]) =>
    code.split("\n").filter((line) => kind === "sh" || line.startsWith("$ "))
  )
  return lines.flatMap((line) => {
    const [commands = "", comment = ""] = line.replace(/^\$ /, "").split(/(?:^|\s+)# ?/)
    return commands
      .split(/ (?:&&|\|) | > .*| < .*/)
      .map((command) => ({ words: wordsOf(command), line: `${path}: ${line}`, comment }))
      .filter(({ words }) => words.length > 0)
  })
}

/** Parses arguments as the command line does, without running the command. */
const parseArguments = Command.runWith(
  Command.validate(verbatim, () => Effect.die("parsed")),
  { version: "" }
)

/** Returns what the command line says about its arguments, or an empty string if they are valid. */
const mistakeIn = async (words: ReadonlyArray<string>): Promise<string> => {
  const said: Array<unknown> = []
  const keep = (...message: ReadonlyArray<unknown>) => said.push(...message)
  const exit = await parseArguments(words).pipe(
    Effect.provide([NodeServices.layer, presenter]),
    Effect.provideService(Console.Console, { ...console, log: keep, error: keep }),
    Effect.runPromiseExit
  )
  const isParsed = Exit.isFailure(exit) && Cause.squash(exit.cause) === "parsed"
  return isParsed || words.includes("--help") ? "" : said.join("\n")
}

type Descriptor = ReturnType<typeof Completions.fromCommand>

/** Finds the flags in a comment, such as `also: --limit`, that the command does not have. */
const unknownFlags = (words: ReadonlyArray<string>, comment: string): ReadonlyArray<string> => {
  const command = words.reduce<Descriptor>(
    (found, word) => found.subcommands.find(({ name }) => name === word) ?? found,
    Completions.fromCommand(verbatim)
  )
  return Array.from(comment.matchAll(/(?<=\s|^)--([a-z-]+)/g), ([, name = ""]) => name).filter(
    (flag) => !command.flags.some(({ name }) => name === flag)
  )
}

const methods = { GET: "get", POST: "post", PUT: "put", PATCH: "patch", DELETE: "delete" } as const

const paths = Object.entries(document().paths)

/** Finds an operation of the API description. */
const findOperation = (method: string, path: string) =>
  paths
    .filter(([each]) => new RegExp(`^/v1${each.replaceAll(/\{[^}]*\}/g, "[^/]+")}$`).test(path))
    .flatMap(([, found]) => found[methods[method as keyof typeof methods]] ?? [])[0]

/** Says what is wrong with a call of the API, or returns an empty string. */
const mistakeInCall = (words: ReadonlyArray<string>): string => {
  const valuesOf = (flag: string) => words.filter((_, index) => words[index - 1] === flag)
  const address = words.find((word) => /^(?:https?:|\$VERBATIM_URL|localhost)/.test(word)) ?? ""
  const [place = "", query] = address.replace(/^[a-z]+:\/\//, "").split("?")
  const path = place.slice(place.indexOf("/"))
  const isRead = words.includes("-G") || !words.some((word) => word === "-d" || word === "-F")
  const [method = isRead ? "GET" : "POST"] = valuesOf("-X")
  const found = findOperation(method, path)
  if (path === "/mcp") return ""
  if (found === undefined) return `There is no ${method} ${path}`
  const queries = [query ?? "", ...valuesOf("--data-urlencode")].join("&")
  const unknown = [...new URLSearchParams(queries).keys()].filter(
    (name) => !found.parameters?.some((parameter) => parameter.name === name)
  )
  return unknown.length === 0 ? "" : `${method} ${path} has no ${unknown.join()}`
}

const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

const callers = new Set(["npx @verbatim/server", "npx verbatim"])

/** Says what is wrong with a command, or returns an empty string. */
const mistakeOf = async ({ comment, words }: ReturnType<typeof commandsIn>[number]) => {
  const [program = "", verb = "", name = ""] = words
  if (program === "curl") return mistakeInCall(words)
  if (program === "npm" && verb === "run") return name in scripts ? "" : `no script ${name}`
  const isCalled = callers.has(`${program} ${verb}`)
  if (program !== "verbatim" && !isCalled) return ""
  const given = words.slice(isCalled ? 2 : 1)
  const unknown = unknownFlags(given, comment)
  return unknown.length > 0 ? `no ${unknown.join()}` : mistakeIn(given)
}

describe("a command in a document", () => {
  it("has flags that exist, and calls an operation that exists", async () => {
    const documents = globSync(["*.md", "docs/**/*.md", "packages/*/README.md"], { cwd: root })
    const commands = documents.flatMap(commandsIn)
    assert.isAbove(commands.length, 130)
    const mistakes: Array<string> = []
    for (const command of commands) {
      const mistake = await mistakeOf(command)
      if (mistake !== "") mistakes.push(`${command.line}\n  ${mistake}`)
    }
    assert.deepStrictEqual(mistakes, [])
  })
})
