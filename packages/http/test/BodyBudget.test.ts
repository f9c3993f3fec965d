/**
 * Tests that large bodies wait for budget while other bodies of the same key arrive, and that small
 * bodies do not wait.
 */
import { connect } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Quota } from "@verbatim/core/services"
import { Effect, Layer, Stream } from "effect"
import { HttpServerRequest } from "effect/http"
import { BodyBudget, collect, keepBudget } from "#src/serve/body/BodyBudget"
import * as Deployment from "./Deployment.ts"

/**
 * The size of a large body. The budget, in total or per key, is enough for one such body but not
 * for two.
 */
const one = 300_000

/** Creates a budget that counts the reservations made so far. */
const roomOf = (all: number, keyMax: number) => {
  const seen = { taken: 0 }
  const room = Quota.make({ share: keyMax, total: all })
  const note = Effect.sync(() => {
    seen.taken += 1
  })
  const hold: Quota.Quota["hold"] = (...given) => Effect.tap(room.hold(...given), note)
  return { seen, layer: Layer.succeed(BodyBudget, { hold }) }
}

const until = (is: () => boolean) => Effect.repeat(Effect.sleep(10), { until: is })

const body = JSON.stringify({ model: "a", instructions: "x".repeat(200_000) })

const begin = (port: number, slug: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const socket = connect(port, "127.0.0.1").on("error", () => undefined)
      const seen = { text: "", end: () => socket.write(body.slice(-10)) }
      socket.on("data", (piece) => {
        seen.text += piece
      })
      const head = [
        `POST /v1/presets/${slug}/responses HTTP/1.1`,
        "Host: localhost",
        `Authorization: Bearer ${Deployment.keys.management}`,
        "Content-Type: application/json",
        `Content-Length: ${body.length}`
      ].join("\r\n")
      socket.write(`${head}\r\n\r\n${body.slice(0, -10)}`)
      return { seen, socket }
    }),
    ({ socket }) => Effect.sync(() => socket.destroy())
  )

const toChunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

/** Sends the beginning of a chunked body of at most 1 MiB, with the other key. */
const beginJob = (port: number, beginning: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => connect(port, "127.0.0.1").on("error", () => undefined)),
      (socket) => Effect.sync(() => socket.destroy())
    ),
    (socket) => {
      const seen = { text: "" }
      socket.on("data", (piece) => {
        seen.text += piece
      })
      const head = [
        "POST /v1/transcribe HTTP/1.1",
        "Host: localhost",
        `Authorization: Bearer ${Deployment.keys.inference}`,
        "Content-Type: application/json",
        "Transfer-Encoding: chunked"
      ].join("\r\n")
      socket.write(`${head}\r\n\r\n${toChunk(beginning)}`)
      return { seen, end: (rest: string) => socket.write(`${toChunk(rest)}0\r\n\r\n`) }
    }
  )

describe("request bodies", () => {
  it.live("wait for budget one after another if they are large", () => {
    const { layer, seen: room } = roomOf(one, one)
    return Effect.gen(function* () {
      const { call, port } = yield* Deployment.Deployment
      const first = yield* begin(port, "first")
      yield* until(() => room.taken === 1)
      const second = yield* begin(port, "second")
      second.seen.end()
      yield* Effect.sleep(200)
      assert.strictEqual(second.seen.text, "")
      const small = yield* call("/v1/presets/small/responses", {
        key: Deployment.keys.management,
        headers: { "content-type": "application/json" },
        body: '{"model":"a"}'
      })
      assert.strictEqual(small.status, 200)
      // An aborted body releases its budget, just like a body that was handled.
      first.socket.destroy()
      const third = yield* begin(port, "third")
      third.seen.end()
      yield* until(() => [second, third].every(({ seen }) => seen.text.startsWith("HTTP/1.1 200 ")))
    }).pipe(Effect.scoped, Effect.provide(Deployment.layer().pipe(Layer.provide(layer))))
  })

  it.live("never delay bodies of another key, even if many large bodies never end", () =>
    Effect.gen(function* () {
      const { call, port } = yield* Deployment.Deployment
      // Begins 135 bodies of up to 1 MiB each: more than fit into the key's share or into the
      // total.
      yield* Effect.forEach(Array(135).keys(), () => beginJob(port, body.slice(0, 70_000)))
      yield* Effect.sleep(500)
      for (const slug of ["large", "again"]) {
        const { seen } = yield* begin(port, slug)
        seen.end()
        yield* until(() => seen.text.startsWith("HTTP/1.1 200 "))
      }
      const chunked = yield* call("/v1/presets/chunked/responses", {
        key: Deployment.keys.management,
        headers: { "content-type": "application/json" },
        body: new Blob(['{"model":"a"}']).stream()
      })
      assert.strictEqual(chunked.status, 200)
    }).pipe(Effect.scoped, Effect.provide(Deployment.layer()))
  )

  it.effect("keep their budget until their request is handled, if the handler requests this", () =>
    Effect.gen(function* () {
      let held = 0
      const add = (byteLength: number) =>
        Effect.sync(() => {
          held += byteLength
        })
      const hold = (_: string | object, byteLength = 1) =>
        Effect.acquireRelease(add(byteLength), () => add(-byteLength))
      const bytes = new TextEncoder().encode(body)
      const request = HttpServerRequest.fromWeb(new Request("http://a", { method: "POST", body }))
      const makeTooLong = () => assert.fail("it is too long")
      const lengths = { byteLength: bytes.length, byteMax: bytes.length, makeTooLong }
      const handle = () =>
        collect(Stream.make(bytes), lengths).pipe(
          Effect.map(() => held),
          Effect.provideService(BodyBudget, { hold })
        )
      assert.deepStrictEqual([yield* handle(), held], [0, 0])
      assert.deepStrictEqual([yield* keepBudget(request, handle()), held], [bytes.length, 0])
    })
  )

  it.live("can be up to 32 MiB long, including files, in requests to resolve or preview", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment.Deployment
      const send = (path: string, text: string) =>
        call(`/v1/presets/${path}`, {
          method: "POST",
          key: Deployment.keys.management,
          headers: { "content-type": "application/json" },
          body: text
        })
      yield* send("files/responses", "{}")
      const bodyOf = (byteLength: number) =>
        JSON.stringify({ input: "A".repeat(byteLength - '{"input":""}'.length) })
      const largest = bodyOf(33_554_432)
      const { status, text } = yield* send("files/resolve", largest)
      assert.strictEqual(status, 200)
      assert.isTrue(text.startsWith(`{"data":{"request":${largest},`))
      assert.strictEqual((yield* send("preview", largest)).status, 200)
      const refused = yield* send("files/resolve", bodyOf(33_554_433))
      assert.include(refused.text, "body: at most 33554432 bytes")
    }).pipe(Effect.provide(Deployment.layer()))
  )
})
