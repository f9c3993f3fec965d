/**
 * Whether options can be meant: those of `open` and of the engines. Types say the same, but not to
 * JavaScript and not about a spread object; here each mistake gets one sentence.
 */
import { nearest } from "@verbatim/core/schema"
import { InvalidOptions } from "../Errors.ts"
import type { HostSqlClient, Options } from "../Options.ts"

/** What is wrong with the value of an option; undefined when nothing is. */
export type Rule = (value: unknown) => string | undefined

/** A rule in the words of its sentence. */
export const must =
  (sentence: string, holds: (value: unknown) => boolean): Rule =>
  (value) =>
    holds(value) ? undefined : `must be ${sentence}`

/** Whether something has fields. */
export const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null

const aFunction = must("a function", (value) => typeof value === "function")

const isPositive = (value: unknown): boolean => Number.isInteger(value) && Number(value) > 0

/** A count. */
export const positive = must("a whole number above 0", isPositive)

/** Ten million are nineteen years of speech: more is a typo, and a ledger holds no more. */
const minutesMax = 10_000_000

const minutes = must(
  `a whole number from 1 to ${minutesMax}`,
  (value) => isPositive(value) && Number(value) <= minutesMax
)

/** An object of nothing but these, each under its own rule, and of the needed ones. */
export const only =
  (rules: Readonly<Record<string, Rule>>, needed: ReadonlyArray<string> = []): Rule =>
  (value) => {
    if (!isObject(value)) return "must be an object"
    const missing = needed.find((name) => Reflect.get(value, name) === undefined)
    const problem = problemsOf(value, rules)[0]
    return problem ?? (missing === undefined ? undefined : `"${missing}" is missing`)
  }

const each =
  (sentence: string, holds: (value: unknown) => boolean): Rule =>
  (value) =>
    Array.isArray(value) && value.every(holds) ? undefined : `must be a list of ${sentence}`

const isText = (value: unknown): boolean => typeof value === "string" && value !== ""

/** A text that is not empty. */
export const text = must("a text", isText)

