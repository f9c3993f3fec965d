/**
 * Copies JSON values that their owner might change later.
 */
import type { Schema } from "effect"
import { isExact } from "./ExactNumber.ts"

/** Copies JSON of limited depth. Numbers kept as raw JSON are immutable and shared. */
export const copyJson = <A extends Schema.Json>(value: A): A => copy(value) as A

const copy = (value: Schema.Json): Schema.Json => {
  if (typeof value !== "object" || value === null || isExact(value)) return value
  if (Array.isArray(value)) return value.map(copy)
  // A name may be `__proto__`: only `fromEntries` defines it as an ordinary property.
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copy(each)]))
}
