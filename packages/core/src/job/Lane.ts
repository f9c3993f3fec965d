/**
 * Lanes: work that goes to one origin shares a limit, so that a slow host holds up nobody but
 * itself. An origin is short and has one spelling, however its URL is written.
 */

/** The lane of downloads from a URL. A slow one can take hours: no webhook waits behind it. */
export const downloadLane = (url: string): string => `from ${originOf(url)}`

/** The lane of webhooks to a URL. */
export const webhookLane = (url: string): string => originOf(url)

/** How many pieces of work of one lane may be under way at the same time, and how many are. */
export interface LaneRoom {
  readonly max: number
  /** Of each lane in use. */
  readonly taken: Readonly<Record<string, number>>
}

/** The lanes that take no more for now. */
export const fullLanes = ({ max, taken }: LaneRoom): ReadonlyArray<string> =>
  Object.entries(taken).flatMap(([lane, count]) => (count >= max ? [lane] : []))

/** Those that find room, the first ones first. Work without a lane always does. */
export const fitting = <A extends { readonly lane: string }>(
  pieces: Iterable<A>,
  { max, taken }: LaneRoom
): ReadonlyArray<A> => {
  const counts = new Map(Object.entries(taken))
  return [...pieces].filter(({ lane }) => {
    const count = counts.get(lane) ?? 0
    if (lane !== "" && count >= max) return false
    counts.set(lane, count + 1)
    return true
  })
}

/** URLs have been judged before they are stored; what was not is in a lane of its own. */
const originOf = (url: string): string => URL.parse(url)?.origin ?? "nowhere"
