/**
 * Tests that event streams can start at any cursor, can have any length, and do not affect each
 * other.
 */
import { assert, describe, it } from "@effect/vitest"
import type { LiveEvent } from "@verbatim/embed"
import { newStore, openFor, recording, refusal, rejection } from "./Opened.ts"

const gather = async (events: AsyncIterable<LiveEvent>): Promise<ReadonlyArray<LiveEvent>> => {
  const all: Array<LiveEvent> = []
  for await (const event of events) all.push(event)
  return all
}

/** Returns the events that have a cursor, which are all except progress. */
const placed = (events: ReadonlyArray<LiveEvent>) =>
  events.filter(({ event }) => event !== "progress")

const cursorOf = (event: LiveEvent): string => ("cursor" in event ? String(event.cursor) : "")

const stores = { memory: () => ({}), SQLite: newStore }

describe.each(["memory", "SQLite"] as const)("listening in %s", (store) => {
  it("sends every subscriber all events of a job, or those after any cursor", async () => {
    const { transcriptions } = await openFor(stores[store]())
    const { id } = await transcriptions.create({ path: recording })
    const [one = [], other = []] = await Promise.all(
      [1, 2].map(() => gather(transcriptions.events(id)))
    )
    assert.deepStrictEqual(placed(one), placed(other))
    assert.strictEqual(one.at(-1)?.event, "end")
    const { events } = await transcriptions.history(id)
    assert.deepStrictEqual(
      placed(one).flatMap((message) => (message.event === "event" ? [message.data.at] : [])),
      events.map(({ at }) => at)
    )
    for (const [index, event] of placed(one).entries()) {
      const rest = await gather(transcriptions.events(id, { after: cursorOf(event) }))
      assert.deepStrictEqual(rest, placed(one).slice(index + 1))
    }
  })

  it("ends when it is aborted or Verbatim closes", async () => {
    const { close, transcriptions } = await openFor(stores[store]())
    const leaving = new AbortController()
    const aborted = transcriptions.allEvents({ signal: leaving.signal }).next()
    const closed = transcriptions.allEvents().next()
    leaving.abort(new Error("tired"))
    assert.propertyVal(await rejection(aborted), "message", "tired")
    const refused = refusal(503, closed)
    await close()
    await refused
    await refusal(503, transcriptions.allEvents().next())
  })
})

describe("an event stream", () => {
  it("ends over HTTP when Verbatim closes", async () => {
    const { close, fetch } = await openFor({
      authenticate: () => Promise.resolve({ workspace: "default", kind: "management" })
    })
    const { body, status } = await fetch(new Request("http://here/v1/transcriptions/events"))
    assert.strictEqual(status, 200)
    const text = new Response(body).text()
    await close()
    assert.include(await text, "retry: 2000")
  })
})
