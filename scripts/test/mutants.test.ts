/** Faults can be planted where their text still stands, and judged where nothing else fails. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { onTestFinished } from "vitest"
import { breakText, findBaseline, findFault } from "../mutants/Judging.ts"
import type { Mutant } from "../mutants/Mutant.ts"
import { mutants } from "../mutants/Mutants.ts"

const root = new URL("../../", import.meta.url)

describe("The faults of `npm run mutants`", () => {
  it.each([...mutants])("have their place in the code: $fault", (mutant) => {
    const { file, tests } = mutant
    const sound = readFileSync(new URL(file, root), "utf8")
    assert.notStrictEqual(breakText(sound, mutant), sound)
    for (const test of tests ?? []) assert.isTrue(existsSync(new URL(test, root)), test)
  })
})

const files = {
  "package.json": `{ "type": "module" }`,
  "vitest.config.ts": "export default {}",
  "packages/sum.ts": "export const sum = (one: number, other: number) => one + other",
  "packages/sum.test.ts": `import { assert, test } from "vitest"
    import { sum } from "./sum.ts"
    test("sums", () => assert.strictEqual(sum(1, 2), 3))`,
  "packages/red.test.ts": `import { assert, test } from "vitest"
    test("is red anyway", () => assert.isTrue(false))`
}

/** A repository of a few lines, with what runs its tests. */
const makeTree = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "verbatim-judging-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  symlinkSync(fileURLToPath(new URL("node_modules", root)), join(folder, "node_modules"))
  return folder
}

const subtracting: Mutant = {
  fault: "subtracts",
  file: "packages/sum.ts",
  text: "one + other",
  instead: "one - other",
  tests: ["packages/sum.test.ts"]
}

describe("A copy with faults", () => {
  it("is not judged by tests that fail without any, or that are not there", () => {
    const folder = makeTree()
    assert.isUndefined(findBaseline(folder, [subtracting]))
    const red = { ...subtracting, tests: ["packages/red.test.ts"] }
    assert.include(findBaseline(folder, [subtracting, red]), "red anyway")
    assert.isDefined(findBaseline(folder, [{ ...subtracting, tests: ["packages/gone.test.ts"] }]))
  })

  it("is judged fault by fault, and is sound again after each", () => {
    const folder = makeTree()
    const path = join(folder, subtracting.file)
    assert.include(findFault(folder, subtracting), "sums")
    assert.isUndefined(findFault(folder, { ...subtracting, instead: "other + one" }))
    assert.strictEqual(readFileSync(path, "utf8"), files["packages/sum.ts"])
  })

  it("takes no fault that leaves no program, which everything would find", () => {
    const folder = makeTree()
    const torn = { ...subtracting, instead: "one + (" }
    assert.throws(
      () => findFault(folder, torn),
      /subtracts: packages\/sum.ts is no program any more/
    )
    assert.throws(() => findFault(folder, { ...torn, text: "absent" }), /is not once in/)
  })
})
