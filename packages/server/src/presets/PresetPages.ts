/**
 * The list of presets, read to its end while others change presets. One that is changed moves to
 * the front, past the pages that were read already; one that goes moves all that come after it.
 */
import type { Answer, Options } from "@verbatim/client"
import { pageMax } from "../command/ApiCalls.ts"

/** How often the list is read where presets change all the time. */
const passMax = 5

type Page = Answer<"presets.list">

/** A preset as a list shows it. */
export type ListedPreset = Page["data"][number]

/** Which presets are listed. */
export type ListWish = Pick<Options<"presets.list">, "label" | "status" | "text">

const isSame = (one: Page, other: Page): boolean =>
  one.total_count === other.total_count &&
  one.data.length === other.data.length &&
  one.data.every(({ slug, updated_at }, place) => {
    const next = other.data[place]
    return next?.slug === slug && next.updated_at === updated_at
  })

/**
 * Reads all presets, by their slugs. A preset that is changed, made or removed in between shows in
 * the first page or in the total: then they are read once more.
 */
export const listAll = async (
  read: (page: { readonly offset: number; readonly limit: number }) => PromiseLike<Page>
): Promise<ReadonlyArray<ListedPreset>> => {
  const front = () => read({ offset: 0, limit: pageMax })
  let first = await front()
  let all = new Map<string, ListedPreset>()
  for (let pass = 1; pass <= passMax; pass += 1) {
    const pages = [first]
    // A page may have fewer than it could: a server leaves out what it cannot read.
    for (let offset = pageMax; offset < first.total_count; offset += pageMax) {
      pages.push(await read({ offset, limit: pageMax }))
    }
    // What an earlier pass has found is there still, unless the last one has all.
    const found = pages.flatMap(({ data }) => data.map((each) => [each.slug, each] as const))
    all = new Map([...all, ...found])
    if (pages.length === 1) break
    const now = await front()
    if (isSame(first, now)) {
      all = new Map(found)
      break
    }
    first = now
  }
  return [...all.values()].sort((one, other) => (one.slug < other.slug ? -1 : 1))
}
