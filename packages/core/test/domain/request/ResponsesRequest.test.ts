import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { decode, responses } from "#src/domain/request/RequestFormat"
import { requestFields } from "#src/domain/request/ResponsesRequest"
import { boundaries } from "./boundaries/ResponsesBoundaries.ts"

const messageOf = (body: unknown): string => {
  const outcome = decode(responses, { body })
  return Result.isFailure(outcome) ? outcome.failure.message : "accepted"
}

describe("every constraint", () => {
  it("is tested by a row, and the rows cover every field", () => {
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
