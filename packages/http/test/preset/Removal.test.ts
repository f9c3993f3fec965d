/**
 * Tests over HTTP how presets are removed and found, how content is erased, and how versions are
 * compared.
 */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Deployment from "../Deployment.ts"
import { create, fetchJson, moveLabel, patch, read, refusalOf, remove } from "./PresetCalls.ts"

const { inference } = Deployment.keys

const onlyManagement = [403, "Only management keys can perform this operation"]

layer(Deployment.layer(), { excludeTestServices: true })("a version's content", (it) => {
  it.effect("can be erased, but the version's number stays and is marked as erased", () =>
    Effect.gen(function* () {
      const secret = "the secret of a prompt"
      const first = yield* create("erased", { instructions: secret, model: "one" })
      yield* create("erased", { model: "two" })
      const { config: _, system_prompt: __, ...kept } = first.body.data.designated_version
      const gone = yield* remove("/erased/versions/1/content")
      const { erased_at, erased_by, ...rest } = gone.body.data
      assert.strictEqual(gone.status, 200)
      assert.deepStrictEqual(rest, {
        ...{ ...kept, format: "responses", variables: [], wins: [] },
        ...{ system_prompt: null, config: {} }
      })
      assert.match(erased_at, /^\d{4}-.*Z$/)
      assert.strictEqual(erased_by, kept.creator_id)
      assert.deepStrictEqual(yield* remove("/erased/versions/1/content"), gone)
      assert.deepStrictEqual((yield* read("/erased/versions/1")).body, gone.body)
      const { body } = yield* read("/erased/versions")
      assert.deepStrictEqual(body.data[0], gone.body.data)
      assert.notInclude(JSON.stringify(body), secret)
      assert.notProperty(body.data[1], "erased_at")
    })
  )
})

layer(Deployment.layer(), { excludeTestServices: true })("a preset", (it) => {
  it.effect("can be removed once it is archived, which frees its slug", () =>
    Effect.gen(function* () {
      const made = yield* create("goes", { model: "one" })
      yield* moveLabel("goes@production", 1)
      assert.deepStrictEqual(refusalOf(yield* remove("/goes")), [
        409,
        "The preset goes is active: only an archived one can be removed"
      ])
      yield* patch("goes", { status: "archived" })
      assert.deepStrictEqual(
        refusalOf(yield* fetchJson({ path: "/goes", method: "DELETE", key: inference })),
        onlyManagement
      )
      assert.deepStrictEqual(refusalOf(yield* remove("/goes", { "if-match": '"x"' })), [
        409,
        "The designated version has changed"
      ])
      assert.strictEqual((yield* remove("/goes", { "if-match": "no tag" })).status, 400)
      const tag = { "if-match": made.etag ?? "" }
      assert.deepStrictEqual(yield* remove("/goes", tag), { status: 204, etag: null, body: null })
      for (const path of ["/goes", "/goes/versions", "/goes/labels", "/goes/designations"]) {
        assert.deepStrictEqual(refusalOf(yield* read(path)), [404, "Preset not found"])
      }
      assert.deepStrictEqual(refusalOf(yield* remove("/goes")), [404, "Preset not found"])
      const again = yield* create("goes", { model: "new" })
      assert.strictEqual(again.body.data.designated_version.version, 1)
      assert.notStrictEqual(again.body.data.id, made.body.data.id)
      assert.deepStrictEqual((yield* read("/goes/labels")).body, { data: [] })
    })
  )
})

layer(Deployment.layer(), { excludeTestServices: true })("presets", (it) => {
  it.effect("are found by a combination of status, label and text", () =>
    Effect.gen(function* () {
      for (const slug of ["bot", "robot", "other"]) yield* create(slug)
      yield* patch("other", { description: "No BOT_ at all, 100%" })
      yield* patch("robot", { status: "disabled" })
      for (const slug of ["bot", "robot"]) yield* moveLabel(`${slug}@production`, 1)
      const found = (query: string) =>
        Effect.map(read(`?${query}`, inference), ({ body }) => {
          const slugs = body.data.map(({ slug }: { readonly slug: string }) => slug)
          return [slugs.toSorted(), body.total_count]
        })
      const rows: ReadonlyArray<readonly [string, ReadonlyArray<string>, number]> = [
        ["text=bot", ["bot", "other", "robot"], 3],
        ["label=production&text=ro&status=disabled", ["robot"], 1],
        ["text=bot&limit=1&offset=3", [], 3]
      ]
      for (const [query, slugs, total] of rows) {
        assert.deepStrictEqual(yield* found(query), [slugs, total], query)
      }
    })
  )
})
