import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Deployment from "../Deployment.ts"
import { ask, broken, read, refusalOf } from "./PresetCalls.ts"

const { inference } = Deployment.keys

const formats = {
  responses: { model: "m", input: "x" },
  "chat/completions": { model: "m", messages: [] },
  messages: { model: "m", messages: [], max_tokens: 1 }
}

const keyed = (path: string, json: object, key = path) =>
  ask({ path, json, headers: { "idempotency-key": key } })

const conflict = [409, "Idempotency-Key was already used with another request"]

const malformed = ["", "a b", "a\tb", "é", "k".repeat(256)]

layer(Deployment.layer(), { excludeTestServices: true })("a preset under a key", (it) => {
  for (const [format, body] of Object.entries(formats)) {
    it.effect(`from ${format} is made once and answered alike`, () =>
      Effect.gen(function* () {
        const path = `/keyed-${format.replace("/", "-")}/${format}`
        const first = yield* keyed(path, body)
        assert.strictEqual(first.status, 200)
        assert.deepStrictEqual(yield* keyed(path, body), first)
        for (const change of [{ model: "n" }, { metadata: { a: "b" } }, { stream: true }]) {
          assert.deepStrictEqual(refusalOf(yield* keyed(path, { ...body, ...change })), conflict)
        }
        const other = `/keyed-other/${format}`
        assert.deepStrictEqual(refusalOf(yield* keyed(other, body, path)), conflict)
        assert.strictEqual((yield* read("/keyed-other")).status, 404)
        const slug = first.body.data.slug
        assert.strictEqual((yield* read(`/${slug}/versions`)).body.total_count, 1)
      })
    )
  }

  it.effect("needs a key of 1 to 255 visible ASCII characters", () =>
    Effect.gen(function* () {
      const rule = broken("idempotency-key: must be 1 to 255 visible ASCII characters")
      for (const key of malformed) {
        const answer = yield* keyed("/malformed/responses", { model: "m" }, key)
        assert.deepStrictEqual(refusalOf(answer), rule, key)
      }
      assert.strictEqual((yield* keyed("/formed/responses", {}, "~".repeat(255))).status, 200)
    })
  )

  it.effect("is judged after the API key and the slug, before the body", () =>
    Effect.gen(function* () {
      const headers = { "idempotency-key": "a b" }
      const statusOf = (path: string, key?: string) =>
        Effect.map(
          ask({ path, key, headers, method: "POST", body: "no JSON" }),
          ({ body, status }) => [status, body.error.message.replace(/:.*/, "")]
        )
      assert.strictEqual((yield* statusOf("/x~y!/responses", "nobody"))[0], 401)
      assert.strictEqual((yield* statusOf("/x~y!/responses", inference))[0], 403)
      const path = "/x~y!/responses"
      const misnamed = yield* ask({ path, headers, json: { model: 1 } })
      assert.match(misnamed.body.error.message, /^Invalid request parameters: slug: /)
      const unread = yield* ask({ path: "/x/responses", headers, method: "POST", body: "no JSON" })
      assert.match(unread.body.error.message, /^Invalid request parameters: idempotency-key: /)
    })
  )
})
