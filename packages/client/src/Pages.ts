/**
 * Lists that come in pages, one element after the other. A page is asked for when the one before
 * has been read.
 */
import type { CallOptions } from "./Calls.ts"
import { VerbatimError } from "./VerbatimError.ts"

/** Which page of a list whose pages are counted. */
export interface OffsetOptions extends CallOptions {
  readonly offset?: number | undefined
  /** Most elements of a page. */
  readonly limit?: number | undefined
}

interface CursorPage<A> {
  readonly data: ReadonlyArray<A>
  readonly next_cursor: string | null
}

/** All elements of a list whose pages name the next one. */
export async function* readCursors<A>(
  read: (cursor: string | undefined) => Promise<CursorPage<A>>
): AsyncGenerator<A, void, undefined> {
  let cursor: string | undefined
  // Ends on the last page: each cursor lies behind the one before.
  for (;;) {
    const { data, next_cursor: next } = await read(cursor)
    yield* data
    if (next === null) return
    if (next === cursor) {
      const message = "The list does not end: a page names itself as the next one"
      throw new VerbatimError({ kind: "unreadable", message })
    }
    cursor = next
  }
}

interface OffsetPage<A> {
  readonly data: ReadonlyArray<A>
  readonly total_count: number
}

/** All elements of a list whose pages are counted. */
export async function* readOffsets<A>(
  read: (offset: number) => Promise<OffsetPage<A>>
): AsyncGenerator<A, void, undefined> {
  let offset = 0
  // Ends at the count, or at a page with nothing in it.
  for (;;) {
    const { data, total_count } = await read(offset)
    yield* data
    offset += data.length
    if (data.length === 0 || offset >= total_count) return
  }
}
