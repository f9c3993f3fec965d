/**
 * Schemas for the two kinds of object in a request: open objects keep unknown properties, and
 * closed objects reject them. Effect's decoder can set the kind only for a whole document, so these
 * schemas use index signatures.
 */
import { Schema } from "effect"

/** An object that may have any properties. */
export const JsonObject = Schema.Record(Schema.String, Schema.Unknown)

/** Creates the schema of an object with known fields that also accepts any other property. */
export const openStruct = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.StructWithRest(Schema.Struct(fields), [JsonObject])

/**
 * Creates the schema of an object that accepts only the known fields, whose names must be plain
 * words. The type omits the index signature, because no value would satisfy it.
 */
export const closedStruct = <const Fields extends Schema.Struct.Fields>(fields: Fields) => {
  const unknownName = Schema.isPattern(new RegExp(`^(?!(?:${Object.keys(fields).join("|")})$)`))
  const schema: unknown = Schema.StructWithRest(Schema.Struct(fields), [
    Schema.Record(Schema.String.check(unknownName), Schema.Never)
  ])
  return schema as Schema.Codec<
    Schema.Struct<Fields>["Type"],
    Schema.Struct<Fields>["Encoded"],
    Schema.Struct<Fields>["DecodingServices"],
    Schema.Struct<Fields>["EncodingServices"]
  >
}

/** Adds the sentence that describes a schema in the API description. */
export const withDescription = <S extends Schema.Top>(schema: S, description: string) =>
  schema.annotate({ description })

/** Makes a property optional, and adds the sentence that describes it. */
export const optional = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.optionalKey(schema.annotate({ description }))

/**
 * Makes a deprecated property optional, with a description that names its replacement. The union
 * with one member keeps `deprecated` next to the property in JSON Schema, where readers look.
 */
export const deprecate = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.optionalKey(Schema.Union([schema]).annotate({ description, deprecated: true }))

/**
 * Creates the schema of a string other than the reserved ones. The message, if given, replaces the
 * rule's sentence.
 */
export const otherThan = (reserved: ReadonlyArray<string>, message?: string) =>
  Schema.String.check(
    Schema.makeFilter((text: string) => !reserved.includes(text), {
      ...(message === undefined ? {} : { message }),
      toJsonSchema: () => ({
        not: reserved.length === 1 ? { const: reserved[0] ?? "" } : { enum: [...reserved] }
      })
    })
  )

// Integers can have any size, because a seed may have 64 bits.

/** An integer, which may be 2^53 or more. */
export const Integer = Schema.Finite.check(
  Schema.makeFilter<number>((value) => Number.isInteger(value), {
    expected: "an integer",
    arbitraryConstraint: { number: "integer" },
    toJsonSchema: () => ({ type: "integer" })
  })
)

// In these schemas for nullable values, null means the same as a missing field.

export const NumberOrNull = Schema.NullOr(Schema.Finite)
export const IntOrNull = Schema.NullOr(Integer)
export const TextOrNull = Schema.NullOr(Schema.String)
export const FlagOrNull = Schema.NullOr(Schema.Boolean)
