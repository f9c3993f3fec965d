/**
 * Parses JSON without losing digits. A number that JavaScript would write differently is kept as
 * raw JSON, which `JSON.stringify` writes unchanged. On a platform without raw JSON, such a number
 * is rounded.
 */
import type { Json } from "./Json.ts"

/** `JSON.parse` with source text access (ECMAScript 2026). */
interface ExactParser {
  readonly parse: (text: string, reviver: Reviver) => Json
  readonly rawJSON?: (text: string) => Json
}
type Reviver = (key: string, value: Json, context?: { readonly source?: string }) => Json

const parser = JSON as unknown as ExactParser

/** Parses JSON; throws a `SyntaxError` like `JSON.parse`. */
export const parseExact = (text: string): Json => {
  const { rawJSON } = parser
  if (rawJSON === undefined) return JSON.parse(text)
  return parser.parse(text, (_, value, context) =>
    typeof value !== "number" || context?.source === undefined || String(value) === context.source
      ? value
      : rawJSON(context.source)
  )
}
