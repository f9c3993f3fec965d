/** Tests that the API's metrics count a request under the pattern of its route. */
import { once } from "node:events"
import { connect } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { httpTable } from "@verbatim/http"
import { counted, countedSeries, withRegistry } from "@verbatim/testkit/fakes"
import { Effect } from "effect"
import * as Deployment from "./Deployment.ts"

const { inference } = Deployment.keys

const { requestDuration, requests } = httpTable

interface Story {
  readonly path: string
  readonly call?: Deployment.Call
  /** The method, route and status of the counted requests. */
  readonly expected: `${string} ${string} ${number}`
}

const id = "0198c0de-0000-7000-8000-000000000001"

const stories: ReadonlyArray<Story> = [
  {
    path: `/v1/status/${id}/plain_text`,
    call: { key: inference },
    expected: "GET /v1/status/:id/:modifier 404"
  },
  {
    path: "/v1/presets/customer-7",
    call: { method: "PATCH" },
    expected: "PATCH /v1/presets/:slug 401"
  },
  { path: "/docs", call: { method: "HEAD" }, expected: "HEAD /docs 200" },
  { path: "/health", call: { method: "PROPFIND" }, expected: "other none 405" }
]

describe("requests", () => {
  for (const { call, path, expected } of stories) {
    it.live(`are counted as ${expected} if their path is ${path}`, () =>
      withRegistry(
        Effect.gen(function* () {
          const deployment = yield* Deployment.Deployment
          yield* deployment.call(path, call)
          const [method = "", route = "", status = ""] = expected.split(" ")
          assert.strictEqual(yield* counted(requests.name, { method, route, status }), 1)
          assert.strictEqual(yield* counted(requestDuration.name, { method, route }), 1)
          const all = yield* countedSeries
          assert.lengthOf(
            all.filter(({ name }) => name === requests.name),
            1
          )
        }).pipe(Effect.provide(Deployment.layer()))
      )
    )
  }

  it.live("are counted with status 499 if the client disconnects before the response", () =>
    withRegistry(
      Effect.gen(function* () {
        const { port } = yield* Deployment.Deployment
        const socket = connect({ port, host: "127.0.0.1" })
        const head = [
          "POST /v1/transcribe HTTP/1.1",
          "host: a",
          `authorization: Bearer ${inference}`,
          "content-type: multipart/form-data; boundary=b",
          "content-length: 100000",
          "expect: 100-continue"
        ]
        socket.write(`${head.join("\r\n")}\r\n\r\n`)
        // When the server requests the body, it has begun to handle the request.
        yield* Effect.promise(() => once(socket, "data"))
        socket.destroy()
        const labels = { method: "POST", route: "/v1/transcribe", status: "499" }
        yield* Effect.repeat(Effect.delay(counted(requests.name, labels), 10), {
          until: (value) => value === 1
        })
      }).pipe(Effect.provide(Deployment.layer()))
    )
  )
})
