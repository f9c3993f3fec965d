import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Deployment from "../Deployment.ts"
import { create, designate, patch, read, refusalOf } from "./PresetCalls.ts"

const { inference } = Deployment.keys

const pick = (objects: ReadonlyArray<Record<string, unknown>>, name: string) =>
  objects.map((object) => object[name])

layer(Deployment.layer(), { excludeTestServices: true })("reading presets", (it) => {
  it.effect("lists presets without their versions, most recently updated first", () =>
    Effect.gen(function* () {
      for (const slug of ["one", "two", "three"]) yield* create(slug, { model: slug })
      yield* patch("one", { description: "The first." })
      const { body } = yield* read("", inference)
      const { data: one } = (yield* read("/one")).body
      const { designated_version: _, ...listed } = one
      assert.strictEqual(body.total_count, 3)
      assert.deepStrictEqual(pick(body.data, "slug"), ["one", "three", "two"])
      assert.deepStrictEqual(body.data[0], {
        ...listed,
        designated_version_number: 1,
        latest_version_number: 1,
        latest_creator_id: listed.creator_user_id,
        labels: []
      })
    })
  )

  it.effect("shows a version with content that never changes", () =>
    Effect.gen(function* () {
      const made = yield* create("kept", { instructions: "Be kind.", model: "some/model" })
      yield* create("kept")
      const { body, etag, status } = yield* read("/kept/versions/1", inference)
      assert.deepStrictEqual([status, etag], [200, null])
      const { designated_version } = made.body.data
      // Within a preset, a version has the format in the specification, but without these three
      // fields.
      assert.deepStrictEqual(body, {
        data: { ...designated_version, format: "responses", variables: [], wins: [] }
      })
      assert.hasAllKeys(body.data, [
        "id",
        "preset_id",
        "version",
        "format",
        "variables",
        "wins",
        "creator_id",
        "system_prompt",
        "config",
        "created_at",
        "updated_at"
      ])
    })
  )

  it.effect("shows the earlier entity tag again after a preset is rolled back", () =>
    Effect.gen(function* () {
      const first = yield* create("back", { model: "a" })
      const second = yield* create("back", { model: "b" })
      const back = yield* designate("back", { version: 1 })
      const now = yield* read("/back", inference)
      assert.strictEqual(back.status, 200)
      assert.strictEqual(first.etag, `"${first.body.data.designated_version_id}"`)
      assert.notStrictEqual(second.etag, first.etag)
      assert.strictEqual(back.etag, first.etag)
      assert.deepStrictEqual(back.body.data.designated_version, first.body.data.designated_version)
      assert.deepStrictEqual([now.body, now.etag], [back.body, back.etag])
      const missing = yield* designate("back", { version: 3 })
      assert.deepStrictEqual(refusalOf(missing), [404, "Version not found"])
    })
  )

  it.effect("shows the history of designations", () =>
    Effect.gen(function* () {
      const made = yield* create("told")
      yield* create("told")
      yield* designate("told", { version: 1 })
      const { body } = yield* read("/told/designations", inference)
      const { body: page } = yield* read("/told/designations?offset=2&limit=1")
      assert.deepStrictEqual(pick(body.data, "from"), [null, 1, 2])
      assert.deepStrictEqual(pick(body.data, "to"), [1, 2, 1])
      assert.deepStrictEqual(page.data, [body.data[2]])
      assert.deepStrictEqual([body.total_count, page.total_count], [3, 3])
      assert.deepStrictEqual(body.data[0], {
        from: null,
        to: 1,
        designated_by: made.body.data.creator_user_id,
        designated_at: made.body.data.created_at
      })
    })
  )
})
