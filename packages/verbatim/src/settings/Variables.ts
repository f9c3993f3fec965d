/** All variables of an operator, part by part, in the order of the page. */
import { serverParts } from "./ServerVariables.ts"
import type { Part, Table, Variable } from "./Variable.ts"
import { workParts } from "./WorkVariables.ts"

const all = [...serverParts, ...workParts] as const

type NameIn<Each> = Each extends Table ? keyof Each["variables"] & string : never

/** The name of a variable, without `VERBATIM_`. */
export type Name = NameIn<(typeof all)[number]>

/** The parts, for whoever shows them. */
export const parts: ReadonlyArray<Part> = all.map(({ heading, variables }: Table) => ({
  heading,
  variables: Object.entries(variables).map(([name, row]) => ({ name, ...row }))
}))

const byName: ReadonlyMap<string, Variable> = new Map(
  parts.flatMap(({ variables }) => variables.map((variable) => [variable.name, variable]))
)

/** The variable of that name. */
export const variableOf = (name: Name): Variable =>
  byName.get(name) ?? { name, unset: "", does: "" }

/** Its name in an environment. */
export const environmentName = (name: string): string => `VERBATIM_${name}`
