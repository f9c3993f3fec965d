/** A webhook receiver reads exactly the `callback_id` that the caller sent. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { decode, encode, isSendable } from "#src/domain/transcription/CallbackId"

/** Any UTF-16 text, even with lone surrogates and control characters. */
const anyText = Arbitrary.map(
  Arbitrary.array(
    Arbitrary.schema(
      Schema.Union([
        Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 0x10ffff })),
        Schema.Int.check(Schema.isBetween({ minimum: 0x20, maximum: 0x7e }))
      ])
    ),
    { maxLength: 40 }
  ),
  (points) => points.map((point) => String.fromCodePoint(point)).join("")
)

describe("CallbackId", () => {
  it.each([
    ["order-42", "order-42"],
    ["a b", "a b"],
    ["utf8-b64:abc", "utf8-b64:abc"],
    ["é", "utf8-b64:w6k="],
    ["订单-7", "utf8-b64:6K6i5Y2VLTc="],
    ["\u{1F3B5}", "utf8-b64:8J+OtQ=="],
    ["\uFEFFx", "utf8-b64:77u/eA=="]
  ])("sends %j as %j and reads it back", (id, header) => {
    assert.isTrue(isSendable(id))
    assert.strictEqual(encode(id), header)
    assert.strictEqual(decode(header), id)
  })

  it.each(["utf8-b64:", "utf8-b64:!", "utf8-b64:aGVsbG8=", "utf8-b64:/w==", "utf8-b64:w6l="])(
    "does not decode %j, because encoding never produces that text",
    (header) => assert.strictEqual(decode(header), header)
  )

  it.prop("has only printable ASCII in its header, and is decoded unchanged", [anyText], ([id]) => {
    if (!isSendable(id)) return
    assert.match(encode(id), /^[\x20-\x7e]*$/)
    assert.strictEqual(decode(encode(id)), id)
  })

  it.prop("can be any text that HTTP and UTF-8 can carry", [anyText], ([id]) => {
    const isCarried = id.isWellFormed() && !/\p{Cc}/u.test(id) && !/^ | $/.test(id)
    assert.strictEqual(isSendable(id), isCarried)
  })
})
