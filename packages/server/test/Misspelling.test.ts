import { assert, describe, it } from "@effect/vitest"
import { findSimilarVariable, variableNames } from "#src/SettingMistakes"
import { telemetryPart } from "#src/settings/Variables"

describe("the check for misspelt variables", () => {
  it("recognises every variable even with swapped or missing letters", () => {
    assert.isAbove(variableNames.length, 30)
    for (const name of variableNames) {
      assert.isUndefined(findSimilarVariable(name))
      const [last = "", ...others] = [...name].toReversed()
      const swapped = [others[0], last, ...others.slice(1)].toReversed().join("")
      for (const wrong of [swapped, name.slice(0, -1), `${name}S`, name.toLowerCase()]) {
        if (!variableNames.includes(wrong))
          assert.strictEqual(findSimilarVariable(wrong), name, wrong)
      }
    }
  })

  it("ignores names that resemble no variable, and names that orchestrators set", () => {
    const others = telemetryPart.variables.map(({ name }) => name)
    assert.include(others, "OTEL_SERVICE_NAME")
    for (const name of [
      ...others,
      "OTEL_SERVICE_NAM",
      "VERBATIM_SERVICE_HOST",
      "VERBATIM_PORT_8787_TCP_ADDR",
      "VERBATIM_TEST",
      "VERBATIM_COLOUR",
      "PORT",
      "HOST",
      "PATH"
    ]) {
      assert.isUndefined(findSimilarVariable(name), name)
    }
  })
})
