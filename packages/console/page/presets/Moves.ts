/** Merges the histories of a preset's pointers into one list of moves. */
import { api } from "../Api.ts"
import type { PresetState } from "./PresetModel.ts"

/** A move of the designation or of a label. */
export interface Move {
  readonly pointer: string
  readonly from: number | null
  readonly to: number | null
  readonly by: string
  readonly at: string
}

/** A period during which a pointer pointed to a version. */
interface Span {
  readonly version: number
  readonly from: number
  readonly to: number
  readonly isNow: boolean
}

/** A pointer with all periods during which it pointed to a version. */
export interface Track {
  readonly pointer: string
  readonly spans: ReadonlyArray<Span>
}

/** The name that stands for the designation among the pointers. */
export const designation = "designated"

/** Maximum number of moves to read for each pointer, newest first. */
const moveMax = 100

/** Maximum number of labels in the timeline. A preset can have fifty labels, too many to read. */
export const trackMax = 12

/** Reads the last page of a list that is sorted oldest first. */
const readLast = async <Item>(
  read: (page: { readonly limit: number; readonly offset: number }) => Promise<{
    readonly data: ReadonlyArray<Item>
    readonly total_count: number
  }>
): Promise<ReadonlyArray<Item>> => {
  const first = await read({ limit: moveMax, offset: 0 })
  if (first.total_count <= moveMax) return first.data
  return (await read({ limit: moveMax, offset: first.total_count - moveMax })).data
}

/** Reads the newest moves of all pointers, oldest first. */
export const readMoves = async (
  slug: string,
  { labels }: PresetState,
  signal: AbortSignal
): Promise<ReadonlyArray<Move>> => {
  const designations = readLast((page) => api.presets.designations(slug, { ...page, signal }))
  const moves = labels.slice(0, trackMax).map(async ({ label }): Promise<ReadonlyArray<Move>> => {
    const read = await readLast((page) =>
      api.presets.labels.moves(slug, label, { ...page, signal })
    )
    return read.map(({ from, moved_at, moved_by, to }) => ({
      pointer: label,
      from,
      to,
      by: moved_by,
      at: moved_at
    }))
  })
  // All requests are awaited together, so that no rejection goes unhandled while another request is
  // awaited.
  const [read, ...moved] = await Promise.all([designations, ...moves])
  const designated = read.map(({ designated_at, designated_by, from, to }) => ({
    pointer: designation,
    from,
    to,
    by: designated_by,
    at: designated_at
  }))
  return [...designated, ...moved.flat()].sort(
    (one, other) => Date.parse(one.at) - Date.parse(other.at)
  )
}

/** Returns the tracks of all pointers up to now, starting with the designation. */
export const toTracks = (moves: ReadonlyArray<Move>, now: number): ReadonlyArray<Track> => {
  const names = [...new Set(moves.map(({ pointer }) => pointer))].sort((one, other) =>
    one === designation ? -1 : other === designation ? 1 : one.localeCompare(other)
  )
  return names.map((pointer) => {
    const own = moves.filter((move) => move.pointer === pointer)
    const spans = own.flatMap(({ at, to }, index): ReadonlyArray<Span> => {
      if (to === null) return []
      const next = own[index + 1]
      return [
        {
          version: to,
          from: Date.parse(at),
          to: next === undefined ? now : Date.parse(next.at),
          isNow: next === undefined
        }
      ]
    })
    return { pointer, spans }
  })
}
