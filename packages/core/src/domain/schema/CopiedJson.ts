/**
 * JSON that somebody else may change: a copy, where the value itself is kept or given to others.
 */
import type { Schema } from "effect"
import { isExact } from "./ExactNumber.ts"

/** Copies JSON of limited depth. Nobody can change a number that was kept as it was sent. */
export const copyJson = <A extends Schema.Json>(value: A): A => copy(value) as A

const copy = (value: Schema.Json): Schema.Json => {
  if (typeof value !== "object" || value === null || isExact(value)) return value
  if (Array.isArray(value)) return value.map(copy)
  // A name may be `__proto__`: only `fromEntries` defines it as a property like any other.
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copy(each)]))
}
