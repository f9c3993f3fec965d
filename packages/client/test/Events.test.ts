/** Tests event streams over connections that break. */
import { assert, describe, it } from "@effect/vitest"
import { silenceMillisMax, streamEvents } from "#src/Events"
import type { Clock } from "#src/Retry"
import { forever } from "./Clocks.ts"

/** A clock that makes a stream time out after the given number of chunks. */
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

/** A connection that breaks in the middle of an event. */
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

/** A connection that stays open but sends nothing more. */
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

interface ReadOptions {
  readonly after?: string
  readonly clock?: Clock
  readonly onBytes?: () => void
}

/**
 * Opens a stream over the given connections, and returns the received events and the cursors that
 * it requested.
 */
const readAll = async (
  answers: ReadonlyArray<Response>,
  { after, clock = clockOf(), onBytes }: ReadOptions = {}
) => {
  const cursors: Array<string | undefined> = []
  const left = [...answers]
  const received: Array<string> = []
  const connect = async (cursor: string | undefined) => {
    cursors.push(cursor)
    return left.shift() ?? new Response(null, { status: 204 })
  }
  for await (const event of streamEvents(connect, { clock, options: { after, onBytes } })) {
    received.push("cursor" in event ? event.cursor : event.event)
  }
  return { cursors, received }
}

describe("an event stream", () => {
  it("resumes after the last event if the connection breaks", async () => {
    const { cursors, received } = await readAll([
      bytes("retry: 1\n\n", event("1.0"), ": still here\n\n", event("2.0").slice(0, 9)),
      broken(event("2.0")),
      bytes(event("3.0"), 'id: 3.end\nevent: end\ndata: {"id":"a"}\n\n')
    ])
    assert.deepStrictEqual(received, ["1.0", "2.0", "3.0", "3.end"])
    assert.deepStrictEqual(cursors, [undefined, "1.0", "2.0"])
  })

  it("reconnects if the connection stays open but sends nothing more", async () => {
    const { response, seen } = makeSilent(event("1.0"))
    const { cursors, received } = await readAll([response], { clock: clockOf(1) })
    assert.deepStrictEqual(received, ["1.0"])
    assert.deepStrictEqual(cursors, [undefined, "1.0"])
    assert.isTrue(seen.isCancelled)
  })

  it("reports bytes that contain no event", async () => {
    let count = 0
    const onBytes = () => {
      count += 1
    }
    const { received } = await readAll([bytes(": still here\n\n", event("1.0"))], { onBytes })
    assert.deepStrictEqual([count, received], [2, ["1.0"]])
  })

  it("ends without events if its cursor is that of the last event", async () => {
    assert.deepStrictEqual(await readAll([], { after: "3.end" }), {
      cursors: ["3.end"],
      received: []
    })
  })

  it("advances its cursor when a block contains only an id", async () => {
    const { cursors } = await readAll([bytes("id: w1.9\n\n")])
    assert.deepStrictEqual(cursors, [undefined, "w1.9"])
  })
})
