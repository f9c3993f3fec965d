/** Whatever core refuses, a host can catch by class and by code, with words. */
import { assert, describe, it } from "@effect/vitest"
import * as Core from "@verbatim/core"
import { Fault, VerbatimError } from "@verbatim/embed"
import { Arbitrary, Cause, Effect, Schema } from "effect"
import { rejectionOf } from "#src/open/Rejection"

type ErrorClass = Schema.Schema<Error>

const isErrorClass = (value: unknown): value is ErrorClass =>
  typeof value === "function" && value.prototype instanceof Error && Schema.isSchema(value)

const exported: ReadonlyArray<[string, unknown]> = Object.entries(Core)
const errors = exported.filter((entry): entry is [string, ErrorClass] => isErrorClass(entry[1]))

describe("a rejection", () => {
  for (const [name, error] of errors) {
    it.effect.prop(`has a class, a code and words: ${name}`, [Arbitrary.schema(error)], ([made]) =>
      Effect.sync(() => {
        const caught = rejectionOf(Cause.fail(made))
        assert(caught instanceof VerbatimError)
        assert.strictEqual(caught.code, name)
        assert.isNotEmpty(caught.message)
        assert.isNotEmpty(caught._tag)
        assert.strictEqual(caught.cause, made)
      })
    )
  }

  it("is a fault of ours where nobody expected it", () => {
    const caught = rejectionOf(Cause.die(new TypeError("x is not a function")))
    assert.instanceOf(caught, Fault)
    assert.instanceOf(caught.cause, TypeError)
    assert.notInclude(caught.message, "not a function")
  })

  it("leaves what the host threw as it is", () => {
    const own = new RangeError("mine")
    assert.strictEqual(rejectionOf(Cause.fail(own)), own)
  })
})
