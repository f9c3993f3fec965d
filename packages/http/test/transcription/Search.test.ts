/** Searches for words of transcripts over HTTP. */
import { assert, layer } from "@effect/vitest"
import { transcriptOf } from "@verbatim/testkit/samples"
import { Effect, Schema } from "effect"
import * as Deployment from "../Deployment.ts"
import { transcribed } from "../TranscribedJob.ts"

const { inference, management } = Deployment.keys

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

const refusal = {
  detail: "Invalid 'q' value. Must be 1 to 200 characters, with a letter or a digit"
}

layer(Deployment.layer(), { excludeTestServices: true })("a search", (it) => {
  it.effect("finds transcripts with up to three matches, and corrected words at once", () =>
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

  const hostile = [
    "'",
    '"',
    '" OR "',
    "a' OR '1'='1",
    "word*",
    "NEAR(a b)",
    "-a",
    "a:b",
    "^a",
    "(",
    "a AND",
    "a & !b",
    "a <-> b",
    "a\0b",
    "%",
    "_",
    "\\",
    "@",
    "{}",
    "a:*",
    "🙂",
    "東京 OR"
  ]
  it.effect("treats every character of a query as text", () =>
    Effect.gen(function* () {
      for (const q of hostile) {
        const { body, status } = yield* search(q)
        if (/[\p{L}\p{N}]/u.test(q)) assert.deepStrictEqual([q, status], [q, 200])
        else assert.deepStrictEqual([q, status, body], [q, 400, refusal])
      }
      for (const q of ["x".repeat(201), "🙂x".repeat(101), "x".repeat(10_000), "  ", "!?"]) {
        const { body, status } = yield* search(q)
        assert.deepStrictEqual([status, body], [400, refusal])
      }
      assert.strictEqual((yield* search(` ${"x".repeat(200)} `)).status, 200)
      const { call } = yield* Deployment.Deployment
      for (const raw of ["%ED%A0%80a", "%FF", "%00", "a&q=b"]) {
        const { status } = yield* call(`/v1/transcriptions?q=${raw}`, { key: inference })
        assert.isBelow(status, 500, raw)
      }
    })
  )

  it.effect.prop("is answered for any text", [Schema.String], ([q]) =>
    Effect.gen(function* () {
      const { status } = yield* search(q.toWellFormed(), management)
      assert.include([200, 400, 414], status, JSON.stringify(q))
    })
  )
})
