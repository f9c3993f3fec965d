/** Ids in few letters, as lists show them beside names. */
import { assert, describe, it } from "vitest"
import { endOf, makeId } from "../../page/ui/Words.ts"

describe("an id in few letters", () => {
  it("is another one for each of two users, and of two keys that were made at once", () => {
    const one = "0194246d-1a2b-7c3b-8d4e-5f6a7b8c9d0e"
    const other = "0194246d-1a2b-7c3b-9d4e-6f6a7b8c9d0e"
    for (const kind of ["", "user_"]) assert.notStrictEqual(endOf(kind + one), endOf(kind + other))
  })
})

describe("an id of our own", () => {
  it("is a UUID, and another one each time", () => {
    const ids = Array.from({ length: 100 }, makeId)
    for (const id of ids) {
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    }
    assert.lengthOf([...new Set(ids)], 100)
  })
})
