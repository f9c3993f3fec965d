import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import {
  type Encoding,
  encoded,
  encodings,
  file,
  form,
  json,
  pairs,
  urlEncoded
} from "../Bodies.ts"
import * as Deployment from "../Deployment.ts"
import { boundaries, optional, url } from "./TranscriptionBoundaries.ts"

const { inference } = Deployment.keys

/** Templates that the operator configures. The request's own parameters take precedence. */
const templates = new Map([
  ["meetings", { language: "de", summary: "brief", callback_id: "of the template", url: "x" }]
])

const create = (call: Deployment.Call) =>
  Effect.gen(function* () {
    const deployment = yield* Deployment.Deployment
    const answer = yield* deployment.call("/v1/transcribe", { key: inference, ...call })
    return { status: answer.status, body: JSON.parse(answer.text) }
  })

const send = (encoding: Encoding, parameters: Readonly<Record<string, unknown>>) =>
  create(encoded(encoding, { url, ...parameters }))

const refusal = (detail: string) => ({ status: 400, body: { detail } })

layer(Deployment.layer({ templates }), { excludeTestServices: true })("a parameter", (it) => {
  for (const [index, { accepted, detail, only, refused }] of boundaries.entries()) {
    for (const encoding of only ?? encodings) {
      it.effect(`is refused just beyond the limit (${index + 1}) in ${encoding}: ${detail}`, () =>
        Effect.gen(function* () {
          const last = yield* send(encoding, accepted)
          const first = yield* send(encoding, refused)
          assert.strictEqual(last.status, 200, JSON.stringify(last.body))
          assert.deepStrictEqual(first, refusal(detail))
        })
      )
    }
  }

  for (const name of ["url", ...optional]) {
    it.effect(`is refused if it is sent twice: ${name}`, () =>
      Effect.gen(function* () {
        const texts = [...(name === "url" ? [] : ["url"]), name, name].map(
          (key) => [key, key === name ? "" : url] as const
        )
        const whole = [...texts, ...(name === "url" ? [["file", file("a.mp3")] as const] : [])]
        const inMultipart = yield* create({ body: form(whole) })
        const expected = refusal(`Invalid '${name}' value. Must be sent only once`)
        assert.deepStrictEqual(inMultipart, expected)
        if (name === "url") return
        const inForm = yield* create(pairs(texts))
        assert.deepStrictEqual(inForm, expected)
      })
    )
  }

  it.effect("is ignored if its name is unknown, even if it is sent twice", () =>
    Effect.gen(function* () {
      const inJson = yield* create(json(`{"url":"${url}","__proto__":{"language":1},"x":1,"x":2}`))
      const inForm = yield* create(urlEncoded(`url=${encodeURIComponent(url)}&x=1&x=2`))
      assert.deepStrictEqual([inJson.status, inForm.status], [200, 200])
    })
  )
})
