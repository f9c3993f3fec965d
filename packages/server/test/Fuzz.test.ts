/** The fuzz in short. `npm run fuzz` has the long form, and other seeds. */
import { scaleRuns } from "@verbatim/testkit/laws"
import { assert, describe, it } from "vitest"
import { run } from "./fuzz/Run.ts"

/** Operations that chance alone does not bring to their end, and why. */
const unreached: Readonly<Record<string, string>> = {
  "POST /v1/resolve": "its body must name a preset that is there",
  "DELETE /v1/presets/{slug}/versions/{version}/content": "nothing may point to the version",
  "GET /v1/transcriptions/{id}/corrections/{version}": "somebody must have corrected that job",
  "PUT /v1/transcriptions/{id}/corrections/current": "somebody must have corrected that job",
  "PUT /v1/transcriptions/{id}/speakers": "its body must name speakers that are there",
  "PATCH /v1/transcriptions/{id}/segments": "its body must name segments that are there",
  "DELETE /v1/presets/{slug}": "the preset must be archived before",
  "PUT /v1/labels/protected/{label}": "it takes a key with the scope of that label",
  "DELETE /v1/labels/protected/{label}": "it takes a key with the scope of that label"
}

describe("a server under generated and broken requests", () => {
  it("answers each as its API says, and holds nothing of it", async () => {
    const outcome = await run({ requests: scaleRuns(4_000), seed: 15, log: () => undefined })
    assert.deepStrictEqual(outcome.wrong, [])
    const { after, answers, before } = outcome
    assert.isAtMost(after.descriptors, before.descriptors)
    // Requests of every operation came through, and none of them was only refused.
    const refusing = Object.entries(answers).flatMap(([operation, statuses]) =>
      operation in unreached || Object.keys(statuses).some((status) => status.startsWith("2"))
        ? []
        : [operation]
    )
    assert.deepStrictEqual(refusing, [])
  })
})
