/** Tests that a span context survives formatting and parsing. */
import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import { formatTraceParent, parseTraceParent } from "#src/domain/job/TraceParent"

const hexadecimal = (length: number) =>
  Schema.String.check(Schema.isPattern(new RegExp(`^[0-9a-f]{${length - 1}}[1-9a-f]$`)))

describe("a span context", () => {
  it("gets leading zeros if it comes from a system with shorter ids", () => {
    const text = formatTraceParent({ traceId: "b3b3b3b3b3b3b3b3", spanId: "1", sampled: false })
    assert.strictEqual(text, "00-0000000000000000b3b3b3b3b3b3b3b3-0000000000000001-00")
  })

  it.prop(
    "survives formatting and parsing unchanged",
    [hexadecimal(32), hexadecimal(16), Schema.Boolean],
    ([traceId, spanId, sampled]) => {
      const place = { traceId, spanId, sampled }
      assert.deepStrictEqual(parseTraceParent(formatTraceParent(place)), Option.some(place))
    }
  )

  const ids = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"]
  for (const [what, text] of [
    ["nothing", ""],
    ["a trace id of zeros", `00-${"0".repeat(32)}-${ids[1]}-01`],
    ["a span id of zeros", `00-${ids[0]}-${"0".repeat(16)}-01`],
    ["a later version", `01-${ids.join("-")}-01`],
    ["trailing text", `00-${ids.join("-")}-01-x`],
    ["capitals", `00-${ids.join("-").toUpperCase()}-01`]
  ] as const) {
    it(`is not parsed from text with ${what}`, () => {
      assert.isTrue(Option.isNone(parseTraceParent(text)))
    })
  }
})
