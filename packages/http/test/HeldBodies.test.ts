/** Large bodies wait for room while others are on their way; small ones do not. */
import { connect } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Semaphore } from "effect"
import { HeldBodies } from "#src/BodyText"
import * as Deployment from "./Deployment.ts"

/** Room for one large body, and not for two. */
const room = Layer.sync(HeldBodies, () => Semaphore.makeUnsafe(300_000))

const body = JSON.stringify({ model: "a", instructions: "x".repeat(200_000) })

/** Sends all of a body but its end. */
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

describe("bodies on their way", () => {
  it.live("wait for room when they are large, and take it in turn", () =>
    Effect.gen(function* () {
      const { call, port } = yield* Deployment.Deployment
      const first = yield* begin(port, "first")
      yield* Effect.sleep(200)
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
      first.seen.end()
      yield* Effect.repeat(Effect.sleep(10), {
        until: () => [first, second].every(({ seen }) => seen.text.startsWith("HTTP/1.1 200 "))
      })
    }).pipe(Effect.scoped, Effect.provide(Deployment.layer().pipe(Layer.provide(room))))
  )

  it.live("leave their room when they break off", () =>
    Effect.gen(function* () {
      const { port } = yield* Deployment.Deployment
      for (const slug of ["a", "b", "c"]) {
        const { socket } = yield* begin(port, slug)
        yield* Effect.sleep(100)
        socket.destroy()
      }
      const last = yield* begin(port, "last")
      last.seen.end()
      yield* Effect.repeat(Effect.sleep(10), {
        until: () => last.seen.text.startsWith("HTTP/1.1 200 ")
      })
    }).pipe(Effect.scoped, Effect.provide(Deployment.layer().pipe(Layer.provide(room))))
  )
})
