/** Listening through the open door: from any place, for as long as wanted, and each for itself. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Closed, InvalidInput, type LiveEvent, NotFound, type Verbatim } from "@verbatim/embed"
import { onTestFinished } from "vitest"
import { openFor, recording, rejection } from "./Opened.ts"

const gather = async (events: AsyncIterable<LiveEvent>): Promise<ReadonlyArray<LiveEvent>> => {
  const all: Array<LiveEvent> = []
  for await (const event of events) all.push(event)
  return all
}

/** What has a place: how far an engine is, is told as it comes. */
const placed = (events: ReadonlyArray<LiveEvent>) =>
  events.filter(({ event }) => event !== "progress")

const placeOf = (event: LiveEvent | undefined): string =>
  event !== undefined && "place" in event ? event.place : ""

const openIn = async (database: "memory" | "SQLite"): Promise<Verbatim> => {
  if (database === "memory") return openFor()
  const folder = mkdtempSync(join(tmpdir(), "verbatim-embed-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return openFor({ database: `sqlite:${join(folder, "app.db")}`, media: join(folder, "media") })
}

describe.each(["memory", "SQLite"] as const)("listening in %s", (database) => {
  it("tells a job to its end, to each who listens, and again from any place", async () => {
    const { jobs, transcribe } = await openIn(database)
    const job = await transcribe({ media: recording })
    const [one, other] = await Promise.all([gather(jobs.events(job)), gather(jobs.events(job))])
    assert.deepStrictEqual(placed(one), placed(other))
    assert.deepStrictEqual(one.map(({ event }) => event).at(-1), "end")
    const history = await jobs.history(job)
    assert.deepStrictEqual(
      placed(one).flatMap((told) => (told.event === "event" ? [Date.parse(told.data.at)] : [])),
      history.map(({ at }) => at.getTime())
    )
    for (const [index, event] of placed(one).entries()) {
      const rest = await gather(jobs.events(job, { after: placeOf(event) }))
      assert.deepStrictEqual(rest, placed(one).slice(index + 1))
    }
  })

  it("tells a workspace of its own jobs alone, and goes on after a place", async () => {
    const { jobs, transcribe, workspaces } = await openIn(database)
    await workspaces.ensure("acme")
    const events = jobs.allEvents({ workspace: "acme" })
    const first = events.next()
    // A listener is told from when it listens: what is first told may be a later job's.
    let [isHeard, told] = [false, undefined as LiveEvent | undefined]
    void first.then(({ value }) => {
      isHeard = true
      told = value
    })
    const own: Array<string> = []
    while (!isHeard) {
      await transcribe({ media: recording })
      own.push((await transcribe({ media: recording, workspace: "acme" })).id)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    if (told?.event !== "event") throw new Error(`told ${told?.event}`)
    assert.include(own, told.data.id)
    const { value: second } = await events.next()
    if (second === undefined) throw new Error("it ended")
    await events.return?.()
    const again = jobs.allEvents({ workspace: "acme", after: told.place })
    assert.deepStrictEqual(await again.next(), { done: false, value: second })
    await again.return?.()
    assert.deepStrictEqual(await again.next(), { done: true, value: undefined })
  })

  it("ends when it is left, aborted or closed, also while an event is awaited", async () => {
    const { close, jobs } = await openIn(database)
    const [left, closed] = [jobs.allEvents(), jobs.allEvents()]
    const leaving = new AbortController()
    const aborted = jobs.allEvents({ signal: leaving.signal })
    const [leftNext, abortedNext, closedNext] = [left.next(), aborted.next(), closed.next()]
    await left.return?.()
    assert.deepStrictEqual(await leftNext, { done: true, value: undefined })
    leaving.abort(new Error("tired"))
    assert.propertyVal(await rejection(abortedNext), "message", "tired")
    const fault = rejection(closedNext)
    await close()
    assert.instanceOf(await fault, Closed)
    assert.instanceOf(await rejection(jobs.allEvents().next()), Closed)
  })
})

describe("listening", () => {
  it("is refused with what is wrong", async () => {
    const { jobs, transcribe } = await openFor()
    const job = await transcribe({ media: recording })
    const refused = await rejection(jobs.events(job, { after: "x" }).next())
    assert.instanceOf(refused, InvalidInput)
    assert.match(String(refused), /after: must be the place/)
    const elsewhere = { id: job.id, workspace: "acme" }
    assert.instanceOf(await rejection(jobs.events(elsewhere).next()), NotFound)
    assert.instanceOf(await rejection(jobs.allEvents({ after: "1.0" }).next()), InvalidInput)
    const wrong = await rejection(jobs.events(job, { signal: "now" } as never).next())
    assert.match(String(wrong), /signal: must be an AbortSignal/)
  })

  it("holds nothing of a job for who reads slowly, and hears of its removal", async () => {
    const { jobs, transcribe, wait } = await openFor()
    const job = await transcribe({ media: recording })
    const events = jobs.events(job)
    assert.strictEqual((await events.next()).value?.event, "event")
    await wait(job)
    await jobs.remove(job)
    const rest = await gather(events)
    assert.include(["deleted", "end"], rest.at(-1)?.event)
  })

  it("ends answers over HTTP when it is closed", async () => {
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
