/**
 * Validates the options of `createClient` and `presetFetch` before anything is sent, because types
 * do not protect JavaScript callers or spread objects.
 */

interface Rule {
  readonly must: string
  readonly holds: (value: unknown) => boolean
}

const millis: Rule = {
  must: "a number of milliseconds, 0 or more",
  holds: (value) => typeof value === "number" && value >= 0
}

const aFunction: Rule = { must: "a function", holds: (value) => typeof value === "function" }

const anything: Rule = { must: "anything", holds: () => true }

type Rules = Readonly<Record<string, Rule>>

/**
 * Validation rules for a client's options. Options that allow any value here are checked by the
 * client itself.
 */
const clientRules: Rules = {
  baseURL: { must: "a URL", holds: (value) => typeof value === "string" || value instanceof URL },
  key: anything,
  fetch: aFunction,
  headers: anything,
  signal: anything,
  retry: anything
}

const fetchRules: Rules = {
  verbatim: {
    must: "a client, as createClient makes it",
    holds: (value) => typeof Object(value).GET === "function"
  },
  maxAge: millis,
  staleIfError: millis,
  fallback: {
    must: "a list of exported presets, or exportedPresets of a path",
    holds: (value) => Array.isArray(value) || typeof value === "function"
  },
  onResolved: aFunction
}

interface Factory {
  readonly name: string
  readonly rules: Rules
  readonly needed: string
}

/** Throws a `TypeError` that names the first unknown, invalid or missing option. */
const validate = (options: unknown, { name: factory, needed, rules }: Factory): void => {
  if (typeof options !== "object" || options === null) {
    throw new TypeError(`${factory} needs an object of options`)
  }
  const names = Object.keys(options)
  const unknown = names.find((name) => !Object.hasOwn(rules, name))
  if (unknown !== undefined) {
    const known = Object.keys(rules).join(", ")
    throw new TypeError(`Unknown option "${unknown}"; the options are ${known}`)
  }
  for (const name of [needed, ...names]) {
    const value: unknown = Reflect.get(options, name)
    const rule = rules[name]
    if (rule === undefined || (value === undefined && name !== needed)) continue
    if (!rule.holds(value)) throw new TypeError(`"${name}" must be ${rule.must}`)
  }
}

/** Validates the options of `presetFetch`. */
export const validatePresetFetchOptions = (options: unknown): void =>
  validate(options, { name: "presetFetch", rules: fetchRules, needed: "verbatim" })

/** Validates the options of `createClient`. */
export const validateClientOptions = (options: unknown): void =>
  validate(options, { name: "createClient", rules: clientRules, needed: "baseURL" })
