/**
 * Whether options can be meant. Types say the same to whoever has them; here it is said to
 * everybody, in one sentence for each mistake.
 */
import { nearest } from "@verbatim/core/schema"
import { InvalidInput, InvalidOptions } from "../Errors.ts"

type Rule = (value: unknown) => string | undefined

const must =
  (sentence: string, holds: (value: unknown) => boolean): Rule =>
  (value) =>
    holds(value) ? undefined : `must be ${sentence}`

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

const aFunction = must("a function", (value) => typeof value === "function")

const isPositive = (value: unknown): boolean => Number.isInteger(value) && Number(value) > 0

const positive = must("a whole number above 0", isPositive)

/** Ten million are nineteen years of speech: more is a typo, and a ledger holds no more. */
const minutesMax = 10_000_000

const minutes = must(
  `a whole number from 1 to ${minutesMax}`,
  (value) => isPositive(value) && Number(value) <= minutesMax
)

/** An object of nothing but these, each under its own rule. */
const only =
  (rules: Readonly<Record<string, Rule>>): Rule =>
  (value) =>
    isObject(value) ? problemsOf(value, rules)[0] : "must be an object"

const each =
  (sentence: string, holds: (value: unknown) => boolean): Rule =>
  (value) =>
    Array.isArray(value) && value.every(holds) ? undefined : `must be a list of ${sentence}`

const isText = (value: unknown): boolean => typeof value === "string" && value !== ""

const text = must("a text", isText)

const isDatabase = (value: unknown): boolean =>
  typeof value === "string" &&
  (/^(?:memory:|sqlite:.+)$/.test(value) ||
    (/^postgres(?:ql)?:\/\//.test(value) && URL.canParse(value)))

const isPool = (value: unknown): boolean =>
  isObject(value) && typeof Reflect.get(value, "connect") === "function"

const bucket = only({
  bucket: text,
  region: text,
  prefix: text,
  endpoint: text,
  credentials: only({ accessKeyId: text, secretAccessKey: text })
})

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
  database: must(
    `"sqlite:<file>", "postgres://…", "memory:" or a pool with connect()`,
    (value) => isDatabase(value) || isPool(value)
  ),
  tablePrefix: text,
  schema: text,
  media: (value) => (isText(value) ? undefined : bucket(value)),
  roles: each(`"http" and "worker"`, (role) => roles.has(role)),
  transcribe: must(
    "a function, or an engine of this package",
    (value) => typeof value === "function" || isObject(value)
  ),
  summarize: aFunction,
  authenticate: aFunction,
  transcribed: aFunction,
  finished: aFunction,
  prefix: must(
    `a path such as "/api/verbatim"`,
    (value) => typeof value === "string" && /^(?:\/[\w.~-]+)+\/?$/.test(value)
  ),
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
  fileMegabytesMax: positive,
  allowNetworks: each("networks such as 10.0.0.0/8", isText),
  webhookSecrets: each("secrets", isText),
  retention: days
}

/** A problem with one of some fields: one that is not known, or that breaks its rule. */
function problemsOf(given: object, known: Readonly<Record<string, Rule>>): ReadonlyArray<string> {
  return Object.entries(given).flatMap(([name, value]) => {
    if (value === undefined) return []
    const rule = Object.hasOwn(known, name) ? known[name] : undefined
    if (rule === undefined) {
      const meant = nearest(name, Object.keys(known))
      return [
        `There is no option "${name}"${meant === undefined ? "" : `: "${meant}" may be meant`}`
      ]
    }
    const problem = rule(value)
    return problem === undefined ? [] : [`"${name}": ${problem}`]
  })
}

const isWorking = (given: object): boolean => {
  const roles: unknown = Reflect.get(given, "roles")
  return !Array.isArray(roles) || roles.includes("worker")
}

const misplaced = (given: object): ReadonlyArray<string> => {
  const database: unknown = Reflect.get(given, "database")
  const isPostgres = isPool(database) || /^postgres/.test(String(database))
  return isPostgres || Reflect.get(given, "schema") === undefined
    ? []
    : [`"schema": only Postgres has schemas, set "tablePrefix" instead`]
}

const missing = (given: object): ReadonlyArray<string> => [
  ...(Reflect.get(given, "database") === undefined ? [`"database" is missing`] : []),
  ...(isWorking(given) && Reflect.get(given, "transcribe") === undefined
    ? [`"transcribe" is missing: give an engine, or roles: ["http"] for a process without work`]
    : [])
]

/** Throws `InvalidOptions` with every mistake. */
export const judge = (given: unknown): void => {
  const problems = isObject(given)
    ? [...missing(given), ...problemsOf(given, rules), ...misplaced(given)]
    : ["open needs an object of options"]
  if (problems.length === 0) return
  const message = `${problems.join(". ")}.`
  throw new InvalidOptions({ code: "InvalidOptions", message, details: { problems } })
}

/** Throws for a name that is not known: a misspelt wish would be ignored in silence. */
export const refuseUnknown = (given: object, names: ReadonlyArray<string>): void => {
  if (!isObject(given)) {
    throw new InvalidInput({ code: "NotAnObject", message: `An object of ${names.join(", ")}` })
  }
  const unknown = Object.keys(given).find((name) => !names.includes(name))
  if (unknown === undefined) return
  const meant = nearest(unknown, names)
  const hint = meant === undefined ? "" : `: "${meant}" may be meant`
  throw new InvalidInput({ code: "UnknownName", message: `There is no "${unknown}"${hint}` })
}
