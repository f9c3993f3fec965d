/** Reading a long answer in parts: wherever it is cut, it is the same answer. */
import { it } from "@effect/vitest"
import { Schema } from "effect"
import { assert, describe } from "vitest"
import { makeListReader } from "../../page/transcript/ListStream.ts"

const Item = Schema.Struct({
  start: Schema.Literals(["0", "1.5"]),
  text: Schema.Literals(["", "We met.", `a "quoted" one`, "{[}]", `\\`, `"list":[`, "é\n"])
})

const read = (text: string, size: number) => {
  const reader = makeListReader<typeof Item.Type>()
  const items: Array<typeof Item.Type> = []
  let batches = 0
  for (let from = 0; from < text.length; from += size) {
    for (const batch of reader.take(text.slice(from, from + size))) {
      items.push(...batch)
      batches += 1
    }
  }
  return { items, batches, rest: reader.end() }
}

describe("makeListReader", () => {
  it.prop(
    "finds the items and the rest, wherever the text is cut",
    { list: Schema.Array(Item), size: Schema.Literals([1, 2, 3, 7, 64, 4_096]) },
    ({ list, size }) => {
      const rest = { id: "1", summary: `"list":[ {`, output: { language: "en", list: [] }, end: 1 }
      const whole = { ...rest, output: { ...rest.output, list } }
      const found = read(JSON.stringify(whole), size)
      assert.deepStrictEqual(found.items, [...list])
      assert.deepStrictEqual(found.rest, rest)
    }
  )

  it("is cut after some items, and is an answer still", () => {
    const list = Array.from({ length: 1_200 }, () => ({ start: "0", text: "a [ {" }))
    const reader = makeListReader<{ readonly start: string }>()
    const text = JSON.stringify({ id: "1", output: { language: "en", list }, end: 1 })
    const [first] = reader.take(text)
    assert.strictEqual(first?.length, 500)
    assert.deepStrictEqual(reader.cut(), { id: "1", output: { language: "en", list: [] } })
  })

  it("is an answer without a list, too", () => {
    assert.deepStrictEqual(read(`{"error":"It failed"}`, 4).rest, { error: "It failed" })
  })

  it("reads a long one in many small parts", () => {
    const list = Array.from({ length: 10_000 }, () => ({ start: "0", text: "We met." }))
    const { batches, items } = read(JSON.stringify({ list }), 65_536)
    assert.strictEqual(items.length, 10_000)
    assert.isAtLeast(batches, 15)
  })
})
