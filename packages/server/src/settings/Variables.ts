/** All variables of an operator, part by part, in the order of the page. */
import { serverParts } from "./ServerVariables.ts"
import type { Part, Variable } from "./Variable.ts"
import { workParts } from "./WorkVariables.ts"

const all = [...serverParts, ...workParts] as const

/** The name of a variable, without `VERBATIM_`. */
export type Name = (typeof all)[number]["variables"][number]["name"]

/** The parts, for whoever shows them. */
export const parts: ReadonlyArray<Part> = all

const byName: ReadonlyMap<string, Variable> = new Map(
  all.flatMap(({ variables }) => variables.map((variable: Variable) => [variable.name, variable]))
)

/** The variable of that name. */
export const variableOf = (name: Name): Variable =>
  byName.get(name) ?? { name, unset: "", does: "" }

/** Its name in an environment. */
export const environmentName = (name: string): string => `VERBATIM_${name}`
