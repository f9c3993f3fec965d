/** A job's details, and filtered lists. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { file, form } from "../Bodies.ts"
import * as Deployment from "../Deployment.ts"

const { inference } = Deployment.keys

const ask = Effect.fnUntraced(function* (path: string, method = "GET") {
  const { call } = yield* Deployment.Deployment
  const answer = yield* call(`/v1/transcriptions${path}`, { method, key: inference })
  return { ...answer, body: answer.text === "" ? undefined : JSON.parse(answer.text) }
})

const idsOf = (query: string): Effect.Effect<ReadonlyArray<string>, never, Deployment.Deployment> =>
  Effect.map(ask(query), ({ body }) => body.data.map(({ id }: { readonly id: string }) => id))

layer(Deployment.layer(), { excludeTestServices: true })("the job operations", (it) => {
  it.effect("show the details of a job, and find a job by its callback id and date", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment.Deployment
      const parts: ReadonlyArray<readonly [string, string | File]> = [
        ["callback_id", "an & id"],
        ["summary", "long"],
        ["keywords", "Ada, Zoë"],
        ["file", file("Meeting 7.mp3")]
      ]
      const { text } = yield* call("/v1/transcribe", { key: inference, body: form(parts) })
      const { id } = JSON.parse(text)
      const { body } = yield* ask("?callback_id=an%20%26%20id")
      assert.strictEqual(body.data.length, 1)
      const known = { id, filename: "Meeting 7.mp3", summary_requested: "long" }
      assert.deepInclude(body.data[0], known)
      const { created_at } = body.data[0]
      const since = yield* idsOf(`?created_after=${created_at}`)
      assert.include(since, id)
      assert.notInclude(yield* idsOf(`?created_before=${created_at}`), id)
      const details = yield* ask(`/${id}`)
      assert.strictEqual(details.status, 200)
      assert.match(details.headers.get("content-type") ?? "", /^application\/json/)
      assert.deepInclude(details.body, { ...known, created_at, callback_id: "an & id" })
      const status = yield* call(`/v1/status/${id}`, { key: inference })
      assert.deepInclude(details.body, JSON.parse(status.text))
      assert.notProperty(JSON.parse(status.text), "created_at")
      assert.strictEqual((yield* ask(`/${id}`, "DELETE")).status, 204)
    })
  )
})
