/**
 * Every variable of an operator, set to an unusual value, and what a client then sees of real
 * servers: an answer, or what a request makes them do. A new variable needs a row.
 */
import { globSync, readFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { chooseCases } from "@verbatim/testkit/laws"
import { ConfigProvider, Effect } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { configuration } from "#src/Configuration"
import { askedNames, variableNames } from "#src/Misspelling"
import { foreignParts } from "#src/settings/ForeignVariables"
import { type Name, parts } from "#src/settings/Variables"
import { evidence } from "./settings/Evidence.ts"
import { keptRows, otherPlaces } from "./settings/KeptRows.ts"
import { processRows } from "./settings/ProcessRows.ts"
import type { Row } from "./settings/Row.ts"
import { type RunName, settingsOf } from "./settings/Runs.ts"
import { Stage } from "./settings/Stage.ts"
import { workRows } from "./settings/WorkRows.ts"

const rows: Readonly<Record<Name, Row>> = { ...processRows, ...keptRows, ...workRows }

const all = parts.flatMap(({ variables }) => variables)

/** Servers of a test cannot share a port, and have keys that the test knows. */
const alwaysSet = new Set(["PORT", "BOOTSTRAP_MANAGEMENT_KEY", "BOOTSTRAP_INFERENCE_KEY"])

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

describe("a setting is seen", () => {
  let stage: Stage

  beforeAll(async () => {
    stage = await Stage.open()
  })

  afterAll(() => stage.close())

  // Each commit looks at every second one; `.ci/run` looks at all of them.
  for (const { name } of chooseCases(all, 2)) {
    const { seen } = evidence[name as Name]
    const { expected, look, otherwise, unusual, usual } = rows[name as Name]
    it(`VERBATIM_${name}: ${seen}`, async () => {
      const settingAt = (run: RunName) => settingsOf(run, stage.neighbours)[name] || undefined
      if (name !== "DATA_DIR") assert.isDefined(settingAt(unusual))
      assert.deepStrictEqual(await look(stage, unusual, expected), expected)
      if (typeof usual !== "string") return
      if (!alwaysSet.has(name)) assert.isUndefined(settingAt(usual))
      assert.deepStrictEqual(await look(stage, usual, otherwise), otherwise)
    })
  }

  it("in other places too: a folder, a file, the folder where it runs", async () => {
    const { file, folder, here } = otherPlaces
    assert.isTrue(await folder(stage, "fetching", true))
    assert.isTrue(await file(stage, "fetching", true))
    assert.isTrue(await here(stage, "keyless", true))
  })
})
