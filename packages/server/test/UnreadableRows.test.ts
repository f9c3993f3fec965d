/** Tests that an unreadable row affects only requests for its own job or preset. */
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { call, createPreset, onServedFile } from "./Serving.ts"

const upload = Effect.suspend(() => {
  const body = new FormData()
  body.append("file", new File(["a few bytes"], "a.wav"))
  return Effect.map(call("/v1/transcribe", { method: "POST", body }), ({ json }) => json.id)
})

/** Changes rows without the server's knowledge, as a broken disk would. */
const change = (file: string, statement: string, ...values: ReadonlyArray<string>) => {
  const database = new DatabaseSync(file, { timeout: 5_000 })
  database.prepare(statement).run(...values)
  database.close()
}

const idsOf = ({ json }: { readonly json: { readonly data: ReadonlyArray<{ id: string }> } }) =>
  json.data.map(({ id }) => id)

describe("a row that cannot be read", () => {
  it.live("is omitted from the list of jobs, and the next page continues after it", () =>
    onServedFile(
      Effect.fnUntraced(function* (file) {
        const [first, second, third] = yield* Effect.all([upload, upload, upload])
        change(file, "UPDATE verbatim_jobs SET state = '{}' WHERE id = ?", second)
        const whole = yield* call("/v1/transcriptions")
        assert.deepStrictEqual([whole.status, idsOf(whole)], [200, [third, first]])
        const seen: Array<string> = []
        for (let cursor = ""; ; ) {
          const page = yield* call(`/v1/transcriptions?limit=1${cursor}`)
          assert.strictEqual(page.status, 200)
          seen.push(...idsOf(page))
          if (page.json.next_cursor === null) break
          cursor = `&cursor=${page.json.next_cursor}`
        }
        assert.deepStrictEqual(seen, [third, first])
        // A request for the unreadable job gets a server error without `Retry-After`.
        const broken = yield* call(`/v1/status/${second}`)
        assert.deepStrictEqual(broken, {
          status: 500,
          retryAfter: null,
          json: { detail: "Internal Server Error" }
        })
        for (const id of [first, third]) {
          assert.strictEqual((yield* call(`/v1/status/${id}`)).status, 200)
        }
        assert.strictEqual((yield* call("/health/ready")).status, 200)
      })
    )
  )

  it.live("is omitted from the list of presets", () =>
    onServedFile(
      Effect.fnUntraced(function* (file) {
        for (const slug of ["a", "b", "c"]) {
          assert.strictEqual((yield* createPreset(slug)).status, 200)
        }
        change(file, "UPDATE verbatim_presets SET status = 'odd' WHERE slug = ?", "b")
        const { json, status } = yield* call("/v1/presets")
        const slugs = json.data.map(({ slug }: { readonly slug: string }) => slug)
        assert.deepStrictEqual([status, slugs], [200, ["c", "a"]])
        const broken = yield* call("/v1/presets/b")
        assert.deepStrictEqual([broken.status, broken.retryAfter], [500, null])
        assert.strictEqual((yield* call("/v1/presets/a")).status, 200)
      })
    )
  )
})
