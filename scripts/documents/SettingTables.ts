/** The tables of variables in a page: what each does, its default, and where its effect is seen. */

interface Variable {
  readonly name: string
  readonly unset: string | { readonly words: string }
  readonly does: string
  readonly value?: string
  readonly seen: string
}

interface Part {
  readonly heading: string
  readonly variables: ReadonlyArray<Variable>
}

const head = ["| variable | default | what it does | seen in a test |", "| --- | --- | --- | --- |"]

const defaultOf = ({ unset }: Variable): string => {
  if (typeof unset !== "string") return unset.words
  return unset === "" ? "none" : `\`${unset}\``
}

/** A secret of the tests would only be noise, and look like one of somebody's. */
const isSecret = (name: string, value: string): boolean =>
  /KEY|SECRET|TOKEN/.test(name) && !/^\d+$/.test(value)

const seenIn = ({ name, seen, value }: Variable): string =>
  value === undefined || isSecret(name, value) ? seen : `\`${value}\`: ${seen}`

const row = (variable: Variable): string => {
  const { does, name } = variable
  return `| \`VERBATIM_${name}\` | ${defaultOf(variable)} | ${does} | ${seenIn(variable)} |`
}

const marks = /(<!-- settings: (.+) -->\n)[\s\S]*?(\n<!-- end of settings -->)/g

/** The page with the table of each part between its marks. A part without marks is a mistake. */
export const withTables = (page: string, parts: ReadonlyArray<Part>): string => {
  const placed = new Set(Array.from(page.matchAll(marks), ([, , heading]) => heading))
  const missing = parts.filter(({ heading }) => !placed.has(heading))
  if (missing.length > 0 || placed.size > parts.length) {
    throw new Error(`marks without a part, or parts without marks: ${[...placed].join(", ")}`)
  }
  return page.replace(marks, (_, open: string, heading: string, close: string) => {
    const variables = parts.find((part) => part.heading === heading)?.variables ?? []
    return `${open}\n${[...head, ...variables.map(row)].join("\n")}\n${close}`
  })
}
