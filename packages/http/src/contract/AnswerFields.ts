/** Fields that answers of many operations have. */
import { Schema } from "effect"

export const uuid = Schema.String.annotate({ format: "uuid" })

/** ISO 8601 in UTC with milliseconds. */
export const instant = Schema.String.annotate({ format: "date-time" })

/** A field that may be null, and when it is. */
export const orNull = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.NullOr(schema).annotate({ description })
