/**
 * Two rules that JSON Schema has no keyword for, as keywords of Ajv.
 */

const isTexts = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((item) => typeof item === "string")

interface Tool {
  readonly type?: unknown
  readonly defer_loading?: unknown
}

const isSearch = ({ type }: Tool): boolean =>
  typeof type === "string" && type.endsWith("tool_search")

/** A deferred function needs a search that finds it, and another tool to start with. */
const areFindable = (tools: ReadonlyArray<Tool>): boolean =>
  !tools.some((tool) => tool.type === "function" && tool.defer_loading === true) ||
  (tools.some(isSearch) && tools.some((tool) => !isSearch(tool) && tool.defer_loading !== true))

/** `maxTotalLength` and `findableTools`. */
export const keywords = [
  {
    keyword: "maxTotalLength",
    type: "array",
    schemaType: "number",
    validate: (max: number, value: unknown) => !isTexts(value) || value.join("").length <= max
  },
  {
    keyword: "findableTools",
    type: "array",
    schemaType: "boolean",
    validate: (_: boolean, tools: ReadonlyArray<Tool>) => areFindable(tools)
  }
] as const
