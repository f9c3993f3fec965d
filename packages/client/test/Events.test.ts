/** Listening through connections that break off. */
import { assert, describe, it } from "@effect/vitest"
import { listen, silenceMillisMax } from "#src/Events"
import type { Clock } from "#src/Retry"
import { forever } from "./Clocks.ts"

/** Where nobody falls silent before so many pieces have come. */
const clockOf = (pieces = Number.POSITIVE_INFINITY): Clock => {
  let count = 0
  return {
    nowMillis: () => 0,
    chance: () => 0,
    sleep: (millis) => {
      if (millis !== silenceMillisMax) return Promise.resolve()
      count += 1
      return count > pieces ? Promise.resolve() : forever
    }
  }
}

const bytes = (...texts: ReadonlyArray<string>): Response =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const text of texts) controller.enqueue(new TextEncoder().encode(text))
        controller.close()
      }
    })
  )

/** A connection that breaks off in the middle of an event. */
const broken = (text: string): Response =>
  new Response(
    new ReadableStream({
      pull(controller) {
        controller.error(new TypeError("terminated"))
      },
      start(controller) {
        controller.enqueue(new TextEncoder().encode(text))
      }
    })
  )

const event = (id: string) => `id: ${id}\nevent: event\ndata: {"id":"a","event":"${id}"}\n\n`

/** A connection on which nothing comes any more, and nobody says so. */
const makeSilent = (text: string) => {
  const seen = { isCancelled: false }
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text))
    },
    cancel() {
      seen.isCancelled = true
    }
  })
  return { seen, response: new Response(body) }
}

interface Hearing {
  readonly after?: string
  readonly clock?: Clock
}

/** Listens through some connections, and puts down what was heard and asked for. */
const hear = async (
  answers: ReadonlyArray<Response>,
  { after, clock = clockOf() }: Hearing = {}
) => {
  const asked: Array<string | undefined> = []
  const left = [...answers]
  const heard: Array<string> = []
  const connect = async (place: string | undefined) => {
    asked.push(place)
    return left.shift() ?? new Response(null, { status: 204 })
  }
  for await (const told of listen(connect, { clock, options: { after } })) {
    heard.push("place" in told ? told.place : told.event)
  }
  return { asked, heard }
}

describe("listening", () => {
  it("goes on behind the last event when a connection breaks off", async () => {
    const { asked, heard } = await hear([
      bytes("retry: 1\n\n", event("1.0"), ": still here\n\n", event("2.0").slice(0, 9)),
      broken(event("2.0")),
      bytes(event("3.0"), 'id: 3.end\nevent: end\ndata: {"id":"a"}\n\n')
    ])
    assert.deepStrictEqual(heard, ["1.0", "2.0", "3.0", "3.end"])
    assert.deepStrictEqual(asked, [undefined, "1.0", "2.0"])
  })

  it("goes on at another connection when one falls silent", async () => {
    const { response, seen } = makeSilent(event("1.0"))
    const { asked, heard } = await hear([response], { clock: clockOf(1) })
    assert.deepStrictEqual(heard, ["1.0"])
    assert.deepStrictEqual(asked, [undefined, "1.0"])
    assert.isTrue(seen.isCancelled)
  })

  it("ends where all was heard", async () => {
    assert.deepStrictEqual(await hear([], { after: "3.end" }), { asked: ["3.end"], heard: [] })
  })

  it("moves its place by an id alone", async () => {
    const { asked } = await hear([bytes("id: w1.9\n\n")])
    assert.deepStrictEqual(asked, [undefined, "w1.9"])
  })
})
