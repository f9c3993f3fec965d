/** Pages of a list that are asked for again, whatever has come above them and gone from them. */
import { it } from "@effect/vitest"
import { Schema } from "effect"
import { assert, describe } from "vitest"
import { judgePage, makePages, type Page } from "../../page/jobs/JobPages.ts"

interface Listed {
  readonly id: string
}

const pageSize = 5

const toId = (place: number): string => String(place).padStart(4, "0")

/** A page of a list as the API gives it: newest first, behind a job that may be gone. */
const pageOf = (ids: ReadonlyArray<string>, cursor?: string): Page<Listed> => {
  const rest = ids.filter((id) => cursor === undefined || id < cursor)
  const data = rest.slice(0, pageSize).map((id) => ({ id }))
  return { data, next_cursor: rest.length > pageSize ? (data.at(-1)?.id ?? null) : null }
}

const Count = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))

describe("the pages of a list", () => {
  it.prop(
    "lead to every job that has changed, page by page and without a detour",
    {
      size: Count(60),
      read: Count(12),
      more: Count(40),
      gone: Schema.Array(Count(100)),
      changed: Schema.Array(Count(60))
    },
    ({ changed, gone, more, read, size }) => {
      let ids = Array.from({ length: size }, (_, index) => toId(size - index))
      const pages = makePages()
      const first = pageOf(ids)
      pages.noteNewest(first)
      const known = new Set(first.data.map(({ id }) => id))
      for (let count = 0; count < read; count += 1) {
        const start = pages.next()
        if (start === undefined) break
        const page = pageOf(ids, start.cursor)
        pages.noteNext(start, page)
        for (const { id } of page.data) known.add(id)
      }
      const lost = new Set(gone.map(toId))
      const newer = Array.from({ length: more }, (_, index) => toId(size + more - index))
      ids = [...newer, ...ids].filter((id) => !lost.has(id))
      const newest = pageOf(ids)
      pages.noteNewest(newest)
      const stale = new Set(changed.map(toId).filter((id) => known.has(id)))
      const judged = new Map<string, boolean>()
      const judge = (page: Page<Listed>, below?: string): void => {
        const { gone: none, told } = judgePage(stale, page, below)
        for (const id of told) {
          judged.set(id, !none.includes(id))
          stale.delete(id)
        }
        // What is not in a page and should be is taken from the list.
        for (const id of judgePage(known, page, below).gone) {
          assert.isFalse(ids.includes(id), `${id} is still there`)
        }
      }
      judge(newest)
      const pagesMax = Math.ceil((size + more) / pageSize) * 2
      for (let asked = 0; stale.size > 0; asked += 1) {
        assert.isBelow(asked, pagesMax)
        const [id = ""] = [...stale].sort().toReversed()
        assert.isFalse(pages.isBeyond(id))
        const start = pages.startOf(id)
        if (start === undefined) return assert.fail(`no page has ${id}`)
        const page = pageOf(ids, start.cursor)
        judge(page, start.below)
        if (stale.has(id)) pages.noteShort(page)
      }
      for (const [id, isThere] of judged) assert.strictEqual(isThere, ids.includes(id))
      return undefined
    }
  )
})
