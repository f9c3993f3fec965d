/**
 * Lists that come in pages, one element after the other. A page is asked for when the one before
 * has been read.
 */
import { VerbatimError } from "./VerbatimError.ts"

interface Page {
  readonly data: ReadonlyArray<unknown>
  /** Of a list whose pages name the next one. */
  readonly next_cursor?: string | null
  /** Of a list whose pages are counted. */
  readonly total_count?: number
}

/** All elements of a list, from its first page on; the others are read by where they begin. */
type Walk = (
  first: Promise<unknown>,
  read: (point: { readonly cursor?: string; readonly offset?: number }) => Promise<unknown>
) => AsyncGenerator<unknown, void, undefined>

/** Walks through pages that name the next one. */
export const readCursors: Walk = async function* (first, read) {
  let page = (await first) as Page
  let cursor: string | null | undefined
  // Ends on the last page: each cursor lies behind the one before.
  for (;;) {
    yield* page.data
    const { next_cursor: next = null } = page
    if (next === null) return
    if (next === cursor) {
      const message = "The list does not end: a page names itself as the next one"
      throw new VerbatimError({ kind: "unreadable", message })
    }
    cursor = next
    page = (await read({ cursor })) as Page
  }
}

/** Walks through pages that are counted, from an offset on. */
export const readOffsets = (from: number): Walk =>
  async function* (first, read) {
    let page = (await first) as Page
    let offset = from
    // Ends at the count, or at a page with nothing in it.
    for (;;) {
      const { data, total_count = 0 } = page
      yield* data
      offset += data.length
      if (data.length === 0 || offset >= total_count) return
      page = (await read({ offset })) as Page
    }
  }
