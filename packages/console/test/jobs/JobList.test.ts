/** Tests the list of jobs against a server whose jobs change while the list is read. */
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { makeList } from "../../page/jobs/JobList.ts"
import type { ListedJob } from "../../page/jobs/JobTraits.ts"

const pageSize = 3

const toJob = (number: number): ListedJob =>
  ({
    id: String(number).padStart(4, "0"),
    callback_id: `call ${number}`,
    status: "FAILED"
  }) as ListedJob

/**
 * Makes a server with the given jobs. Requests that are sent while the server is held are answered
 * later, with the earlier state.
 */
const makeServer = (numbers: Iterable<number>) => {
  const jobs = new Set(numbers)
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
      fetchPage: async (cursor = "9999") => {
        server.pages += 1
        const below = newestFirst(jobs).filter((number) => number < Number(cursor))
        const data = below.slice(0, pageSize).map(toJob)
        const { fault } = server
        await held
        if (fault !== undefined) throw fault
        return { data, next_cursor: below.length > pageSize ? (data.at(-1)?.id ?? null) : null }
      },
      fetchByCallbackId: async (called) =>
        [...jobs].map(toJob).filter(({ callback_id }) => callback_id === called)
    },
    new AbortController().signal
  )
  return { list, server, shown: () => list.jobs.value.map(({ id }) => Number(id)) }
}

const newestFirst = (numbers: Iterable<number>) => [...numbers].sort((one, other) => other - one)

describe("the job list", () => {
  it("equals the server's list after each refresh, up to the oldest job shown", async () => {
    const number = fc.integer({ min: 1, max: 60 })
    const step = fc.record({
      does: fc.constantFrom("add" as const, "delete" as const, "more" as const),
      number
    })
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(number), fc.array(step), async (numbers, steps) => {
        const { list, server, shown } = makeServer(numbers)
        await list.refresh()
        for (const { does, number: each } of steps) {
          if (does === "more") await list.more()
          else server.jobs[does](each)
        }
        const before = shown().filter((each) => server.jobs.has(each))
        await list.refresh()
        const all = newestFirst(server.jobs)
        assert.deepStrictEqual(shown(), all.slice(0, shown().length))
        assert.includeMembers(shown(), before)
        for (const _ of all) await list.more()
        assert.deepStrictEqual(shown(), all)
      })
    )
  })

  it("never shows a deleted job again, even if an earlier response arrives late", async () => {
    const { list, server, shown } = makeServer([1, 2])
    const arrive = server.hold()
    const refreshing = list.refresh()
    list.markDeleted("0002")
    arrive()
    await refreshing
    assert.deepStrictEqual(shown(), [1])
  })

  it("refreshes again if a job changes before the response to a refresh arrives", async () => {
    const { list, server, shown } = makeServer([1])
    const arrive = server.hold()
    const refreshing = list.refresh()
    server.jobs.add(2)
    void list.refresh()
    arrive()
    await refreshing
    assert.deepStrictEqual(shown(), [2, 1])
    assert.strictEqual(server.pages, 2)
  })

  it("requests an older page again at the next refresh if the first request failed", async () => {
    const { list, server, shown } = makeServer([1, 2, 3, 4])
    await list.refresh()
    server.fault = new Error("gone")
    await list.more()
    assert.isDefined(list.fault.value)
    server.fault = undefined
    await list.refresh()
    assert.deepStrictEqual([shown(), list.fault.value], [[4, 3, 2, 1], undefined])
  })

  it("finds an old job by its exact callback id, and then refreshes that job as well", async () => {
    const { list, server, shown } = makeServer([1, 2, 3, 4, 5])
    await list.refresh()
    list.search("call 1", true)
    await list.refresh()
    assert.deepStrictEqual(shown(), [1])
    server.jobs.delete(1)
    await list.refresh()
    assert.deepStrictEqual(shown(), [])
  })

  it("shows progress only for jobs in progress", async () => {
    const { list } = makeServer([1, 2])
    await list.refresh()
    list.put({ ...toJob(1), status: "IN_PROGRESS" })
    const halves = new Map([
      ["0001", 0.5],
      ["0002", 0.5]
    ])
    list.setProgress(halves)
    const progress = list.jobs.value.map((job) => job.progress)
    assert.deepStrictEqual(progress, [undefined, 0.5])
  })
})
