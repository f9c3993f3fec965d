/** Tests searching transcripts for words over HTTP. */
import { assert, layer } from "@effect/vitest"
import { transcriptOf } from "@verbatim/testkit/samples"
import { Effect } from "effect"
import * as Deployment from "../Deployment.ts"
import { transcribed } from "../TranscribedJob.ts"

const { inference } = Deployment.keys

const search = Effect.fnUntraced(function* (q: string, key: string = inference) {
  const { call } = yield* Deployment.Deployment
  const { status, text } = yield* call(`/v1/transcriptions?q=${encodeURIComponent(q)}`, { key })
  return { status, body: JSON.parse(text) }
})

/** Returns the matches of each found job. */
const matches = (q: string) =>
  Effect.map(search(q), ({ body }) =>
    body.data.map((job: { readonly matches: unknown }) => job.matches)
  )

layer(Deployment.layer(), { excludeTestServices: true })("a search", (it) => {
  it.effect("returns up to three matches for each job, and finds corrected words immediately", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment.Deployment
      const texts = ["Herr Hakanson kommt.", "Guten Tag.", "Tag!", "Jeden Tag.", "Ein Tag."]
      const { id } = yield* transcribed(1, transcriptOf(texts))
      yield* transcribed(2, transcriptOf(["Nothing."]))
      assert.deepStrictEqual(yield* matches("TÁG"), [
        [
          { start: "1", text: "Guten Tag." },
          { start: "2", text: "Tag!" },
          { start: "3", text: "Jeden Tag." }
        ]
      ])
      const list = JSON.parse((yield* call("/v1/transcriptions", { key: inference })).text)
      for (const job of list.data) assert.notProperty(job, "matches")
      const correction = yield* call(`/v1/transcriptions/${id}/segments`, {
        method: "PATCH",
        key: inference,
        headers: { "content-type": "application/json" },
        body: JSON.stringify([{ index: 0, text: "Herr Håkansson kommt." }])
      })
      assert.strictEqual(correction.status, 200, correction.text)
      assert.deepStrictEqual(yield* matches("hakansson"), [
        [{ start: "0", text: "Herr Håkansson kommt." }]
      ])
      assert.deepStrictEqual(yield* matches("hakanson"), [])
    })
  )
})
