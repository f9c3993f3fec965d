import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Deployment from "../Deployment.ts"
import { fetchJson, read, refusalOf } from "./PresetCalls.ts"

const formats = {
  responses: { model: "m", input: "x" },
  "chat/completions": { model: "m", messages: [] },
  messages: { model: "m", messages: [], max_tokens: 1 }
}

const keyed = (path: string, json: object, key = path) =>
  fetchJson({ path, json, headers: { "idempotency-key": key } })

const conflict = [409, "Idempotency-Key was already used with another request"]

layer(Deployment.layer(), { excludeTestServices: true })(
  "a preset created with an idempotency key",
  (it) => {
    for (const [format, body] of Object.entries(formats)) {
      it.effect(
        `is created only once, and repeated requests get the same response: ${format}`,
        () =>
          Effect.gen(function* () {
            const path = `/keyed-${format.replace("/", "-")}/${format}`
            const first = yield* keyed(path, body)
            assert.strictEqual(first.status, 200)
            assert.deepStrictEqual(yield* keyed(path, body), first)
            for (const change of [{ model: "n" }, { metadata: { a: "b" } }, { stream: true }]) {
              assert.deepStrictEqual(
                refusalOf(yield* keyed(path, { ...body, ...change })),
                conflict
              )
            }
            const other = `/keyed-other/${format}`
            assert.deepStrictEqual(refusalOf(yield* keyed(other, body, path)), conflict)
            assert.strictEqual((yield* read("/keyed-other")).status, 404)
            const slug = first.body.data.slug
            assert.strictEqual((yield* read(`/${slug}/versions`)).body.total_count, 1)
          })
      )
    }
  }
)
