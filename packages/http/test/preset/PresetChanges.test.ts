import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { json } from "../Bodies.ts"
import * as Deployment from "../Deployment.ts"
import { ask, create, designate, patch, read, refusalOf } from "./PresetCalls.ts"

const { inference } = Deployment.keys

const moved = [409, "The designated version has changed"]
const archived = [409, "Preset is archived"]

/** What a header may ask for while `current` is the tag, and whether the change is made then. */
const conditions: ReadonlyArray<readonly [header: (current: string) => string, isMet: boolean]> = [
  [() => "*", true],
  [(current) => current, true],
  [(current) => `"other", ${current}`, true],
  [(current) => `W/"x",${current} , "y"`, true],
  [(current) => `, ${current},,`, true],
  [() => '"other"', false],
  [() => '""', false],
  [() => '"a,b"', false],
  [(current) => `W/${current}`, false],
  [(current) => current.toUpperCase(), false]
]

/** Status by status: which change is made, and which is refused. */
const moves: ReadonlyArray<readonly [from: string, to: string, status: number]> = [
  ["active", "disabled", 200],
  ["active", "archived", 200],
  ["disabled", "active", 200],
  ["disabled", "archived", 200],
  ["archived", "active", 200],
  ["archived", "disabled", 409],
  ["active", "active", 200],
  ["disabled", "disabled", 200],
  ["archived", "archived", 200]
]

layer(Deployment.layer(), { excludeTestServices: true })("a preset that exists", (it) => {
  it.effect("is rolled back, and says so in its tag", () =>
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

  for (const [index, [header, isMet]] of conditions.entries()) {
    const shown = header('"current"')
    it.effect(`${isMet ? "changes" : "does not change"} if-match: ${shown}`, () =>
      Effect.gen(function* () {
        const slug = `if-${index}`
        yield* create(slug)
        const { etag } = yield* create(slug)
        const headers = { "if-match": header(etag ?? "") }
        const described = yield* patch(slug, { description: "d" }, headers)
        const answer = yield* designate(slug, { version: 1 }, headers)
        const { body } = yield* read(`/${slug}`)
        assert.deepStrictEqual(refusalOf(answer), isMet ? [200, undefined] : moved)
        assert.deepStrictEqual(refusalOf(described), isMet ? [200, undefined] : moved)
        assert.strictEqual(body.data.designated_version.version, isMet ? 1 : 2)
        assert.strictEqual(body.data.description, isMet ? "d" : null)
      })
    )
  }

  it.effect("is changed in part, and what is left out stays", () =>
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

  it.effect("does not change when nothing is asked for", () =>
    Effect.gen(function* () {
      const before = yield* read("/part")
      const after = yield* patch("part", {})
      assert.deepStrictEqual(after, before)
    })
  )

  for (const [from, to, status] of moves) {
    it.effect(`goes from ${from} to ${to}: ${status}`, () =>
      Effect.gen(function* () {
        const slug = `${from}-${to}`
        yield* create(slug)
        yield* patch(slug, { status: from })
        const answer = yield* patch(slug, { status: to })
        assert.deepStrictEqual(refusalOf(answer), status === 200 ? [200, undefined] : archived)
        const { body } = yield* read(`/${slug}`)
        assert.strictEqual(body.data.status, status === 200 ? to : from)
      })
    )
  }

  it.effect("takes nothing but its return while it is archived, and can still be read", () =>
    Effect.gen(function* () {
      yield* create("gone")
      yield* patch("gone", { status: "archived" })
      const refused = [
        yield* create("gone"),
        yield* ask({ path: "/gone/messages", json: { messages: [] } }),
        yield* designate("gone", { version: 1 }),
        yield* patch("gone", { name: "n" })
      ]
      const { status } = yield* read("/gone/versions/1")
      const restored = yield* patch("gone", { status: "active", name: "Here" })
      for (const answer of refused) assert.deepStrictEqual(refusalOf(answer), archived)
      assert.deepStrictEqual([status, restored.status, restored.body.data.name], [200, 200, "Here"])
    })
  )

  it.effect("is not there, or has no such version: 404", () =>
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

  it.effect("is judged in the order key, kind of key, slug, body", () =>
    Effect.gen(function* () {
      const writes = [
        { path: "/a%20b/designated-version", method: "PUT" },
        { path: "/a%20b", method: "PATCH" },
        ...["responses", "chat/completions", "messages"].map((format) => ({
          path: `/a%20b/${format}`,
          method: "POST"
        }))
      ]
      const wrong = json("{")
      for (const write of writes) {
        const unknown = yield* ask({ ...write, ...wrong, key: "nobody" })
        const reader = yield* ask({ ...write, ...wrong, key: inference })
        const badSlug = yield* ask({ ...write, ...wrong })
        const badBody = yield* ask({ ...write, ...wrong, path: write.path.replace("%20", "") })
        assert.deepStrictEqual(refusalOf(unknown), [401, "Invalid API key"])
        assert.deepStrictEqual(refusalOf(reader), [
          403,
          "Only management keys can perform this operation"
        ])
        assert.include(badSlug.body.error.message, "parameters: slug: ")
        assert.include(badBody.body.error.message, "parameters: body: must be JSON")
      }
    })
  )
})
