/** The tables of variables in a page: what each does, its default, and where its effect is seen. */

import {
  defaultOf,
  limitsOf,
  type Part,
  type Variable
} from "../../packages/verbatim/src/settings/Variable.ts"

/** What a test sees of a variable. */
interface Evidence {
  readonly value?: string
  readonly seen: string
}

/** What the tables are made of. */
interface Source {
  readonly parts: ReadonlyArray<Part>
  readonly evidence: Readonly<Record<string, Evidence>>
}

const columns = ["variable", "default", "may be", "what it does"]

/** What others named is not set by the test that sets each variable. */
const headOf = ({ prefix }: Part): ReadonlyArray<string> => {
  const all = prefix === undefined ? [...columns, "seen in a test"] : columns
  return [`| ${all.join(" | ")} |`, `| ${all.map(() => "---").join(" | ")} |`]
}

/** A secret of the tests would only be noise, and look like one of somebody's. */
const isSecret = (name: string, value: string): boolean =>
  /KEY|SECRET|TOKEN/.test(name) && !/^\d+$/.test(value)

const seenIn = (name: string, { seen, value }: Evidence): string =>
  value === undefined || isSecret(name, value) ? seen : `\`${value}\`: ${seen}`

/** Angle brackets would be taken for HTML. */
const plain = (text: string): string => text.replace(/<([^>]*)>/g, "‹$1›")

const cellsOf = (variable: Variable, prefix: string): ReadonlyArray<string> => {
  const { does, name } = variable
  return [`\`${prefix}${name}\``, defaultOf(variable), plain(limitsOf(variable)), does]
}

const rowsOf = ({ prefix, variables }: Part, evidence: Source["evidence"]) =>
  variables.map((variable) => {
    const cells = cellsOf(variable, prefix ?? "VERBATIM_")
    const seen = evidence[variable.name] ?? { seen: "" }
    const all = prefix === undefined ? [...cells, seenIn(variable.name, seen)] : cells
    return `| ${all.join(" | ")} |`
  })

const marks = /(<!-- settings: (.+) -->\n)[\s\S]*?(\n<!-- end of settings -->)/g

/** The page with the table of each part between its marks. A part without marks is a mistake. */
export const withTables = (page: string, { evidence, parts }: Source): string => {
  const placed = new Set(Array.from(page.matchAll(marks), ([, , heading]) => heading))
  const missing = parts.filter(({ heading }) => !placed.has(heading))
  if (missing.length > 0 || placed.size > parts.length) {
    throw new Error(`marks without a part, or parts without marks: ${[...placed].join(", ")}`)
  }
  return page.replace(marks, (_, open: string, heading: string, close: string) => {
    const part = parts.find((each) => each.heading === heading) ?? { heading, variables: [] }
    const lines = [...headOf(part), ...rowsOf(part, evidence)]
    return `${open}\n${lines.join("\n")}\n${close}`
  })
}