const isDatabase = (value: unknown): boolean =>
  typeof value === "string" &&
  (/^(?:memory:|sqlite:.+)$/.test(value) ||
    (/^postgres(?:ql)?:\/\//.test(value) && URL.canParse(value)))

const isPool = (value: unknown): boolean =>
  isObject(value) && typeof Reflect.get(value, "connect") === "function"

/** What Effect marks its clients with. */
const clientMark = "~effect/sql/SqlClient"

const clientMethods = ["onDialectOrElse", "reserve", "unsafe", "withTransaction", "afterCommit"]

/** Whether something is a `SqlClient`. One of an older Effect lacks what is used here. */
export const isSqlClient = (value: unknown): value is HostSqlClient =>
  typeof value === "function" &&
  Reflect.get(value, clientMark) === clientMark &&
  clientMethods.every((name) => Reflect.get(value, name) !== undefined)

/** What people call files of SQLite. */
const sqliteFile = /^(?!\w+:).+\.(?:db|sqlite3?)$/i

const database: Rule = (value) => {
  if (isDatabase(value) || isSqlClient(value)) return undefined
  const isMarked = isObject(value) || typeof value === "function"
  if (isMarked && Reflect.get(value, clientMark) !== undefined) {
    return "looks like an Effect SqlClient, but of another version than the one installed here"
  }
  if (isPool(value)) return undefined
  const forms = `"sqlite:<file>", "postgres://…", "memory:", a pool with connect() or a SqlClient`
  const isFile = typeof value === "string" && sqliteFile.test(value)
  return `must be ${forms}${isFile ? `: did you mean "sqlite:${value}"?` : ""}`
}

const bucket = only(
  {
    bucket: text,
    region: text,
    prefix: text,
    endpoint: text,
    credentials: only({ accessKeyId: text, secretAccessKey: text }, [
      "accessKeyId",
      "secretAccessKey"
    ])
  },
  ["bucket", "region"]
)

/** A scheme and what follows it; one letter is a drive of Windows. */
const otherUrl = /^(?!file:)[a-z][\w+.-]+:\/\//i

const media: Rule = (value) => {
  if (typeof value !== "string") return bucket(value)
  if (value === "") return "must be a folder, or a bucket as { bucket, region }"
  return otherUrl.test(value)
    ? "must be a folder; a bucket is given as an object: { bucket, region, prefix, endpoint }"
    : undefined
}

/** Nobody asks for a folder that is a way to another one: clients resolve it first. */
const isPrefix = (value: unknown): boolean =>
  typeof value === "string" &&
  /^(?:\/[\w.~-]+)+\/?$/.test(value) &&
  value.split("/").every((part) => part !== "." && part !== "..")

const days = only({ media: positive, transcript: positive, job: positive })

const counts = only({
  transcribe: positive,
  summarize: positive,
  download: positive,
  webhook: positive
})

const roles = new Set<unknown>(["http", "worker"])
const decoders = new Set<unknown>(["auto", "system", "wasm"])

const rules: Readonly<Record<string, Rule>> = {
  database,
  schema: text,
  media,
  roles: each(`"http" and "worker"`, (role) => roles.has(role)),
  transcribe: must(
    "a function, or an engine of this package",
    (value) => typeof value === "function" || isObject(value)
  ),
  summarize: aFunction,
  authenticate: aFunction,
  console: (value) => {
    if (typeof value === "boolean") return undefined
    return isObject(value)
      ? only({ authorize: aFunction }, ["authorize"])(value)
      : "must be true, false, or an object with authorize"
  },
  onFinished: aFunction,
  prefix: must(`a path such as "/api/verbatim", without "." or ".." segments`, isPrefix),
  logger: must(
    "false, or an object with debug, info, warn and error",
    (value) =>
      value === false ||
      (isObject(value) &&
        ["debug", "info", "warn", "error"].every(
          (name) => typeof Reflect.get(value, name) === "function"
        ))
  ),
  decoder: must(`"auto", "system" or "wasm"`, (value) => decoders.has(value)),
  concurrency: counts,
  openingMinutes: minutes,
  compiledSchemas: must("true or false", (value) => typeof value === "boolean"),
  fileMegabytesMax: positive,
  allowNetworks: each("networks such as 10.0.0.0/8", isText),
  webhookSecrets: each("secrets", isText),
  retention: days
}

/** Names that hosts may expect, and the options that they mean. */
const otherNames: Readonly<Record<string, string>> = {
  auth: "authenticate",
  basePath: "prefix",
  db: "database",
  log: "logger",
  storage: "media"
}

/** The option that is meant by a name that is none. Of the hooks there is one: the end of a job. */
const findMeant = (name: string, known: ReadonlyArray<string>): string | undefined => {
  const meant = /^on[A-Z]/.test(name) ? "onFinished" : otherNames[name]
  return meant !== undefined && known.includes(meant) ? meant : nearest(name, known)
}

/** A problem with one of some fields: one that is not known, or that breaks its rule. */
function problemsOf(given: object, known: Readonly<Record<string, Rule>>): ReadonlyArray<string> {
  return Object.entries(given).flatMap(([name, value]) => {
    const rule = Object.hasOwn(known, name) ? known[name] : undefined
    if (rule === undefined) {
      const meant = findMeant(name, Object.keys(known))
      return [
        `There is no option "${name}"${meant === undefined ? "" : ` (did you mean "${meant}"?)`}`
      ]
    }
    const problem = value === undefined ? undefined : rule(value)
    return problem === undefined ? [] : [`"${name}": ${problem}`]
  })
}

const isWorker = (given: object): boolean => {
  const roles: unknown = Reflect.get(given, "roles")
  return !Array.isArray(roles) || roles.includes("worker")
}

/** Whether a client is one of Postgres. */
export const isOfPostgres = (client: HostSqlClient): boolean => {
  const ask: unknown = Reflect.get(client, "onDialectOrElse")
  const answers = { pg: () => true, orElse: () => false }
  return typeof ask === "function" && Reflect.apply(ask, client, [answers]) === true
}

const findMisplaced = ({ database, schema }: Partial<Options>): ReadonlyArray<string> =>
  schema === undefined || (typeof database === "string" && /^postgres/.test(database))
    ? []
    : [`"schema": only works with a Postgres URL`]

const findMissing = (given: object): ReadonlyArray<string> => [
  ...(Reflect.get(given, "database") === undefined ? [`"database" is missing`] : []),
  ...(isWorker(given) && Reflect.get(given, "transcribe") === undefined
    ? [`"transcribe" is missing: pass an engine, or roles: ["http"] for a process without a worker`]
    : [])
]

const refuseAll = (problems: ReadonlyArray<string>): void => {
  if (problems.length === 0) return
  const message = `${problems.join(". ")}.`
  throw new InvalidOptions({ code: "InvalidOptions", message, details: { problems } })
}

/** Judges the options of `open`: throws `InvalidOptions` with every mistake. */
export const validateOptions = (given: unknown): void => {
  refuseAll(
    isObject(given)
      ? [...findMissing(given), ...problemsOf(given, rules), ...findMisplaced(given)]
      : ["open takes an object of options"]
  )
}

/** The oldest Node that has what Verbatim uses: `node:sqlite` without a flag, `URL.parse`. */
const neededNode = [22, 19] as const

/** Throws `InvalidOptions` on an older Node. Bun and Deno only claim a version of Node. */
export const requireNode = ({
  bun,
  deno,
  node
}: Readonly<Record<string, string | undefined>>): void => {
  if (node === undefined || bun !== undefined || deno !== undefined) return
  const [major = 0, minor = 0] = node.split(".").map(Number)
  const [neededMajor, neededMinor] = neededNode
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return
  const message = `Verbatim needs Node ${neededNode.join(".")} or later; this is ${node}.`
  throw new InvalidOptions({ code: "NodeTooOld", message })
}

/** Judges the options of a factory, by its name: throws `InvalidOptions` with every mistake. */
export const validateEngineOptions = (
  factory: string,
  { given, known }: { readonly given: unknown; readonly known: Readonly<Record<string, Rule>> }
): void => {
  const problems = isObject(given) ? problemsOf(given, known) : ["it takes an object of options"]
  refuseAll(problems.map((problem) => `${factory}: ${problem}`))
}
