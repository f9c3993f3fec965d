import { assert, describe, it } from "@effect/vitest"
import { boundaries } from "@verbatim/testkit/samples"
import { Result, Schema } from "effect"
import { decode, responses } from "#src/domain/request/RequestFormat"
import { ResponsesRequest, requestFields } from "#src/domain/request/ResponsesRequest"

const messageOf = (body: unknown): string => {
  const outcome = decode(responses, { body })
  return Result.isFailure(outcome) ? outcome.failure.message : "accepted"
}

describe("every constraint", () => {
  it("has rows, and every field has some", () => {
    assert.isAtLeast(boundaries.length, 150)
    const touched = new Set(boundaries.flatMap(({ refused }) => Object.keys(refused)))
    assert.sameMembers([...touched], Object.keys(requestFields))
  })

  for (const [index, { accepted, problem, refused }] of boundaries.entries()) {
    it(`${index + 1}: ${problem}`, () => {
      assert.strictEqual(messageOf(accepted), "accepted")
      assert.strictEqual(messageOf(refused), `Invalid request parameters: ${problem}`)
    })
  }
})

describe("the JSON Schema of the request", () => {
  const document = Schema.toJsonSchemaDocument(ResponsesRequest, {
    onExcessProperty: "error",
    includeAnnotationKey: (key) => key === "deprecated"
  })
  const text = JSON.stringify(document)

  it("names the parts", () =>
    assert.includeMembers(Object.keys(document.definitions), [
      "Plugin",
      "ProviderPreferences",
      "ResponsesRequest",
      "StopCondition",
      "Tool",
      "ToolChoice"
    ]))

  it("marks what is deprecated and names what replaces it", () => {
    assert.strictEqual(text.match(/"deprecated":true/g)?.length, 3)
    assert.include(text, "Deprecated: use `provider.sort.partition`")
    assert.include(text, "Deprecated: use `cost_tier`")
  })

  it("closes the provider preferences and nothing else", () => {
    assert.strictEqual(text.match(/"additionalProperties":false/g)?.length, 1)
    assert.strictEqual(document.definitions.ProviderPreferences?.additionalProperties, false)
  })
})
