/** The events of a job. Events about recognised pieces are counted, because there can be many. */
import type { components } from "@verbatim/client"
import { formatCount } from "../ui/Words.ts"

/** A job's history. */
export type History = components["schemas"]["JobHistory"]

/** One event in the history. */
export type JobEvent = History["events"][number]

/** Whether an event reports that one more piece of the recording is recognised. */
export const isPiece = ({ event }: Pick<JobEvent, "event">): boolean => event === "piece_recognised"

/** Returns the revision of the last event. */
export const revisionOf = ({ events }: History): number => events.at(-1)?.revision ?? 0

/** Counts the recognised pieces of a recording; undefined if there are none. */
export const countPieces = ({
  events
}: History): { readonly done: number; readonly total: number } | undefined => {
  const pieces = events.filter(isPiece)
  const total = pieces.at(-1)?.pieces
  if (total === undefined) return undefined
  // Earlier attempts may have cut the recording into another number of pieces.
  const current = pieces.filter((event) => event.pieces === total)
  return { done: new Set(current.map(({ piece }) => piece)).size, total }
}

/** Describes the events about pieces in one line of the history. */
export const describePieces = (pieces: ReadonlyArray<JobEvent>): string => {
  const reused = pieces.filter((event) => event.reused === true).length
  const noun = pieces.length === 1 ? "piece" : "pieces"
  return `${formatCount(pieces.length)} ${noun} recognised${
    reused === 0 ? "" : `, ${formatCount(reused)} of them reused`
  }`
}
