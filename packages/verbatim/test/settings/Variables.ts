/** All variables of an operator, part by part, in the order of the page. */
import { processParts } from "./ProcessVariables.ts"
import { workParts } from "./WorkVariables.ts"

export const parts = [...processParts, ...workParts]

/** The name of a variable, without `VERBATIM_`. */
export type Name = (typeof parts)[number]["variables"][number]["name"]
