/**
 * Whether a transfer is fast enough. Only the time spent waiting for the peer counts: a reader that
 * takes its time does not make the peer slow. Pure.
 */
import { Duration } from "effect"

/** What arrived in the current window, and how long we waited for it. */
export interface Pace {
  readonly bytes: number
  readonly waited: Duration.Duration
}

/** Nothing yet. */
export const start: Pace = { bytes: 0, waited: Duration.zero }

/** What a transfer is measured against. */
export interface Requirement {
  readonly bytesPerSecondMin: number
  readonly paceWindow: Duration.Duration
}

/** Counts one piece. When a window is full the next one begins, whatever the verdict. */
export const advance = (
  pace: Pace,
  piece: Pace & { readonly requirement: Requirement }
): { readonly pace: Pace; readonly isTooSlow: boolean } => {
  const { bytesPerSecondMin, paceWindow } = piece.requirement
  const bytes = pace.bytes + piece.bytes
  const waited = Duration.sum(pace.waited, piece.waited)
  if (Duration.isLessThan(waited, paceWindow)) return { pace: { bytes, waited }, isTooSlow: false }
  return { pace: start, isTooSlow: bytes < bytesPerSecondMin * Duration.toSeconds(waited) }
}
