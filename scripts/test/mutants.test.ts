/** Faults can be planted only where their text still stands. */
import { existsSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { mutants } from "../mutants/Mutants.ts"

const root = new URL("../../", import.meta.url)

describe("The faults of `npm run mutants`", () => {
  it.each([...mutants])("have their place in the code: $fault", ({ file, tests, text }) => {
    assert.lengthOf(readFileSync(new URL(file, root), "utf8").split(text), 2)
    for (const test of tests ?? []) assert.isTrue(existsSync(new URL(test, root)), test)
  })
})
