/** Tests preset labels over HTTP: moves, reads, removal and history. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Deployment from "../Deployment.ts"
import { create, moveLabel, read, refusalOf, remove } from "./PresetCalls.ts"

const { inference } = Deployment.keys

const tag = (id: string) => ({ "if-match": `"${id}"` })

layer(Deployment.layer(), { excludeTestServices: true })("a label", (it) => {
  it.effect("points to a version, and shows when it was moved", () =>
    Effect.gen(function* () {
      const made = yield* create("pointed", { model: "one" })
      yield* create("pointed", { model: "two" })
      const { id } = made.body.data.designated_version
      const moved = yield* moveLabel("pointed@production", 1)
      assert.deepStrictEqual([moved.status, moved.etag], [200, `"${id}"`])
      const { moved_at, ...target } = moved.body.data
      assert.deepStrictEqual(target, { label: "production", version: 1, version_id: id })
      assert.match(moved_at, /^\d{4}-.*Z$/)
      const shown = yield* read("/pointed/labels/production", inference)
      assert.deepStrictEqual(shown, {
        status: 200,
        etag: `"${id}"`,
        body: { data: { ...moved.body.data, is_protected: false } }
      })
      yield* moveLabel("pointed@early", "latest")
      const { body } = yield* read("/pointed/labels", inference)
      assert.deepStrictEqual(
        body.data.map(({ label, version }: { label: string; version: number }) => [label, version]),
        [
          ["early", 2],
          ["production", 1]
        ]
      )
    })
  )

  it.effect("is moved only if it still points to the version that the caller saw", () =>
    Effect.gen(function* () {
      const ids: Array<string> = []
      for (const model of ["one", "two", "three"]) {
        ids.push((yield* create("fenced", { model })).body.data.designated_version.id)
      }
      const [first = "", second = ""] = ids
      const none = { "if-none-match": "*" }
      const refusals = [
        [moveLabel("fenced@p", 1, tag(first)), "Label does not exist"],
        [moveLabel("fenced@p", 1, none), undefined],
        [moveLabel("fenced@p", 2, none), "Label already exists"],
        [moveLabel("fenced@p", 2, tag(second)), "The label has moved"],
        [moveLabel("fenced@p", 2, tag(first)), undefined],
        [moveLabel("fenced@p", 3, { "if-none-match": `"${second}"` }), "The label has not moved"],
        [remove("/fenced/labels/p", tag(first)), "The label has moved"]
      ] as const
      for (const [moving, message] of refusals) {
        const status = message === undefined ? 200 : 409
        assert.deepStrictEqual(refusalOf(yield* moving), [status, message])
      }
      assert.strictEqual((yield* remove("/fenced/labels/p", tag(second))).status, 204)
    })
  )

  it.effect("keeps its history after it is removed", () =>
    Effect.gen(function* () {
      for (const model of ["one", "two"]) yield* create("moves", { model })
      for (const point of [1, 1, "latest"]) yield* moveLabel("moves@p", point)
      assert.deepStrictEqual(yield* remove("/moves/labels/p"), {
        status: 204,
        etag: null,
        body: null
      })
      assert.deepStrictEqual(refusalOf(yield* read("/moves/labels/p")), [404, "Label not found"])
      assert.deepStrictEqual(refusalOf(yield* remove("/moves/labels/p")), [404, "Label not found"])
      const { body } = yield* read("/moves/labels/p/moves", inference)
      const steps = body.data.map(({ from, to }: { from: unknown; to: unknown }) => [from, to])
      assert.deepStrictEqual(steps, [
        [null, 1],
        [1, 2],
        [2, null]
      ])
      assert.strictEqual(body.total_count, 3)
      assert.hasAllKeys(body.data[0], ["from", "to", "moved_by", "moved_at"])
      const page = yield* read("/moves/labels/p/moves?offset=2&limit=1")
      assert.deepStrictEqual([page.body.data.length, page.body.data[0].to], [1, null])
    })
  )
})
