/** The tables of variables in a page: what each does, its default, and where its effect is seen. */

import {
  defaultOf,
  limitsOf,
  type Part,
  type Variable
} from "../../packages/server/src/settings/Variable.ts"

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

const head = [
  "| variable | default | may be | what it does | seen in a test |",
  "| --- | --- | --- | --- | --- |"
]

/** A secret of the tests would only be noise, and look like one of somebody's. */
const isSecret = (name: string, value: string): boolean =>
  /KEY|SECRET|TOKEN/.test(name) && !/^\d+$/.test(value)

const seenIn = (name: string, { seen, value }: Evidence): string =>
  value === undefined || isSecret(name, value) ? seen : `\`${value}\`: ${seen}`

/** Angle brackets would be taken for HTML. */
const plain = (text: string): string => text.replace(/<([^>]*)>/g, "‹$1›")

const row = (variable: Variable, found: Evidence = { seen: "" }): string => {
  const { does, name } = variable
  const cells = [`\`VERBATIM_${name}\``, defaultOf(variable), plain(limitsOf(variable)), does]
  return `| ${[...cells, seenIn(name, found)].join(" | ")} |`
}

const marks = /(<!-- settings: (.+) -->\n)[\s\S]*?(\n<!-- end of settings -->)/g

/** The page with the table of each part between its marks. A part without marks is a mistake. */
export const withTables = (page: string, { evidence, parts }: Source): string => {
  const placed = new Set(Array.from(page.matchAll(marks), ([, , heading]) => heading))
  const missing = parts.filter(({ heading }) => !placed.has(heading))
  if (missing.length > 0 || placed.size > parts.length) {
    throw new Error(`marks without a part, or parts without marks: ${[...placed].join(", ")}`)
  }
  return page.replace(marks, (_, open: string, heading: string, close: string) => {
    const variables = parts.find((part) => part.heading === heading)?.variables ?? []
    const rows = variables.map((variable) => row(variable, evidence[variable.name]))
    return `${open}\n${[...head, ...rows].join("\n")}\n${close}`
  })
}
