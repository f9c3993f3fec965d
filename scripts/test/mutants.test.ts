/**
 * Tests that faults can be planted in the current code, and are judged only if the tests pass
 * without them.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { onTestFinished } from "vitest"
import { breakText, findBaseline, findFault, type Mutant } from "../mutants/Judging.ts"
import { mutants } from "../mutants/Mutants.ts"

const root = new URL("../../", import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), "utf8")

describe("The faults of `npm run mutants`", () => {
  it.each(mutants)("match exactly one place in the code: $fault", (mutant) => {
    const sound = read(mutant.file)
    assert.notStrictEqual(breakText(sound, mutant), sound)
    for (const test of mutant.tests ?? []) assert.isTrue(existsSync(new URL(test, root)), test)
  })

  it("break every guarantee in docs/guarantees.md", () => {
    const rows = read("docs/guarantees.md").matchAll(/^\| (G\d+) \|/gm)
    const broken = mutants.map(({ guarantee }) => guarantee)
    assert.includeMembers(
      broken,
      Array.from(rows, ([, name = ""]) => name)
    )
  })
})

const files = {
  "package.json": `{ "type": "module" }`,
  "vitest.config.ts": "export default {}",
  "sum.ts": "export const sum = (one: number, other: number) => one + other",
  "sum.test.ts": `import { assert, test } from "vitest"
    import { sum } from "./sum.ts"
    test("sums", () => assert.strictEqual(sum(1, 2), 3))`,
  "red.test.ts": `import { assert, test } from "vitest"
    test("always fails", () => assert.isTrue(false))`
}

/** A tiny repository with a test runner. */
const makeTree = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "verbatim-judging-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  symlinkSync(fileURLToPath(new URL("node_modules", root)), join(folder, "node_modules"))
  return folder
}

const subtracting: Mutant = {
  guarantee: "sums",
  fault: "subtracts",
  file: "sum.ts",
  text: "one + other",
  instead: "one - other",
  tests: ["sum.test.ts"]
}

describe("A copy with faults", () => {
  it("is rejected if a test is missing, or fails without a fault", () => {
    const folder = makeTree()
    assert.isUndefined(findBaseline(folder, [subtracting]))
    const red = { ...subtracting, tests: ["red.test.ts"] }
    assert.include(findBaseline(folder, [subtracting, red]), "always fails")
    assert.isDefined(findBaseline(folder, [{ ...subtracting, tests: ["gone.test.ts"] }]))
  })

  it("is tested with one fault at a time, and is restored after each fault", () => {
    const folder = makeTree()
    const path = join(folder, subtracting.file)
    assert.include(findFault(folder, subtracting), "sums")
    assert.isUndefined(findFault(folder, { ...subtracting, instead: "other + one" }))
    assert.strictEqual(readFileSync(path, "utf8"), files["sum.ts"])
  })

  it("rejects a fault that does not compile, because any test would find it", () => {
    const folder = makeTree()
    const torn = { ...subtracting, instead: "one + (" }
    assert.throws(() => findFault(folder, torn), /subtracts: sum.ts does not compile/)
    assert.throws(
      () => findFault(folder, { ...torn, text: "absent" }),
      /does not contain the text exactly once/
    )
  })
})
