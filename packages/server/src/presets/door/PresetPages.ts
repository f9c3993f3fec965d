/**
 * The list of presets, read to its end although others change presets meanwhile. One that is
 * changed moves to the front, past the pages that were read already; one that goes moves all that
 * come after it.
 */
import { Effect } from "effect"
import { type PageWanted, pageMax } from "./Pages.ts"
import type { ListedPreset } from "./PresetDoor.ts"

/** A page of the list, and how many there are on all of them. */
interface PresetPage {
  readonly presets: ReadonlyArray<ListedPreset>
  readonly total: number
}

/** How often the list is read where somebody changes presets all the time. */
const passMax = 5

const isSame = (one: PresetPage, other: PresetPage): boolean =>
  one.total === other.total &&
  one.presets.length === other.presets.length &&
  one.presets.every(({ slug, updatedAt }, place) => {
    const beside = other.presets[place]
    return beside?.slug === slug && beside.updatedAt === updatedAt
  })

/**
 * Reads all presets, by their slugs. Whatever is changed, made or removed while they are read shows
 * in the first page or in the total: then they are read once more.
 */
export const readPresets = Effect.fnUntraced(function* <E, R>(
  read: (page: PageWanted) => Effect.Effect<PresetPage, E, R>
) {
  const front = read({ offset: 0, limit: pageMax })
  let first = yield* front
  let all = new Map<string, ListedPreset>()
  for (let pass = 1; pass <= passMax; pass += 1) {
    const pages = [first]
    // A page may have fewer than it could: a server leaves out what it cannot read.
    for (let offset = pageMax; offset < first.total; offset += pageMax) {
      pages.push(yield* read({ offset, limit: pageMax }))
    }
    // What an earlier pass has found is there still, unless the last one has all.
    const found = pages.flatMap(({ presets }) => presets.map((each) => [each.slug, each] as const))
    all = new Map([...all, ...found])
    if (pages.length === 1) break
    const now = yield* front
    if (isSame(first, now)) {
      all = new Map(found)
      break
    }
    first = now
  }
  return [...all.values()].sort((one, other) => (one.slug < other.slug ? -1 : 1))
})
