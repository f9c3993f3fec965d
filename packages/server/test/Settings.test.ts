/** The table of variables and what reads them. A new variable needs a row. */
import { globSync, readFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { ConfigProvider, Effect } from "effect"
import { assert, describe, it } from "vitest"
import { configuration } from "#src/Configuration"
import { askedNames, variableNames } from "#src/Misspelling"
import { foreignParts } from "#src/settings/ForeignVariables"
import { parts } from "#src/settings/Variables"

const all = parts.flatMap(({ variables }) => variables)

const parse = (variables: Readonly<Record<string, string>>) =>
  Effect.runPromise(configuration.parse(ConfigProvider.fromUnknown(variables)))

describe("the table of variables", () => {
  it("has a row for each that the configuration asks for", async () => {
    const asked = await Effect.runPromise(variableNames)
    const known = all.map(({ name }) => `VERBATIM_${name}`)
    assert.deepStrictEqual(asked.toSorted(), known.toSorted())
  })

  it("has a row for each that OpenTelemetry named, with its default", async () => {
    const asked = await Effect.runPromise(askedNames)
    const [telemetry] = foreignParts
    const known = telemetry?.variables ?? []
    assert.deepStrictEqual(
      asked.filter((name) => !name.startsWith("VERBATIM_")).toSorted(),
      known.map(({ name }) => name).toSorted()
    )
    for (const { name, unset } of known) {
      if (typeof unset !== "string" || unset === "") continue
      assert.deepStrictEqual(await parse({ [name]: unset }), await parse({}), name)
    }
  })

  it("has a row for each that code asks the system for", () => {
    const folder = new URL("../..", import.meta.url)
    const sources = globSync("{adapters,core,embed,http,server}/src/**/*.ts", { cwd: folder })
    const asked = sources.flatMap((path) => {
      const text = readFileSync(new URL(path, folder), "utf8")
      const lists = Array.from(
        text.matchAll(/\{([^{}]*)\} = (?:process\.)?env\b/g),
        ([, list]) => list
      )
      const alone = Array.from(text.matchAll(/\benv\.([A-Za-z]\w*)/g), ([, name]) => name)
      return [...lists, ...alone].flatMap((names = "") => names.match(/\w+/g) ?? [])
    })
    const known = foreignParts.flatMap(({ variables }) => variables.map(({ name }) => name))
    assert.includeMembers(asked, ["PATH", "XDG_CACHE_HOME", "NODE_COMPILE_CACHE"])
    assert.includeMembers(known, asked)
  })

  it("tells the values that the configuration has without them", async () => {
    for (const { name, unset } of all) {
      if (typeof unset === "string") {
        assert.deepStrictEqual(await parse({ [`VERBATIM_${name}`]: unset }), await parse({}), name)
      }
    }
    assert.strictEqual((await parse({})).transcribeConcurrency, availableParallelism())
  })
})
