/**
 * Validates the options of `open` and of the engines. Types state the same rules, but cannot check
 * JavaScript callers or spread objects. Each mistake is reported in one sentence.
 */
import { findNearestName } from "@verbatim/core/schema"
import { InvalidOptions } from "../Errors.ts"
import type { HostSqlClient, Options } from "../Options.ts"

/** Describes what is wrong with a value; returns undefined if it is valid. */
export type Rule = (value: unknown) => string | undefined

/** Creates a rule from a sentence and a check. */
export const must =
  (sentence: string, holds: (value: unknown) => boolean): Rule =>
  (value) =>
    holds(value) ? undefined : `must be ${sentence}`

/** Whether a value is an object. */
export const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null

const aFunction = must("a function", (value) => typeof value === "function")

const isPositive = (value: unknown): boolean => Number.isInteger(value) && Number(value) > 0

/** Allows a positive whole number. */
export const positive = must("a whole number above 0", isPositive)

/**
 * The largest number of minutes. Ten million minutes are nineteen years of speech; a larger number
 * is probably a typo, and would not fit into a ledger.
 */
const minutesMax = 10_000_000

const minutes = must(
  `a whole number from 1 to ${minutesMax}`,
  (value) => isPositive(value) && Number(value) <= minutesMax
)

/** Allows only objects with the given fields, each with its own rule, and some of them required. */
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

/** Allows a non-empty string. */
export const text = must("text", isText)

const isDatabase = (value: unknown): boolean =>
  typeof value === "string" &&
  (/^(?:memory:|sqlite:.+)$/.test(value) ||
    (/^postgres(?:ql)?:\/\//.test(value) && URL.canParse(value)))

const isPool = (value: unknown): boolean =>
  isObject(value) && typeof Reflect.get(value, "connect") === "function"

/** The property that marks an Effect `SqlClient`. */
const clientMark = "~effect/sql/SqlClient"

const clientMethods = ["onDialectOrElse", "reserve", "unsafe", "withTransaction", "afterCommit"]

/** Whether a value is a `SqlClient` from a recent enough version of Effect. */
export const isSqlClient = (value: unknown): value is HostSqlClient =>
  typeof value === "function" &&
  Reflect.get(value, clientMark) === clientMark &&
  clientMethods.every((name) => Reflect.get(value, name) !== undefined)

/** Matches the file names that SQLite databases usually have. */
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
  return `must be ${forms}${isFile ? ` (did you mean "sqlite:${value}"?)` : ""}`
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

/**
 * Matches a URL with a scheme other than `file:`. A single letter is a Windows drive, not a scheme.
 */
const otherUrl = /^(?!file:)[a-z][\w+.-]+:\/\//i

const media: Rule = (value) => {
  if (typeof value !== "string") return bucket(value)
  if (value === "") return "must be a folder, or a bucket as { bucket, region }"
  return otherUrl.test(value)
    ? "must be a folder; a bucket is given as an object: { bucket, region, prefix, endpoint }"
    : undefined
}

/** Rejects paths with `.` and `..`, because clients resolve these before they send a request. */
const isPrefix = (value: unknown): boolean =>
  typeof value === "string" &&
  /^(?:\/[\w.~-]+)+\/?$/.test(value) &&
  value.split("/").every((part) => part !== "." && part !== "..")

const days = only({ media: positive, transcript: positive, job: positive })

const counts = only({
  transcribe: positive,
  pieces: positive,
  summarize: positive,
  download: positive,
  webhook: positive
})

const roles = new Set<unknown>(["http", "worker"])
const decoders = new Set<unknown>(["auto", "system", "wasm", "none"])

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
  mcp: must("true or false", (value) => typeof value === "boolean"),
  onFinished: aFunction,
  onOutages: aFunction,
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
  decoder: must(`"auto", "system", "wasm" or "none"`, (value) => decoders.has(value)),
  concurrency: counts,
  reusePieces: must("true or false", (value) => typeof value === "boolean"),
  initialMinutes: minutes,
  compiledSchemas: must("true or false", (value) => typeof value === "boolean"),
  maxFileMegabytes: positive,
  allowedNetworks: each("networks such as 10.0.0.0/8", isText),
  webhookSecrets: each("secrets", isText),
  retention: days
}

/** Names that other libraries use for our options. */
const otherNames: Readonly<Record<string, string>> = {
  auth: "authenticate",
  basePath: "prefix",
  db: "database",
  log: "logger",
  storage: "media"
}

/**
 * Finds the option that an unknown name probably means. For example, `onFinished` is the hook for
 * jobs.
 */
const findMeant = (name: string, known: ReadonlyArray<string>): string | undefined => {
  const meant = /^on[A-Z]/.test(name) ? "onFinished" : otherNames[name]
  return meant !== undefined && known.includes(meant) ? meant : findNearestName(name, known)
}

/** Finds unknown fields, and fields that break their rule. */
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

/** Whether a client connects to Postgres. */
export const isOfPostgres = (client: HostSqlClient): boolean => {
  const onDialect: unknown = Reflect.get(client, "onDialectOrElse")
  const answers = { pg: () => true, orElse: () => false }
  return typeof onDialect === "function" && Reflect.apply(onDialect, client, [answers]) === true
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

/** Validates the options of `open`. Throws an `InvalidOptions` that lists all mistakes. */
export const validateOptions = (given: unknown): void => {
  refuseAll(
    isObject(given)
      ? [...findMissing(given), ...problemsOf(given, rules), ...findMisplaced(given)]
      : ["open takes an object of options"]
  )
}

/**
 * The oldest Node version that has everything Verbatim uses, such as `URL.parse`, and `node:sqlite`
 * without a flag.
 */
const neededNode = [22, 19] as const

/**
 * Throws `InvalidOptions` on an older Node version. Bun and Deno are not checked, because they
 * report the version of Node that they imitate.
 */
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

/**
 * Validates the options of an engine factory. Throws an `InvalidOptions` that lists all mistakes.
 */
export const validateEngineOptions = (
  factory: string,
  { given, known }: { readonly given: unknown; readonly known: Readonly<Record<string, Rule>> }
): void => {
  const problems = isObject(given) ? problemsOf(given, known) : ["it takes an object of options"]
  refuseAll(problems.map((problem) => `${factory}: ${problem}`))
}
