import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type Encoding, encoded, encodings, file, form, json } from "./Bodies.ts"
import * as Deployment from "./Deployment.ts"
import { exchange } from "./Sockets.ts"

const { inference } = Deployment.keys

const url = "https://media.example.com/a.mp3"

const create = Effect.fnUntraced(function* (idempotencyKey: string, call: Deployment.Call) {
  const deployment = yield* Deployment.Deployment
  const headers = { ...call.headers, "idempotency-key": idempotencyKey }
  const answer = yield* deployment.call("/v1/transcribe", { key: inference, ...call, headers })
  return { status: answer.status, body: JSON.parse(answer.text) }
})

const malformed = "Invalid 'Idempotency-Key' value. Must be 1 to 255 visible ASCII characters"
const deleted = { detail: "Idempotency-Key was used for a transcription that has been deleted" }

/** Keys that just meet or just break the rule. */
const keys: ReadonlyArray<readonly [key: string, isAccepted: boolean]> = [
  ["!", true],
  ["k".repeat(255), true],
  ["", false],
  ["a b", false],
  ["é", false],
  ["k".repeat(256), false]
]

layer(Deployment.layer(), { excludeTestServices: true })("an idempotency key", (it) => {
  for (const [key, isAccepted] of keys) {
    const shown = JSON.stringify(key.slice(0, 10))
    it.effect(
      `is ${isAccepted ? "accepted" : "refused"} with ${key.length} characters: ${shown}`,
      () =>
        Effect.gen(function* () {
          for (const encoding of encodings) {
            const { body, status } = yield* create(key, encoded(encoding, { url }))
            if (isAccepted) assert.strictEqual(status, 200)
            else assert.deepStrictEqual([status, body], [400, { detail: malformed }])
          }
        })
    )
  }

  it.effect("is refused if its header is sent twice", () =>
    Effect.gen(function* () {
      const { port } = yield* Deployment.Deployment
      const body = JSON.stringify({ url })
      const lines = [
        "POST /v1/transcribe HTTP/1.1",
        "host: localhost",
        `authorization: Bearer ${inference}`,
        "idempotency-key: a",
        "idempotency-key: a",
        "content-type: application/json",
        `content-length: ${body.length}`
      ]
      const answer = yield* exchange(port, [`${lines.join("\r\n")}\r\n\r\n${body}`])
      assert.match(answer, /^HTTP\/1.1 400 /)
      assert.include(answer, JSON.stringify({ detail: malformed }))
    })
  )

  for (const encoding of encodings) {
    it.effect(`identifies the same job in every encoding, starting with ${encoding}`, () =>
      Effect.gen(function* () {
        const parameters = { url, vad_filter: false, callback_id: "é", language: "de" }
        const reversed = Object.fromEntries(Object.entries(parameters).toReversed())
        const sendRequest = (by: Encoding, options: typeof parameters | typeof reversed) =>
          create(`same-${encoding}`, encoded(by, options))
        const first = yield* sendRequest(encoding, parameters)
        assert.strictEqual(first.status, 200)
        for (const other of encodings) {
          assert.deepStrictEqual(yield* sendRequest(other, parameters), first)
          assert.deepStrictEqual(yield* sendRequest(other, reversed), first)
        }
      })
    )
  }

  it.effect("covers the name and bytes of a file, so equal requests store the file once", () =>
    Effect.gen(function* () {
      const { stored } = yield* Deployment.Deployment
      const before = (yield* stored).length
      const upload = (content: File) => create("file", { body: form([["file", content]]) })
      const first = yield* upload(file("a.mp3"))
      assert.deepStrictEqual(yield* upload(file("a.mp3")), first)
      assert.strictEqual((yield* upload(new File(["a few byteZ"], "a.mp3"))).status, 409)
      assert.strictEqual((yield* upload(file("b.mp3"))).status, 409)
      assert.strictEqual((yield* create("file", json({ url }))).status, 409)
      assert.strictEqual((yield* upload(file("a.txt"))).status, 415)
      assert.lengthOf(yield* stored, before + 2)
    })
  )

  it.effect("cannot be reused after its job was deleted", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment.Deployment
      const first = yield* create("deleted", json({ url }))
      yield* call(`/v1/transcriptions/${first.body.id}`, { method: "DELETE", key: inference })
      const late = yield* create("deleted", json({ url }))
      assert.deepStrictEqual(late, { status: 409, body: deleted })
    })
  )
})
