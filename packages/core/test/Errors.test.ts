/** Every exported error has a tag and a message, whatever the values of its fields. */
import { assert, describe, it } from "@effect/vitest"
import * as Core from "@verbatim/core"
import { Arbitrary, Effect, Schema } from "effect"

type ErrorClass = Schema.Schema<Error>

const isErrorClass = (value: unknown): value is ErrorClass =>
  typeof value === "function" && value.prototype instanceof Error && Schema.isSchema(value)

const exported: ReadonlyArray<[string, unknown]> = Object.entries(Core)
const errors = exported.filter((entry): entry is [string, ErrorClass] => isErrorClass(entry[1]))

describe("core's exported errors", () => {
  it("number more than forty", () => {
    assert.isAbove(errors.length, 40)
  })

  for (const [name, error] of errors) {
    it.effect.prop(
      `include ${name}, which has a tag and a message`,
      [Arbitrary.schema(error)],
      ([made]) =>
        Effect.sync(() => {
          assert.strictEqual(Reflect.get(made, "_tag"), name)
          assert.isNotEmpty(made.message)
          assert.notMatch(made.message, /undefined|\[object/)
        })
    )
  }
})
