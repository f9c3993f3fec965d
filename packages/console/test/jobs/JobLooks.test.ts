/** A list of jobs that is looked at again where something happened. */
import { upTo } from "@verbatim/testkit/samples"
import { assert, describe, it } from "vitest"
import { makeLooks } from "../../page/jobs/JobLooks.ts"
import { isListed, type ListedJob } from "../../page/jobs/JobTraits.ts"
import { makeKnown } from "../../page/jobs/KnownJobs.ts"

const pageSize = 5

const toId = (place: number): string => String(place).padStart(4, "0")

const toJob = (id: string, status: ListedJob["status"] = "FAILED"): ListedJob =>
  ({ id, status }) as ListedJob

/** An answer that is on its way until it arrives. */
const makeWaiting = (data: ReadonlyArray<ListedJob>, isThere = false) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (isThere) resolve()
  const asked = async () => {
    await promise
    return { data, next_cursor: null }
  }
  return { arrive: resolve, asked }
}

/** A list with a filter, of which the newest page and some older ones were read. */
const makeList = async (listed: ReadonlyArray<number>, readCount: number) => {
  const ids = new Set(listed)
  const asked = { pages: 0, jobs: 0 }
  let held: Promise<void> | undefined
  const known = makeKnown()
  const looks = makeLooks(known, {
    askPage: async (start) => {
      asked.pages += 1
      const rest = [...ids]
        .sort((one, other) => other - one)
        .map(toId)
        .filter((id) => start === undefined || id < start.below)
      const data = rest.slice(0, pageSize).map((id) => toJob(id))
      const last = data.at(-1)?.id ?? null
      await held
      return { data, next_cursor: rest.length > pageSize ? last : null }
    },
    askJob: async (id) => {
      asked.jobs += 1
      return ids.has(Number(id)) ? toJob(id) : undefined
    }
  })
  await looks.look()
  for (let count = 0; count < readCount; count += 1) await looks.readOn()?.()
  /** What is asked for from now on arrives when that is called, and later questions at once. */
  const hold = (): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    held = promise
    return () => {
      held = undefined
      resolve()
    }
  }
  return {
    asked,
    hold,
    ids,
    known,
    looks,
    shown: () => known.jobs.value.map(({ id }) => Number(id))
  }
}

describe("a list of jobs with a filter", () => {
  it("gets a job that fits since a moment ago, in an older page that was read", async () => {
    const { asked, ids, looks, shown } = await makeList([90, 80, 70, 60, 50, 40, 30, 20, 10, 5], 1)
    ids.add(35)
    looks.note([toId(35)])
    asked.pages = 0
    await looks.look()
    assert.deepStrictEqual(shown(), [90, 80, 70, 60, 50, 40, 35, 30, 20, 10, 5])
    assert.isAtMost(asked.pages, 2)
  })

  it("gets one between its newest page, as that is now, and those that it has read", async () => {
    const { ids, looks, shown } = await makeList([50, 40, 30, 20, 10, 5], 0)
    for (const place of [90, 80, 70, 60]) ids.add(place)
    await looks.look()
    ids.add(35)
    looks.note([toId(35)])
    await looks.look()
    assert.include(shown(), 35)
  })

  it("asks for none that lies where nobody has read yet", async () => {
    const { asked, ids, looks, shown } = await makeList([50, 40, 30, 20, 10, 5, 3], 0)
    ids.add(7)
    looks.note([toId(7)])
    assert.isFalse(await looks.look())
    assert.notInclude(shown(), 7)
    assert.strictEqual(asked.jobs, 0)
  })
})

