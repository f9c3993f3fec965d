/**
 * Whether the options of `presetFetch` can be meant. Types say the same to whoever has them; here
 * it is said to everybody, before anything is sent.
 */

interface Rule {
  readonly must: string
  readonly holds: (value: unknown) => boolean
}

const isMade = (...methods: ReadonlyArray<string>) => {
  const holds = (value: unknown) =>
    methods.every((method) => typeof Object(value)[method] === "function")
  return holds
}

const millis: Rule = {
  must: "a number of milliseconds, 0 or more",
  holds: (value) => typeof value === "number" && value >= 0
}

const aFunction: Rule = { must: "a function", holds: (value) => typeof value === "function" }

const rules: Readonly<Record<string, Rule>> = {
  verbatim: { must: "a client, as createClient makes it", holds: isMade("GET") },
  maxAge: millis,
  staleIfError: millis,
  file: { must: "a store, as fileStore makes it", holds: isMade("load", "save") },
  onResolved: aFunction,
  onWarning: aFunction
}

/** How many letters of two words differ in their places, and in their number. */
const differing = (one: string, other: string): number => {
  let count = Math.abs(one.length - other.length)
  for (let from = 0, to = 0; from < one.length && to < other.length; from += 1, to += 1) {
    if (one[from] === other[to]) continue
    count += 1
    // One letter too many, or too few: the rest is compared from the next one on.
    if (one[from + 1] === other[to]) from += 1
    else if (one[from] === other[to + 1]) to += 1
  }
  return count
}

/** More than this is another word. */
const differingMax = 4

const meantBy = (name: string): string => {
  const near = Object.keys(rules)
    .map((known) => ({ known, count: differing(name.toLowerCase(), known.toLowerCase()) }))
    .filter(({ count }) => count <= differingMax)
    .sort((one, other) => one.count - other.count)
  return near[0] === undefined ? "" : `: "${near[0].known}" may be meant`
}

/** Throws a `TypeError` that names the first option that is unknown, wrong or missing. */
export const judgeOptions = (options: unknown): void => {
  if (typeof options !== "object" || options === null) {
    throw new TypeError("presetFetch needs an object of options")
  }
  for (const [name, value] of Object.entries({ verbatim: undefined, ...options })) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (rule === undefined) throw new TypeError(`There is no option "${name}"${meantBy(name)}`)
    if (value === undefined && name !== "verbatim") continue
    if (!rule.holds(value)) throw new TypeError(`"${name}" must be ${rule.must}`)
  }
}
