/**
 * What an endpoint asks of the fields of a request together, and which of them yields when a preset
 * breaks it.
 */
import type { Json } from "../Json.ts"

/** The fields of a request. A name may be `__proto__`, so this is no object. */
export type Fields = ReadonlyMap<string, Json>

/** A field that may yield: to another value, or altogether. */
export interface Mend {
  readonly field: string
  /** The value that fits; undefined where none does. */
  readonly fitted?: (fields: Fields) => Json | undefined
}

/** One rule of an endpoint. */
export interface Rule {
  /** Where the maker of the format says so. */
  readonly source: string
  /** What it says. */
  readonly says: string
  /** The fields that it is about. */
  readonly fields: ReadonlyArray<string>
  readonly isBroken: (fields: Fields) => boolean
  /** What yields, the first one first. */
  readonly mends: ReadonlyArray<Mend>
}
