/** The tables of variables in a page: what each does, and its default. */

import { defaultOf, limitsOf, type Part } from "../../packages/server/src/settings/Variable.ts"

const columns = ["variable", "default", "may be", "what it does"]

const head = [`| ${columns.join(" | ")} |`, `| ${columns.map(() => "---").join(" | ")} |`]

/** Angle brackets would be taken for HTML. */
const plain = (text: string): string => text.replace(/<([^>]*)>/g, "‹$1›")

const rowsOf = ({ prefix, variables }: Part) =>
  variables.map((variable) => {
    const name = `\`${prefix ?? "VERBATIM_"}${variable.name}\``
    const cells = [name, defaultOf(variable), plain(limitsOf(variable)), variable.does]
    return `| ${cells.join(" | ")} |`
  })

const marks = /(<!-- settings: (.+) -->\n)[\s\S]*?(\n<!-- end of settings -->)/g

/** The page with the table of each part between its marks. A part without marks is a mistake. */
export const withTables = (page: string, parts: ReadonlyArray<Part>): string => {
  const placed = new Set(Array.from(page.matchAll(marks), ([, , heading]) => heading))
  const missing = parts.filter(({ heading }) => !placed.has(heading))
  if (missing.length > 0 || placed.size > parts.length) {
    throw new Error(`marks without a part, or parts without marks: ${[...placed].join(", ")}`)
  }
  return page.replace(marks, (_, open: string, heading: string, close: string) => {
    const part = parts.find((each) => each.heading === heading) ?? { heading, variables: [] }
    const lines = [...head, ...rowsOf(part)]
    return `${open}\n${lines.join("\n")}\n${close}`
  })
}
