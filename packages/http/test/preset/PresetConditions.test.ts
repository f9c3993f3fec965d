import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Deployment from "../Deployment.ts"
import { broken, create, designate, fetchJson, patch, read, refusalOf } from "./PresetCalls.ts"

const formats = {
  responses: { model: "m" },
  "chat/completions": { messages: [] },
  messages: { messages: [], max_tokens: 1 }
}

const moved = [409, "The designated version has changed"]
const exists = [409, "Preset already exists"]
const done = [200, undefined]

type Headers = Readonly<Record<string, string>>

const make = (slug: string, headers: Headers, format: keyof typeof formats = "responses") =>
  fetchJson({ path: `/${slug}/${format}`, json: formats[format], headers })

const latest = (slug: string) =>
  Effect.map(read(`/${slug}/versions`), ({ body }) => body.total_count)

/**
 * Each row has the headers of a precondition, built from the current tag, and the expected outcome
 * if the preset exists.
 */
const rows: ReadonlyArray<readonly [(tag: string) => Headers, ReadonlyArray<unknown>]> = [
  [() => ({ "if-match": "*" }), done],
  [(tag) => ({ "if-match": tag }), done],
  [(tag) => ({ "if-match": `"x", ${tag}` }), done],
  [() => ({ "if-match": '"x"' }), moved],
  [(tag) => ({ "if-match": `W/${tag}` }), moved],
  [() => ({ "if-none-match": "*" }), exists],
  [() => ({ "if-none-match": ' "x" ' }), done],
  [(tag) => ({ "if-none-match": tag }), [409, "The designated version has not changed"]],
  [(tag) => ({ "if-none-match": `W/${tag}` }), [409, "The designated version has not changed"]],
  [(tag) => ({ "if-match": tag, "if-none-match": "*" }), exists]
]

layer(Deployment.layer(), { excludeTestServices: true })("a precondition", (it) => {
  for (const [index, [headersOf, outcome]] of rows.entries()) {
    it.effect(`applies to every write request: ${JSON.stringify(headersOf('"tag"'))}`, () =>
      Effect.gen(function* () {
        const slug = `every-${index}`
        yield* create(slug)
        const { etag } = yield* create(slug)
        const headers = headersOf(etag ?? "")
        assert.deepStrictEqual(refusalOf(yield* patch(slug, { name: "n" }, headers)), outcome)
        const same = { version: 2 }
        assert.deepStrictEqual(refusalOf(yield* designate(slug, same, headers)), outcome)
        assert.deepStrictEqual(refusalOf(yield* make(slug, headers)), outcome)
        assert.strictEqual(yield* latest(slug), outcome === done ? 3 : 2)
      })
    )
  }

  it.effect("is refused with 400 in every write request if it is malformed", () =>
    Effect.gen(function* () {
      yield* create("unread")
      const rule = "must be * or a list of entity tags in double quotes"
      for (const name of ["if-match", "if-none-match"]) {
        const headers = { [name]: "unquoted" }
        const expected = broken(`${name}: ${rule}`)
        assert.deepStrictEqual(refusalOf(yield* make("unread", headers)), expected)
        assert.deepStrictEqual(refusalOf(yield* patch("unread", {}, headers)), expected)
        assert.deepStrictEqual(
          refusalOf(yield* designate("unread", { version: 1 }, headers)),
          expected
        )
      }
      assert.strictEqual(yield* latest("unread"), 1)
    })
  )
})
