import { Buffer } from "node:buffer"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { file, form } from "../Bodies.ts"
import * as Deployment from "../Deployment.ts"
import { exchange, headersOf, mebibyte, path, sendFile, wrapping } from "../Sockets.ts"

const { inference } = Deployment.keys

/** Builds the bytes of a request that uploads a file of this size and declares a length. */
const onSocket = (key: string, name: string, byteLength: number) => {
  const { after, before } = wrapping(name)
  const length = before.length + byteLength + after.length
  const lines = Object.entries({ host: "localhost", ...headersOf(key), "content-length": length })
  const head = lines.map(([header, value]) => `${header}: ${value}\r\n`).join("")
  return [`POST ${path} HTTP/1.1\r\n${head}\r\n`, before, Buffer.alloc(byteLength, 65), after]
}

layer(Deployment.layer(), { excludeTestServices: true })("an upload", (it) => {
  it.effect("becomes a job whose file is kept in the store", () =>
    Effect.gen(function* () {
      const { call, stored } = yield* Deployment.Deployment
      const body = form([
        ["callback_id", "démo-1"],
        ["file", file("C:\\talks\\Talk 1.MP3")],
        ["summary", "brief"],
        ["callback_url", "https://hooks.example.com/in"]
      ])
      const answer = yield* call(path, { key: inference, body })
      const { id, ...view } = JSON.parse(answer.text)
      assert.deepStrictEqual(
        [answer.status, view],
        [
          200,
          {
            status: "IN_QUEUE",
            transcription_status: "IN_QUEUE",
            webhook_status: "PENDING",
            summary_status: "PENDING",
            callback_id: "démo-1",
            balance_minutes: "600.00"
          }
        ]
      )
      assert.deepStrictEqual(yield* stored, [id, `${id}/0.mp3`])
    })
  )
})

layer(Deployment.layer(), { excludeTestServices: true })("a refused upload", (it) => {
  for (const [what, key, name, status] of [
    ["a wrong key", "nobody", "a.mp3", 403],
    ["a .txt file", inference, "a.txt", 415]
  ] as const) {
    it.effect(`gets a response even if the client first sends 20 MB: ${what}`, () =>
      Effect.gen(function* () {
        const { port } = yield* Deployment.Deployment
        const answer = yield* exchange(port, onSocket(key, name, 20 * mebibyte))
        assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `))
      })
    )
  }

  it.effect("gets a 413 if its file is 40 MB over the limit", () =>
    Effect.gen(function* () {
      const { port } = yield* Deployment.Deployment
      const answer = yield* sendFile(port, "a.mp3", Deployment.maxFileMegabytes + 40)
      const detail = `File size exceeds ${Deployment.maxFileMegabytes}MB limit`
      assert.deepStrictEqual(answer, { status: 413, text: JSON.stringify({ detail }) })
    })
  )
})
