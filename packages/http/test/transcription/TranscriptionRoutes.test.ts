import { assert, layer } from "@effect/vitest"
import { jobId } from "@verbatim/testkit/samples"
import { Effect } from "effect"
import { json } from "../Bodies.ts"
import * as Deployment from "../Deployment.ts"

const id = jobId(1)
const url = "https://media.example.com/a.mp3"

/** Every operation, and what a caller with a good key is answered. */
const operations: ReadonlyArray<readonly [method: string, path: string, status: number]> = [
  ["POST", "/v1/transcribe", 200],
  ["GET", `/v1/status/${id}`, 404],
  ["GET", `/v1/status/${id}/srt`, 404],
  ["GET", "/v1/transcriptions", 200],
  ["DELETE", `/v1/transcriptions/${id}`, 404],
  ["GET", `/v1/transcriptions/${id}/history`, 404],
  ["POST", `/v1/transcriptions/${id}/webhook`, 404],
  ["POST", `/v1/transcriptions/${id}/retry`, 404],
  ["PUT", `/v1/transcriptions/${id}/speakers`, 404],
  ["PATCH", `/v1/transcriptions/${id}/segments`, 404],
  ["GET", `/v1/transcriptions/${id}/corrections`, 404],
  ["GET", `/v1/transcriptions/${id}/corrections/1`, 404],
  ["PUT", `/v1/transcriptions/${id}/corrections/current`, 404]
]

/** Methods that a path does not have, and those that it has. */
const methods: ReadonlyArray<readonly [method: string, path: string, allow: string]> = [
  ["GET", "/v1/transcribe", "POST"],
  ["PUT", "/v1/transcribe", "POST"],
  ["DELETE", "/v1/transcribe", "POST"],
  ["POST", `/v1/status/${id}`, "GET, HEAD"],
  ["DELETE", `/v1/status/${id}`, "GET, HEAD"],
  ["POST", `/v1/status/${id}/srt`, "GET, HEAD"],
  ["POST", "/v1/transcriptions", "GET, HEAD"],
  ["DELETE", "/v1/transcriptions/", "GET, HEAD"],
  ["PATCH", `/v1/transcriptions/${id}`, "GET, DELETE, HEAD"],
  ["POST", `/v1/transcriptions/${id}/history`, "GET, HEAD"],
  ["GET", `/v1/transcriptions/${id}/webhook`, "POST"],
  ["GET", `/v1/transcriptions/${id}/retry`, "POST"],
  ["GET", `/v1/transcriptions/${id}/speakers`, "PUT"],
  ["PUT", `/v1/transcriptions/${id}/segments`, "PATCH"],
  ["POST", `/v1/transcriptions/${id}/corrections`, "GET, HEAD"],
  ["DELETE", `/v1/transcriptions/${id}/corrections/1`, "GET, HEAD"]
]

const paths: ReadonlyArray<readonly [method: string, path: string]> = [
  ["POST", "/transcribe"],
  ["POST", "/v2/transcribe"],
  ["POST", "/v1/Transcribe"],
  ["POST", "/v1//transcribe"],
  ["POST", "/v1/transcribe/x"],
  ["GET", "/v1/status"],
  ["GET", "/v1/status/"],
  ["GET", `/v1/status/${id}/srt/x`],
  ["GET", `/v1/transcriptions/${id}/event`]
]

const send = Effect.fnUntraced(function* (
  [method, path]: readonly [method: string, path: string, ...rest: ReadonlyArray<unknown>],
  authorization: string | undefined
) {
  const { call } = yield* Deployment.Deployment
  const body = path.endsWith("/transcribe") && method === "POST" ? json({ url }) : undefined
  const headers = { ...body?.headers, ...(authorization === undefined ? {} : { authorization }) }
  return yield* call(path, { method, ...body, headers })
})

layer(Deployment.layer(), { excludeTestServices: true })("an operation", (it) => {
  for (const operation of operations) {
    const [method, path, expected] = operation
    it.effect(`takes either kind of key: ${method} ${path}`, () =>
      Effect.gen(function* () {
        for (const key of Object.values(Deployment.keys)) {
          for (const scheme of ["Bearer", "bearer", "BEARER"]) {
            const { status } = yield* send(operation, `${scheme} ${key}`)
            assert.strictEqual(status, expected)
          }
        }
      })
    )
  }

  for (const call of methods) {
    const [method, path, allow] = call
    it.effect(`is not one of another method: ${method} ${path}`, () =>
      Effect.gen(function* () {
        const { headers, status, text } = yield* send(call, `Bearer ${Deployment.keys.inference}`)
        assert.deepStrictEqual([status, headers.get("allow")], [405, allow])
        assert.deepStrictEqual(JSON.parse(text), { detail: "Method Not Allowed" })
      })
    )
  }

  for (const call of paths) {
    it.effect(`is not one of another path: ${call.join(" ")}`, () =>
      Effect.gen(function* () {
        const { status, text } = yield* send(call, `Bearer ${Deployment.keys.inference}`)
        assert.deepStrictEqual([status, JSON.parse(text)], [404, { detail: "Not Found" }])
      })
    )
  }
})
