/**
 * Whether the options of `createClient` and `presetFetch` can be meant. Types say the same, but not
 * to JavaScript and not about a spread object; here it is said before anything is sent.
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

/** The client reads the values of its options itself. */
const clientRules: Rules = {
  baseUrl: { must: "a URL", holds: (value) => typeof value === "string" || value instanceof URL },
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

/** Throws a `TypeError` that names the first option that is unknown, wrong or missing. */
const judge = (options: unknown, { name: factory, needed, rules }: Factory): void => {
  if (typeof options !== "object" || options === null) {
    throw new TypeError(`${factory} needs an object of options`)
  }
  const names = Object.keys(options)
  const unknown = names.find((name) => !Object.hasOwn(rules, name))
  if (unknown !== undefined) {
    const known = Object.keys(rules).join(", ")
    throw new TypeError(`There is no option "${unknown}"; there are ${known}`)
  }
  for (const name of [needed, ...names]) {
    const value: unknown = Reflect.get(options, name)
    const rule = rules[name]
    if (rule === undefined || (value === undefined && name !== needed)) continue
    if (!rule.holds(value)) throw new TypeError(`"${name}" must be ${rule.must}`)
  }
}

/** Judges the options of `presetFetch`. */
export const judgeOptions = (options: unknown): void =>
  judge(options, { name: "presetFetch", rules: fetchRules, needed: "verbatim" })

/** Judges the options of `createClient`. */
export const judgeClientOptions = (options: unknown): void =>
  judge(options, { name: "createClient", rules: clientRules, needed: "baseUrl" })
