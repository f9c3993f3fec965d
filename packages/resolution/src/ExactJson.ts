/**
 * JSON whose numbers keep their digits: one that JavaScript would write differently is kept as raw
 * JSON, which `JSON.stringify` writes as it was sent. A platform without raw JSON rounds it.
 */
import type { Json } from "./Json.ts"

/** JSON.parse source text access, of ECMAScript 2026. */
interface ExactParser {
  readonly parse: (text: string, reviver: Reviver) => Json
  readonly rawJSON?: (text: string) => Json
}
type Reviver = (key: string, value: Json, context?: { readonly source?: string }) => Json

const parser = JSON as unknown as ExactParser

/** Parses JSON; throws a `SyntaxError` for other text, as `JSON.parse`. */
export const parseExact = (text: string): Json => {
  const { rawJSON } = parser
  if (rawJSON === undefined) return JSON.parse(text)
  return parser.parse(text, (_, value, context) =>
    typeof value !== "number" || context?.source === undefined || String(value) === context.source
      ? value
      : rawJSON(context.source)
  )
}
