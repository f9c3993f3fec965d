/** All variables of an operator, part by part, in the order of the page. */
import { foreignParts } from "./ForeignVariables.ts"
import { serverParts } from "./ServerVariables.ts"
import type { Part, Table, Variable } from "./Variable.ts"
import { workParts } from "./WorkVariables.ts"

const all = [...serverParts, ...workParts] as const

type NameIn<Each> = Each extends Table ? keyof Each["variables"] & string : never

/** The name of a variable, without `VERBATIM_`. */
export type Name = NameIn<(typeof all)[number]>

/** The parts with our own variables. */
export const parts: ReadonlyArray<Part> = all.map(({ heading, variables }: Table) => ({
  heading,
  variables: Object.entries(variables).map(([name, row]) => ({ name, ...row }))
}))

/** Everything that is read, for whoever shows it. */
export const allParts: ReadonlyArray<Part> = [...parts, ...foreignParts]

const byName: ReadonlyMap<string, Variable> = new Map(
  parts.flatMap(({ variables }) => variables.map((variable) => [variable.name, variable]))
)

/** The variable of that name. */
export const variableOf = (name: Name): Variable =>
  byName.get(name) ?? { name, unset: "", does: "" }

/** Its name in an environment. */
export const environmentName = (name: string, { prefix }: Partial<Part> = {}): string =>
  `${prefix ?? "VERBATIM_"}${name}`
