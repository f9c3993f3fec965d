/** Ids in few letters, as lists show them beside names. */
import { assert, describe, it } from "vitest"
import { endOf } from "../../page/ui/Ids.ts"

describe("an id in few letters", () => {
  it("is another one for each of two users, and of two keys that were made at once", () => {
    const one = "0194246d-1a2b-7c3b-8d4e-5f6a7b8c9d0e"
    const other = "0194246d-1a2b-7c3b-9d4e-6f6a7b8c9d0e"
    for (const kind of ["", "user_"]) assert.notStrictEqual(endOf(kind + one), endOf(kind + other))
  })
})
