/** Labels of presets over HTTP: moved, read, removed, and their history. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Deployment from "../Deployment.ts"
import { ask, create, moveLabel, patch, read, refusalOf, remove } from "./PresetCalls.ts"

const { inference } = Deployment.keys

const tag = (id: string) => ({ "if-match": `"${id}"` })

layer(Deployment.layer(), { excludeTestServices: true })("a label", (it) => {
  it.effect("points to a version, and says since when", () =>
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

  it.effect("is moved while it is where the caller saw it", () =>
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

  it.effect("has a history, which outlives it", () =>
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

  it.effect("is refused where it cannot point", () =>
    Effect.gen(function* () {
      yield* create("off")
      assert.deepStrictEqual(refusalOf(yield* moveLabel("none@p", 1)), [404, "Preset not found"])
      assert.deepStrictEqual(refusalOf(yield* moveLabel("off@p", 2)), [404, "Version not found"])
      assert.deepStrictEqual(refusalOf(yield* moveLabel("off@p", "q")), [404, "Label not found"])
      for (let index = 0; index < 50; index += 1) yield* moveLabel(`off@l${index}`, 1)
      assert.deepStrictEqual(refusalOf(yield* moveLabel("off@p", 1)), [
        409,
        "The preset off has 50 labels, as many as are allowed"
      ])
      yield* patch("off", { status: "archived" })
      assert.deepStrictEqual(refusalOf(yield* moveLabel("off@l0", 1)), [409, "Preset is archived"])
      assert.deepStrictEqual(refusalOf(yield* remove("/off/labels/l0")), [
        409,
        "Preset is archived"
      ])
    })
  )

  it.effect("is judged after the key, its body last", () =>
    Effect.gen(function* () {
      const path = "/a+b/labels/UPPER"
      const bad = { path, method: "PUT", body: "no JSON", headers: { "if-match": "no tag" } }
      assert.strictEqual((yield* ask({ ...bad, key: "nobody" })).status, 401)
      assert.deepStrictEqual(refusalOf(yield* ask({ ...bad, key: inference })), [
        403,
        "Only management keys can perform this operation"
      ])
      const messageOf = (call: { readonly path: string }) =>
        Effect.map(ask({ ...bad, ...call }), ({ body }) => body.error.message.split(": ")[1])
      assert.strictEqual(yield* messageOf({ path }), "slug")
      assert.strictEqual(yield* messageOf({ path: "/a/labels/UPPER" }), "label")
      assert.strictEqual(yield* messageOf({ path: "/a/labels/p" }), "if-match")
      const gone = { ...bad, method: "DELETE" }
      assert.strictEqual((yield* ask({ ...gone, key: inference })).status, 403)
      assert.strictEqual((yield* ask(gone)).status, 400)
    })
  )
})
