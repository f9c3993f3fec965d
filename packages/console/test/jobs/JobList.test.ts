/** The list of jobs, against a server whose jobs change while it is read. */
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { makeList } from "../../page/jobs/JobList.ts"
import type { ListedJob } from "../../page/jobs/JobTraits.ts"

const pageSize = 3

const toJob = (place: number): ListedJob =>
  ({
    id: String(place).padStart(4, "0"),
    callback_id: `call ${place}`,
    status: "FAILED"
  }) as ListedJob

/** A server with these jobs; what is asked while it is held is answered later, as of then. */
const makeServer = (places: Iterable<number>) => {
  const jobs = new Set(places)
  let held: Promise<void> | undefined
  const server = {
    jobs,
    fault: undefined as Error | undefined,
    pages: 0,
    hold: (): (() => void) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return () => {
        held = undefined
        resolve()
      }
    }
  }
  const list = makeList(
    {
      askPage: async (cursor = "9999") => {
        server.pages += 1
        const below = newestFirst(jobs).filter((place) => place < Number(cursor))
        const data = below.slice(0, pageSize).map(toJob)
        const { fault } = server
        await held
        if (fault !== undefined) throw fault
        return { data, next_cursor: below.length > pageSize ? (data.at(-1)?.id ?? null) : null }
      },
      askCalled: async (called) =>
        [...jobs].map(toJob).filter(({ callback_id }) => callback_id === called)
    },
    new AbortController().signal
  )
  return { list, server, shown: () => list.jobs.value.map(({ id }) => Number(id)) }
}

const newestFirst = (places: Iterable<number>) => [...places].sort((one, other) => other - one)

describe("the list of jobs", () => {
  it("is after each look what the server has, down to the oldest job that was read", async () => {
    const place = fc.integer({ min: 1, max: 60 })
    const step = fc.record({
      does: fc.constantFrom("add" as const, "delete" as const, "more" as const),
      place
    })
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(place), fc.array(step), async (places, steps) => {
        const { list, server, shown } = makeServer(places)
        await list.look()
        for (const { does, place: each } of steps) {
          if (does === "more") await list.more()
          else server.jobs[does](each)
        }
        const before = shown().filter((each) => server.jobs.has(each))
        await list.look()
        const all = newestFirst(server.jobs)
        assert.deepStrictEqual(shown(), all.slice(0, shown().length))
        assert.includeMembers(shown(), before)
        for (const _ of all) await list.more()
        assert.deepStrictEqual(shown(), all)
      })
    )
  })

  it("never shows a deleted job again with an answer that was on its way", async () => {
    const { list, server, shown } = makeServer([1, 2])
    const arrive = server.hold()
    const looking = list.look()
    list.forget("0002")
    arrive()
    await looking
    assert.deepStrictEqual(shown(), [1])
  })

  it("looks again after an answer that was on its way when something happened", async () => {
    const { list, server, shown } = makeServer([1])
    const arrive = server.hold()
    const looking = list.look()
    server.jobs.add(2)
    void list.look()
    arrive()
    await looking
    assert.deepStrictEqual(shown(), [2, 1])
    assert.strictEqual(server.pages, 2)
  })

  it("asks with the next look for an older page that failed", async () => {
    const { list, server, shown } = makeServer([1, 2, 3, 4])
    await list.look()
    server.fault = new Error("gone")
    await list.more()
    assert.isDefined(list.fault.value)
    server.fault = undefined
    await list.look()
    assert.deepStrictEqual([shown(), list.fault.value], [[4, 3, 2, 1], undefined])
  })

  it("finds an old job by its whole callback id, and looks at it too", async () => {
    const { list, server, shown } = makeServer([1, 2, 3, 4, 5])
    await list.look()
    list.search("call 1", true)
    await list.look()
    assert.deepStrictEqual(shown(), [1])
    server.jobs.delete(1)
    await list.look()
    assert.deepStrictEqual(shown(), [])
  })

  it("shows how far engines are with the jobs that they work on", async () => {
    const { list } = makeServer([1, 2])
    await list.look()
    list.put({ ...toJob(1), status: "IN_PROGRESS" })
    const halves = new Map([
      ["0001", 0.5],
      ["0002", 0.5]
    ])
    list.advance(halves)
    const progress = list.jobs.value.map((job) => job.progress)
    assert.deepStrictEqual(progress, [undefined, 0.5])
  })
})
