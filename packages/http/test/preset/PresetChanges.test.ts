import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Deployment from "../Deployment.ts"
import { create, designate, patch, read, refusalOf } from "./PresetCalls.ts"

const { inference } = Deployment.keys
layer(Deployment.layer(), { excludeTestServices: true })("an existing preset", (it) => {
  it.effect("can be rolled back, which changes its entity tag", () =>
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
    })
  )

  it.effect("can be changed in part, and keeps the fields that a change omits", () =>
    Effect.gen(function* () {
      const made = yield* create("part")
      const named = yield* patch("part", { name: "Part 🎛", description: "Long." })
      const disabled = yield* patch("part", { status: "disabled" })
      const cleared = yield* patch("part", { description: null })
      const { data } = cleared.body
      assert.strictEqual(named.body.data.status_updated_at, null)
      assert.notStrictEqual(disabled.body.data.status_updated_at, null)
      assert.deepStrictEqual(
        [data.name, data.description, data.status, data.slug],
        ["Part 🎛", null, "disabled", "part"]
      )
      assert.deepStrictEqual(
        [cleared.etag, data.created_at],
        [made.etag, made.body.data.created_at]
      )
    })
  )

  it.effect("cannot be changed under an unknown slug, or designate an unknown version", () =>
    Effect.gen(function* () {
      const headers = { "if-match": '"other"' }
      const missing = [404, "Preset not found"]
      assert.deepStrictEqual(refusalOf(yield* designate("no", { version: 1 }, headers)), missing)
      assert.deepStrictEqual(refusalOf(yield* patch("no", {}, headers)), missing)
      yield* create("yes")
      const answer = yield* designate("yes", { version: 2 })
      assert.deepStrictEqual(refusalOf(answer), [404, "Version not found"])
    })
  )
})
