/**
 * What listeners are told as server-sent events (HTML, 9.2.6). A block with nothing but an id moves
 * the place from which a client goes on, and dispatches no event.
 */
import type { Told } from "@verbatim/core/job"

/** How long a client waits before it connects again: a server is restarted in that time. */
const retryMillis = 2_000

/** The beginning of every stream. */
export const firstText = `retry: ${retryMillis}\n\n`

/** A comment, so that nobody takes a silent connection for a dead one. */
export const heartbeat = ": still here\n\n"

/** One event. JSON has no line breaks of its own. */
export const toText = (told: Told): string => {
  const id = "place" in told ? `id: ${told.place}\n` : ""
  if (told.event === "reached") return `${id}\n`
  const data = "data" in told ? told.data : {}
  return `${id}event: ${told.event}\ndata: ${JSON.stringify(data)}\n\n`
}
