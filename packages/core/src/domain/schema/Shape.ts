/**
 * The two kinds of object in a request: open ones, whose unknown properties are accepted and kept,
 * and closed ones, where an unknown property is a refusal. Effect's decoder can tell them apart
 * only for a whole document, hence the index signatures.
 */
import { Schema } from "effect"

/** An object of any properties. */
export const JsonObject = Schema.Record(Schema.String, Schema.Unknown)

/** An object with known fields that takes any other property too. */
export const openStruct = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.StructWithRest(Schema.Struct(fields), [JsonObject])

/**
 * An object with known fields and nothing else. The names must be plain words. Its type is that of
 * the fields alone: the compiler would read the rest as a signature that no value can satisfy.
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

/** A schema with the sentence that describes it in the description of the API. */
export const withDescription = <S extends Schema.Top>(schema: S, description: string) =>
  schema.annotate({ description })

/** A property that may be left out, with the sentence that describes it. */
export const optional = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.optionalKey(schema.annotate({ description }))

/**
 * A property that may be left out and will be removed; the description names what replaces it. The
 * union of one keeps `deprecated` beside the property in JSON Schema, where readers look.
 */
export const deprecate = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.optionalKey(Schema.Union([schema]).annotate({ description, deprecated: true }))

// Integers of any size: a seed may have 64 bits, and 2^53 is an integer like any other.

/** A number without a fraction. */
export const Integer = Schema.Finite.check(
  Schema.makeFilter<number>((value) => Number.isInteger(value), {
    expected: "an integer",
    arbitraryConstraint: { number: "integer" },
    toJsonSchema: () => ({ type: "integer" })
  })
)

// Plain values of a request that may be null, which says the same as leaving them out.

/** A finite number, or null. */
export const NumberOrNull = Schema.NullOr(Schema.Finite)
/** An integer, or null. */
export const IntOrNull = Schema.NullOr(Integer)
/** Text, or null. */
export const TextOrNull = Schema.NullOr(Schema.String)
/** True, false, or null. */
export const FlagOrNull = Schema.NullOr(Schema.Boolean)
