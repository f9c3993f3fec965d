/** Tests that refreshing the job list works while jobs are added and deleted. */
import { it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { assert, describe } from "vitest"
import { isReadAgain, type ListedJob, newestFirst } from "../../page/jobs/JobTraits.ts"
import { readPages } from "../../page/ui/Pages.ts"

const pageSize = 3

const Numbers = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 60 })))

const toJobs = (numbers: Iterable<number>) =>
  [...new Set(numbers)]
    .map((number) => ({ id: String(number).padStart(4, "0") }) as ListedJob)
    .sort(newestFirst)

/** Refreshes the list by reading a server's jobs from the newest to the oldest one shown. */
const readAgain = (all: ReadonlyArray<ListedJob>, before: ReadonlyArray<ListedJob>) =>
  readPages(
    async (cursor: string = "9999") => {
      const below = all.filter(({ id }) => id < cursor)
      const items = below.slice(0, pageSize)
      return { items, next: below.length > pageSize ? (items.at(-1)?.id ?? null) : null }
    },
    (jobs) => isReadAgain(jobs, before)
  )

describe("the job list", () => {
  it.effect.prop(
    "keeps its jobs and adds new ones when it is refreshed",
    { numbers: Numbers, added: Numbers, deleted: Numbers, shown: Numbers },
    ({ added, deleted, numbers, shown }) =>
      Effect.gen(function* () {
        const before = toJobs(numbers).slice(0, shown.length)
        const all = toJobs([...numbers, ...added].filter((each) => !deleted.includes(each)))
        const { items, next } = yield* Effect.promise(() => readAgain(all, before))
        assert.deepStrictEqual(items, all.slice(0, items.length))
        assert.strictEqual(next === null, items.length === all.length)
        const oldest = before.at(-1)?.id ?? "9999"
        const needed = all.filter(({ id }) => id >= oldest).length
        assert.isAtLeast(items.length, needed)
        assert.isAtMost(items.length, needed + pageSize)
      })
  )
})
