/** Cases that take turns, commit by commit. */
import { assert, describe, it } from "@effect/vitest"
import { casesInTurn, scaleRuns } from "@verbatim/testkit/laws"

describe("Cases that take turns", () => {
  const cases = Array.from({ length: 10 }, (_, index) => index)

  it("are every third one, in their order", () => {
    const chosen = casesInTurn(cases, 3)
    const isWhole = scaleRuns(1) >= 3
    assert.deepStrictEqual(
      chosen,
      isWhole ? cases : cases.filter((each) => chosen.some((other) => other % 3 === each % 3))
    )
    assert.isAtLeast(chosen.length, 3)
  })

  it("are all of them where there is one turn, and none of none", () => {
    assert.deepStrictEqual(casesInTurn(cases, 1), cases)
    assert.deepStrictEqual(casesInTurn([], 3), [])
  })
})
