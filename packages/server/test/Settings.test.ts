/** Tests that the table lists all variables that the program reads. A new variable needs a row. */
import { availableParallelism } from "node:os"
import { ConfigProvider, Effect } from "effect"
import { assert, describe, it } from "vitest"
import { configuration } from "#src/Configuration"
import { variableNames } from "#src/SettingMistakes"
import { parts, telemetryPart } from "#src/settings/Variables"

const all = parts.flatMap(({ variables }) => variables)

const parse = (variables: Readonly<Record<string, string>>) =>
  Effect.runPromise(configuration.parse(ConfigProvider.fromUnknown(variables)))

/** The names that the configuration reads. */
const findNames = async () => {
  const names = new Set<string>()
  const provider = ConfigProvider.make((path) =>
    Effect.sync(() => {
      names.add(path.join("_"))
      return undefined
    })
  )
  await Effect.runPromise(configuration.parse(provider))
  const isOwn = (name: string) => name.startsWith("VERBATIM_")
  return Object.groupBy([...names].toSorted(), (name) => (isOwn(name) ? "own" : "others"))
}

describe("the table of variables", () => {
  it("has a row for every variable that the configuration reads", async () => {
    assert.deepStrictEqual((await findNames()).own, variableNames.toSorted())
  })

  it("has a row for every OpenTelemetry variable, with its default", async () => {
    const known = telemetryPart.variables
    assert.deepStrictEqual((await findNames()).others, known.map(({ name }) => name).toSorted())
    for (const { name, unset } of known) {
      if (typeof unset !== "string" || unset === "") continue
      assert.deepStrictEqual(await parse({ [name]: unset }), await parse({}), name)
    }
  })

  it("shows the defaults that the configuration uses", async () => {
    for (const { name, unset } of all) {
      if (typeof unset === "string") {
        assert.deepStrictEqual(await parse({ [`VERBATIM_${name}`]: unset }), await parse({}), name)
      }
    }
    assert.strictEqual((await parse({})).transcribeConcurrency, availableParallelism())
  })
})
