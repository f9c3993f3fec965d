import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { formats } from "#src/domain/request/RequestFormat"
import { closedStruct, deprecate, openStruct } from "#src/domain/schema/ObjectSchemas"
import { toPlain } from "#src/domain/schema/PlainSchema"

const derive = (schema: Schema.Constraint): Schema.JsonObject =>
  JSON.parse(
    JSON.stringify(
      Schema.toJsonSchemaDocument(schema, {
        onExcessProperty: "error",
        includeAnnotationKey: (key) => key === "deprecated"
      })
    )
  )

const plainOf = (schema: Schema.Constraint): unknown => Object(toPlain(derive(schema))).schema

describe("a plain JSON Schema", () => {
  it("states in each object that it allows other fields", () =>
    assert.deepStrictEqual(plainOf(openStruct({ a: Schema.String })), {
      type: "object",
      properties: { a: { type: "string" } },
      required: ["a"],
      additionalProperties: true
    }))

  it("still refuses unknown fields in a closed object", () =>
    assert.deepStrictEqual(plainOf(closedStruct({ a: Schema.optionalKey(Schema.String) })), {
      type: "object",
      properties: { a: { type: "string" } },
      additionalProperties: false
    }))

  it("writes `deprecated` next to the type", () =>
    assert.deepStrictEqual(plainOf(openStruct({ a: deprecate(Schema.String, "Use `b`.") })), {
      type: "object",
      properties: { a: { type: "string", description: "Use `b`.", deprecated: true } },
      additionalProperties: true
    }))

  it("keeps an allOf list with one schema that cannot be written inline", () => {
    for (const schema of [
      { description: "a", allOf: [{ $ref: "#/$defs/A" }] },
      { maxLength: 1, allOf: [{ maxLength: 2 }] },
      { properties: {}, allOf: [{ additionalProperties: false }] },
      { additionalProperties: false, allOf: [{ properties: {} }] },
      { anyOf: [{ type: "string" }, { type: "null" }] }
    ]) {
      assert.deepStrictEqual(toPlain(schema), schema)
    }
  })

  for (const { fields, name, schema } of formats) {
    const document = derive(schema)
    const text = JSON.stringify(toPlain(document))

    it(`describes every field of ${name} without allOf or an empty additionalProperties`, () => {
      assert.notInclude(text, '"allOf"')
      assert.notInclude(text, '"additionalProperties":{}')
      const definitions = Object(toPlain(document)).definitions
      const requests = Object.keys(definitions).filter((each) => each.endsWith("Request"))
      const properties = Object(definitions[requests[0] ?? ""]).properties
      assert.strictEqual(requests.length, 1)
      const known = Object.keys(fields).filter((each) => each in properties)
      assert.sameMembers(Object.keys(properties), known)
      for (const property of Object.values(properties)) {
        const { $ref, description } = Object(property)
        assert.isTrue(typeof description === "string" || typeof $ref === "string")
      }
    })
  }
})