describe("a list of jobs that nobody has looked at for long", () => {
  it("gets all that came meanwhile, a few pages in each look", async () => {
    const before = upTo(12)
    const { asked, ids, looks, shown } = await makeList(before, 1)
    for (const place of upTo(60)) ids.add(100 + place)
    asked.pages = 0
    let lookCount = 1
    while (await looks.look()) lookCount += 1
    const all = [...ids].sort((one, other) => other - one)
    assert.deepStrictEqual(
      shown(),
      all.filter((place) => place > 2)
    )
    assert.isAtMost(asked.pages, 4 * lookCount)
  })

  it("gets all of them where it was empty before, or all that it had are gone", async () => {
    for (const before of [[], [1], upTo(12)]) {
      const { ids, looks, shown } = await makeList(before, 1)
      for (const place of before) ids.delete(place)
      for (const place of upTo(22)) ids.add(100 + place)
      while (await looks.look());
      for (let more = looks.readOn(); more !== undefined; more = looks.readOn()) await more()
      assert.lengthOf(shown(), 22, `after ${before.length}`)
    }
  })

  it("gets all of them where its newest page was deleted before", async () => {
    const { ids, looks, shown } = await makeList(upTo(12), 1)
    for (const place of [12, 11, 10, 9, 8]) ids.delete(place)
    await looks.look()
    for (const place of upTo(22)) ids.add(100 + place)
    while (await looks.look());
    assert.lengthOf(shown(), 22 + 5)
  })

  it("gets them behind one that somebody hands in, or finds, before the next look", async () => {
    const { ids, known, looks, shown } = await makeList(upTo(12), 1)
    for (const place of upTo(22)) ids.add(100 + place)
    known.add([toJob(toId(122))])
    while (await looks.look());
    assert.lengthOf(shown(), 22 + 10)
  })

  it("asks for its newest page alone where that reaches what it has", async () => {
    const { asked, ids, looks } = await makeList(upTo(12), 1)
    for (const place of upTo(4)) ids.add(100 + place)
    asked.pages = 0
    assert.isFalse(await looks.look())
    assert.strictEqual(asked.pages, 1)
  })
})

describe("a job that was deleted", () => {
  it("does not come back with an answer that was on its way, whatever is asked since", () => {
    const known = makeKnown()
    const early = known.ask()
    known.forget(toId(1))
    known.close(known.ask())
    known.add([toJob(toId(1))], early)
    known.close(early)
    assert.lengthOf(known.jobs.value, 0)
    known.add([toJob(toId(1))], known.ask())
    assert.lengthOf(known.jobs.value, 1)
  })

  it("does not stay with a page that was on its way, where nobody tells of it", async () => {
    const { ids, hold, looks, shown } = await makeList(upTo(12), 0)
    const arrive = hold()
    const reading = looks.readOn()?.()
    ids.delete(6)
    looks.reset()
    arrive()
    await reading
    while (await looks.look());
    assert.deepStrictEqual(shown(), [12, 11, 10, 9, 8, 7, 5, 4, 3, 2])
  })
})

describe("what a search finds", () => {
  const far = toId(1)

  it("is not set back by an answer that is older than a look", async () => {
    const { known, looks } = await makeList(upTo(12), 2)
    const { arrive, asked } = makeWaiting([toJob(far, "IN_QUEUE")])
    const searching = looks.search(asked)
    known.add([toJob(far, "IN_PROGRESS")])
    looks.note([far])
    while (await looks.look());
    arrive()
    await searching
    assert.strictEqual(known.all().get(far)?.status, "FAILED")
  })

  it("is looked at again, where something happened to it while it was on its way", async () => {
    const { known, looks } = await makeList(upTo(12), 0)
    const { arrive, asked } = makeWaiting([toJob(far, "IN_QUEUE")])
    const searching = looks.search(asked)
    looks.note([far])
    assert.isFalse(await looks.look())
    arrive()
    assert.isTrue(await searching)
    await looks.look()
    assert.strictEqual(known.all().get(far)?.status, "FAILED")
  })

  it("goes from a list that would not have it, beyond the pages that were read", async () => {
    const { ids, looks, shown } = await makeList(upTo(12), 0)
    await looks.search(makeWaiting([toJob(far)], true).asked)
    assert.include(shown(), 1)
    ids.delete(1)
    looks.note([far])
    await looks.look()
    assert.notInclude(shown(), 1)
  })

  it("is in a list of its own status and callback id alone", () => {
    const job = { ...toJob(far), callback_id: "order 7" }
    const judge = (status: ListedJob["status"] | undefined, callback = "") =>
      isListed(job, { status, callback })
    assert.isTrue(judge(undefined) && judge("FAILED") && judge("FAILED", "order 7"))
    assert.isFalse(judge("COMPLETED") || judge("FAILED", "order"))
  })
})
