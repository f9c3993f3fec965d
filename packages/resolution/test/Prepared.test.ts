/** Tests that a version resolves each of many requests as if it were the only one. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { formats } from "#src/index"
import { resolve } from "#src/Resolution"
import { configOf, requestOf } from "./generated.ts"

/** Up to four groups of requests, with one request per format in each group. */
const requests = Arbitrary.array(Arbitrary.all(formats.map((format) => requestOf(format))), {
  maxLength: 4
})

const prompt = Arbitrary.schema(Schema.NullOr(Schema.Literals(["", "Be brief."])))

describe("a prepared version", () => {
  for (const format of formats) {
    it.prop(
      `resolves each request as if it were the only one, in ${format}`,
      [configOf(format), prompt, requests],
      ([config, systemPrompt, all]) => {
        const version = { version: 3, format, systemPrompt, config }
        const untouched = structuredClone(version)
        for (const request of all.flat()) {
          for (const asked of [undefined, ...formats]) {
            assert.deepStrictEqual(
              resolve(version, request, asked),
              resolve({ ...version }, request, asked)
            )
          }
        }
        assert.deepStrictEqual(version, untouched)
      }
    )
  }
})
