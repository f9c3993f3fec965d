/** The fuzz in short. `npm run fuzz` has the long form, and other seeds. */
import { scaleRuns } from "@verbatim/testkit/laws"
import { assert, describe, it } from "vitest"
import { run } from "./fuzz/Run.ts"

describe("a server under generated and broken requests", () => {
  it("answers each as its API says, and holds nothing of it", { timeout: 300_000 }, async () => {
    const outcome = await run({ requests: scaleRuns(2_400), seed: 14, log: () => undefined })
    assert.deepStrictEqual(outcome.wrong, [])
    const { after, answers, before } = outcome
    assert.isAtMost(after.descriptors, before.descriptors)
    // Requests of every operation came through, and none of them was only refused.
    const refusing = Object.entries(answers).flatMap(([operation, statuses]) =>
      Object.keys(statuses).some((status) => status.startsWith("2")) ? [] : [operation]
    )
    assert.deepStrictEqual(refusing, [])
  })
})
