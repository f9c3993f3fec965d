/** The picture of folders. */
import { assert, describe, it } from "@effect/vitest"
import { arrowsOf, pictureOf, shortestOf, withPicture } from "../documents/Layers.ts"

const files = [
  { path: "index.ts", text: 'export * from "./worker/Worker.ts"' },
  {
    path: "worker/Worker.ts",
    text: 'import { A } from "../services/A.ts"\nimport "../domain/a/A.ts"'
  },
  { path: "services/A.ts", text: 'import { a } from "../domain/a/A.ts"' },
  { path: "domain/a/A.ts", text: 'import { Effect } from "effect"\nimport { b } from "./B.ts"' }
].map(({ path, text }) => ({
  path,
  text: text.replace('import "../', 'import type { T } from "../')
}))

describe("The picture of the folders", () => {
  it("has an arrow for each folder that imports another", () => {
    const arrows = arrowsOf(files)
    assert.deepStrictEqual([...(arrows.get("worker") ?? [])].sort(), ["domain/a", "services"])
    assert.deepStrictEqual([...(arrows.get("domain/a") ?? [])], [])
  })

  it("leaves out arrows that a longer way stands for", () => {
    assert.deepStrictEqual(shortestOf(arrowsOf(files)), [
      ["services", "domain/a"],
      ["worker", "services"]
    ])
  })

  it("stands between the marks of a document, or nowhere", () => {
    const picture = pictureOf(files)
    const document = "before\n<!-- layers -->\nold\n<!-- end of layers -->\nafter"
    assert.strictEqual(
      withPicture(document, picture),
      `before\n<!-- layers -->\n${picture}\n<!-- end of layers -->\nafter`
    )
    assert.isUndefined(withPicture("before", picture))
  })
})
