/** The picture of layers. */
import { assert, describe, it } from "@effect/vitest"
import { arrowsOf, drawParts, withParts } from "../documents/Parts.ts"

const parts = {
  "services()": { door: "a", gives: ["Jobs"], needs: ["Store", "Client", "Clock"] },
  "stores()": { door: "b", instead: "others", gives: ["Store", "Client"], needs: [] },
  "memory()": { door: "c", gives: ["Store"], needs: [] }
}

describe("The picture of the layers", () => {
  it("has one arrow to each that gives something, the first of several", () => {
    assert.deepStrictEqual(arrowsOf(parts), [
      ["services()", "stores()"],
      ["services()", "your own"]
    ])
  })

  it("names everything in its table", () => {
    const drawn = drawParts(parts)
    assert.include(drawn, '  part0["services()"]\n')
    assert.include(drawn, "  part0 --> part1\n  part0 --> part3\n```")
    assert.include(drawn, "| `services()` of `a` | `Jobs` | `Store`, `Client`, `Clock` |")
    assert.include(drawn, "| `stores()` of `b`; instead: others | `Store`, `Client` |  |")
  })

  it("stands between the marks of a document, or nowhere", () => {
    const document = "before\n<!-- parts -->\nold\n<!-- end of parts -->\nafter"
    assert.strictEqual(
      withParts(document, "$1"),
      "before\n<!-- parts -->\n$1\n<!-- end of parts -->\nafter"
    )
    assert.isUndefined(withParts("before", "new"))
  })
})
