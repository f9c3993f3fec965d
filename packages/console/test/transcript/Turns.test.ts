/** Writes of one page that take turns. */
import { assert, describe, it } from "vitest"
import { makeTurns } from "../../page/transcript/Turns.ts"

describe("writes that take turns", () => {
  it("begin when the one before has ended, also where it failed", async () => {
    const { take } = makeTurns()
    const held = Promise.withResolvers<void>()
    const begun: Array<string> = []
    const failed = take(async () => {
      begun.push("first")
      await held.promise
      throw new Error("no answer")
    }).catch(() => "failed")
    const second = take(async () => begun.push("second"))
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepStrictEqual(begun, ["first"])
    held.resolve()
    assert.strictEqual(await failed, "failed")
    await second
    assert.deepStrictEqual(begun, ["first", "second"])
  })

  it("go over what those before made, over nobody else's, and over a write of nothing", () => {
    const { newest, note } = makeTurns()
    note(1, 2)
    note(2, 3)
    assert.deepStrictEqual([1, 2, 3].map(newest), [3, 3, 3])
    // Somebody else has made 4.
    assert.strictEqual(newest(4), 4)
    // What changes nothing is answered with the version that was there.
    note(4, 4)
    note(4, 5)
    assert.strictEqual(newest(4), 5)
    note(5, 5)
    assert.strictEqual(newest(5), 5)
  })
})
