/** Tests unsaved corrections to a transcript. */
import { assert, describe, it } from "vitest"
import { makeDraft } from "../../page/transcript/Draft.ts"

const first = { first: 0, end: 2 }
const second = { first: 2, end: 4 }

describe("unsaved corrections", () => {
  it("are restored without losing later corrections in other blocks", () => {
    const draft = makeDraft("taken back")
    draft.begin(first.first)
    draft.write(0, { before: "One.", text: "First." })
    draft.name(first, "Ana")
    const takeBack = draft.drop(first)
    assert.isFalse(draft.has(first))
    draft.begin(second.first)
    draft.write(2, { before: "Two.", text: "Second." })
    draft.name(second, "Ben")
    takeBack()
    assert.strictEqual(draft.textOf(0)?.text, "First.")
    assert.strictEqual(draft.speakerOf(first), "Ana")
    assert.strictEqual(draft.textOf(2)?.text, "Second.")
    assert.strictEqual(draft.speakerOf(second), "Ben")
  })

  it("move with their segments when earlier segments are split or joined", () => {
    const draft = makeDraft("moved")
    draft.begin(second.first)
    draft.write(2, { before: "Two.", text: "Second." })
    draft.name(second, "Ben")
    draft.move((index) => index + 1)
    assert.isUndefined(draft.textOf(2))
    assert.strictEqual(draft.textOf(3)?.text, "Second.")
    assert.strictEqual(draft.speakerOf({ first: 3, end: 5 }), "Ben")
    assert.isTrue(draft.isOpen({ first: 3, end: 5 }))
  })

  it("are not restored for a block that was saved in the meantime", () => {
    const draft = makeDraft("saved")
    draft.write(2, { before: "Two.", text: "Second." })
    draft.write(0, { before: "One.", text: "First." })
    const takeBack = draft.drop(first)
    draft.drop(second)
    takeBack()
    assert.isTrue(draft.has(first))
    assert.isFalse(draft.has(second))
  })
})
