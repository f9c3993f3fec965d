/**
 * A page of versions as JSON to send on. A hundred versions may be 200 MB: they are read a few at a
 * time. None of them ever changes, so what is read separately fits together.
 */
import { Effect, Option } from "effect"
import type { PresetVersion } from "../../domain/preset/PresetVersion.ts"
import { toFullVersionView } from "../../domain/preset/PresetView.ts"
import type { TextPiece, TextWriter } from "../jobs/LargeReads.ts"

/** Bytes that are read at a time, unless a single version has more. */
const byteMax = 256 * 1024

/** The versions that are asked for, oldest first. */
interface Page {
  readonly offset: number
  readonly limit: number
}

/** The versions of a preset, and how many of them count: those added since are not on the page. */
interface Versions<E> {
  readonly total: number
  readonly read: (
    page: Page & { readonly byteMax: number }
  ) => Effect.Effect<ReadonlyArray<PresetVersion>, E>
}

/** Writes a page. Its places are offsets. */
export const makeVersionsWriter = <E>(
  { limit, offset }: Page,
  { read, total }: Versions<E>
): TextWriter<number, E> => ({
  contentType: "application/json",
  piece: (place) => {
    const end = Math.min(offset + limit, total)
    const from = Option.getOrElse(place, () => offset)
    return Effect.map(
      read({ offset: from, limit: Math.max(0, end - from), byteMax }),
      (versions): TextPiece<number> => {
        const next = from + versions.length
        const isLast = next >= end || versions.length === 0
        const open = Option.isNone(place) ? '{"data":[' : versions.length > 0 ? "," : ""
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
