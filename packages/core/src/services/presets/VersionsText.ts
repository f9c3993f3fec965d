/**
 * Writes a page of versions as JSON. A hundred versions can take up 200 MB, so only a few versions
 * are read at a time. Versions never change, so parts that are read at different times are
 * consistent.
 */
import { Effect, Option } from "effect"
import type { PresetVersion } from "../../domain/preset/PresetVersion.ts"
import { toFullVersionView } from "../../domain/preset/PresetView.ts"
import type { TextPiece, TextWriter } from "../jobs/LargeReads.ts"

/** Number of bytes to read at a time, unless a single version is larger. */
const byteMax = 256 * 1024

/** The requested versions, oldest first. */
interface Page {
  readonly offset: number
  readonly limit: number
}

/**
 * The versions of a preset, and the number of versions to show. Later versions are not on the page.
 */
interface Versions<E> {
  readonly total: number
  readonly read: (
    page: Page & { readonly byteMax: number }
  ) => Effect.Effect<ReadonlyArray<PresetVersion>, E>
}

/** Creates a writer of a page; its positions are offsets in the page. */
export const makeVersionsWriter = <E>(
  { limit, offset }: Page,
  { read, total }: Versions<E>
): TextWriter<number, E> => ({
  contentType: "application/json",
  piece: (position) => {
    const end = Math.min(offset + limit, total)
    const from = Option.getOrElse(position, () => offset)
    return Effect.map(
      read({ offset: from, limit: Math.max(0, end - from), byteMax }),
      (versions): TextPiece<number> => {
        const next = from + versions.length
        const isLast = next >= end || versions.length === 0
        const open = Option.isNone(position) ? '{"data":[' : versions.length > 0 ? "," : ""
        const entries = JSON.stringify(versions.map(toFullVersionView)).slice(1, -1)
        const close = isLast ? `],"total_count":${total}}` : ""
        return {
          text: `${open}${entries}${close}`,
          next: isLast ? Option.none() : Option.some(next)
        }
      }
    )
  }
})
