/** Lists that are told in pages, read to their end. */
import { Effect } from "effect"

/** Entries of a page, as many as there may be. */
export const pageMax = 100

/** Which page. */
export interface PageWanted {
  readonly offset: number
  readonly limit: number
}

/** Reads page after page until one is not full. */
export const readPages = Effect.fnUntraced(function* <A, E, R>(
  read: (page: PageWanted) => Effect.Effect<ReadonlyArray<A>, E, R>
) {
  const all: Array<A> = []
  for (let offset = 0; ; offset += pageMax) {
    const page = yield* read({ offset, limit: pageMax })
    all.push(...page)
    if (page.length < pageMax) return all
  }
})
